"""The two models that ship, over stories that go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from app.detection.judge_input import said
from app.detective.reader import ThreadReader, never
from app.detective.thread_stage import ThreadStage
from app.models.host import ModelHost
from app.models.requests import Failed
from app.models.setup import Setup
from app.store.store import Store
from app.words import Claim, Finding
from tests.models.real import needs_embedder, needs_judge, needs_llama
from tests.support.claims_of_notes import claims, says

pytestmark = [needs_embedder, needs_judge, needs_llama]

KEY = claims(
    says("the pharmacy cupboard key is with the head nurse", "Night shift", "2025-01-08"),
    says("rounds at 2 and 5", "Night shift", "2025-02-03"),
    says(
        "took the pharmacy cupboard key off the hook in the tea kitchen, where it always hangs",
        "Ward notes",
        "2025-04-19",
    ),
)
PHOTOS = claims(
    says("photos without flash are fine everywhere in the museum", "Museum visits", "2025-01-08"),
    says("audio guide costs 4 euros", "Museum visits", "2025-02-11"),
    says(
        "tell the class: cameras and phones stay in the cloakroom, no pictures in the museum at all",
        "School trip",
        "2025-05-20",
    ),
    says("Milo's pictures from the museum are on the board", "School trip", "2025-06-02"),
)
LOOM = claims(
    says("the big loom is for everybody", "Weaving studio", "2025-01-08"),
    says("Petra finished her blanket on the big loom", "Studio diary", "2025-04-19"),
    says("Jun warped the big loom for his scarf", "Studio diary", "2025-05-19"),
)
MENU = claims(
    says("everything we cook is vegan", "Canteen", "2025-01-08"),
    says("Thursday: chickpea curry", "Menu plan", "2025-03-08"),
    says("Thursday: lentil balls, 60 portions", "Menu plan", "2025-05-08"),
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelHost]:
    with ModelHost(Setup(cache=str(tmp_path_factory.mktemp("cache")))) as made:
        yield made


def found(host: ModelHost, story: Sequence[Claim]) -> Finding | None:
    """What is made of a story that comes before them as one thread."""
    with Store.open(":memory:") as store:
        both = ThreadStage(host, store)
        skill = both.skill(never)
        assert skill is not None and not isinstance(skill, Failed)
        return both.found([claim.id for claim in story], {claim.id: claim for claim in story}, skill)


def unsure(host: ModelHost, story: Sequence[Claim]) -> float:
    answer = ThreadReader(host).odds([said(claim) for claim in story])
    assert isinstance(answer, float)
    return answer


@pytest.mark.parametrize("story", [LOOM, MENU], ids=["loom", "menu"])
def test_a_story_that_goes_together_they_leave_alone(host: ModelHost, story: list[Claim]) -> None:
    assert found(host, story) is None


def test_what_they_make_of_a_story_is_the_same_every_time(host: ModelHost) -> None:
    first = found(host, KEY)
    found(host, PHOTOS)
    assert found(host, KEY) == first
