"""The language model over claims the rules could not read: who is asked about, what is kept, what fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.detection.claim_index import ClaimIndex
from app.detection.norm_stage import NormStage
from app.models import normalizer
from app.models.requests import Completed, Failed
from app.models.setup import Setup
from app.store.errors import StoreError
from app.store.store import Store
from app.words import Claim, Norm, Statement


class Host:
    """A model that answers from a list; what it was asked is kept."""

    def __init__(self, *answers: str | Failed) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.setup = Setup(llama="/nowhere/own.gguf")

    def complete(self, prompt: str, **options: Any) -> Completed | Failed:
        self.asked.append(prompt.rsplit("\n\n", 1)[-1])
        answer = self.answers.pop(0) if self.answers else " none"
        return answer if isinstance(answer, Failed) else Completed("own", answer, True, 9)


def claim(id: str, text: str, *, date: str | None = None, norm: Norm | None = None, **more: Any) -> Claim:
    fields = {k: more.pop(k) for k in list(more) if k in Statement.__slots__}
    made = replace(Statement("A.md", 1, 1, text, text, "sentence", date=date), **fields)
    norms = (norm,) if norm else (Norm("it", "FUZZY", sure=False),)
    return replace(Claim(id, made, "Shop", norms), **more)


ALARM = claim("alarm", "back door alarm 7719 or so")
GOOD = " asserted | back door alarm | is equals | 7719"


@pytest.fixture
def store() -> Store:
    return Store.open(":memory:")


def rereading(host: Host, store: Store, budget: int = 96) -> NormStage:
    return NormStage(host, store, budget=budget)  # type: ignore[arg-type]


def read(stage: NormStage, *claims: Claim) -> Sequence[Claim]:
    return stage.read([c.id for c in claims], {c.id: c for c in claims}).claims


def test_what_the_model_reads_is_kept_and_laid_over_the_rules_norms(store: Store) -> None:
    host = Host(GOOD)
    stage = rereading(host, store)
    assert stage.over(ALARM) == ALARM
    (new,) = read(stage, ALARM)
    assert [(n.by, n.value) for n in new.norms] == [("llama", "7719")]
    assert stage.over(ALARM) == new
    # Another process, the same store: nothing is asked again.
    again = rereading(Host(), store)
    assert again.over(ALARM) == new
    assert again.pending(ClaimIndex([ALARM])) == []


def test_another_text_title_model_or_prompt_is_read_anew(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(rereading(Host(GOOD), store), ALARM)
    stage = rereading(Host(), store)
    for changed in (
        replace(ALARM, note="Farm"),
        replace(ALARM, statement=replace(ALARM.statement, heading=("Keys",))),
        replace(ALARM, statement=replace(ALARM.statement, text="back door alarm 1177")),
    ):
        assert stage.over(changed) == changed
        assert stage.pending(ClaimIndex([changed])) == [changed.id]
    other = Host()
    other.setup = Setup(llama="/nowhere/other.gguf")
    assert rereading(other, store).over(ALARM) == ALARM
    monkeypatch.setattr(normalizer, "VERSION", 999)
    assert rereading(Host(), store).over(ALARM) == ALARM


def test_only_what_the_rules_could_not_place_is_asked_about(store: Store) -> None:
    sure = Norm("door code", value="4411")
    claims = [
        ALARM,
        claim("sure", "The door code is 4411.", norm=sure),
        claim("placed", "The door code, 4411 or so.", norm=replace(sure, sure=False)),
        claim("struck", "the alarm is 1", struck=True),
        claim("quoted", "the alarm is 2", quoted=True),
        claim("row", "alarm: 3", form="row"),
        claim("silent", "the alarm is 4", silent="archive folder"),
        claim("candidate", "the alarm is 5", status="candidate"),
        claim("long", "alarm " * 1000),
        claim("none", "picked up the keys", norms=()),
    ]
    assert set(rereading(Host(), store).pending(ClaimIndex(claims))) == {"alarm", "none"}


def test_the_budget_takes_what_others_speak_of_first_then_the_newest(store: Store) -> None:
    claims = [
        claim("old", "the pump is odd", date="2024-01-01"),
        claim("new", "the pump is even", date="2026-01-01"),
        claim("shared-a", "garage door 4411 maybe", date="2020-01-01"),
        claim("shared-b", "garage door 0087 maybe", date="2019-01-01"),
        claim("other", "The garage door code is 4411.", norm=Norm("garage door code", value="4411")),
    ]
    assert rereading(Host(), store).pending(ClaimIndex(claims)) == ["shared-a", "shared-b", "new", "old"]
    pump = " asserted | pump | is equals | even"
    door = " asserted | garage door | is equals | maybe"
    stage = rereading(Host(door, door, pump), store, budget=3)
    first = stage.pending(ClaimIndex(claims))
    assert first == ["shared-a", "shared-b", "new"]
    read(stage, *(c for c in claims if c.id in first))
    # The same notes read once more: the budget was for these, not for the next three.
    assert stage.pending(ClaimIndex(map(stage.over, claims))) == []


def test_a_statement_the_model_finds_nothing_in_keeps_the_rules_norms(store: Store) -> None:
    stage = rereading(Host(" none"), store)
    assert read(stage, ALARM) == [] and stage.over(ALARM) == ALARM
    assert stage.pending(ClaimIndex([ALARM])) == []


def test_an_answer_of_no_use_leaves_the_rules_norms_and_is_not_asked_for_again(store: Store) -> None:
    host = Host(" asserted | zebra | is equals | 1")
    stage = rereading(host, store)
    assert read(stage, ALARM) == []
    assert stage.over(ALARM) == ALARM
    assert rereading(Host(), store).pending(ClaimIndex([ALARM])) == []


@pytest.mark.parametrize("why", ["timeout", "crashed", "refused"])
def test_a_statement_that_is_too_much_does_not_cost_the_next(store: Store, why: Any) -> None:
    stage = rereading(Host(Failed(why, "too much"), GOOD), store)
    made = stage.read(["bad", "alarm"], {"bad": claim("bad", "some odd words"), "alarm": ALARM})
    assert made.failed is None and [c.id for c in made.claims] == ["alarm"]


@pytest.mark.parametrize("why", ["absent", "broken", "memory", "closed"])
def test_a_model_that_is_not_there_ends_it_and_nothing_is_remembered_of_it(store: Store, why: Any) -> None:
    host = Host(GOOD, Failed(why, "it is gone"))
    stage = rereading(host, store)
    later = claim("later", "some odd words")
    made = stage.read(["alarm", "later"], {"alarm": ALARM, "later": later})
    assert made.failed == Failed(why, "it is gone") and [c.id for c in made.claims] == ["alarm"]
    assert stage.pending(ClaimIndex([ALARM, later])) == ["later"]


def test_an_answer_of_another_model_is_not_used(store: Store) -> None:
    class Replaced(Host):
        def complete(self, prompt: str, **options: Any) -> Completed | Failed:
            return Completed("SmolLM2", GOOD, True, 9)

    made = rereading(Replaced(), store).read(["alarm"], {"alarm": ALARM})
    assert made.failed is not None and "has changed" in made.failed.reason and made.claims == []


def test_an_unwritable_store_costs_only_the_next_reading(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("The store cannot be written.")

    monkeypatch.setattr(store.caches.rereadings, "put", refuse)
    stage = rereading(Host(GOOD), store)
    (new,) = read(stage, ALARM)
    assert stage.over(ALARM) == new
    assert rereading(Host(), store).over(ALARM) == ALARM


def test_the_store_keeps_one_reading_a_claim_and_drops_it_with_the_claim(tmp_path: Path) -> None:
    from app.store import rereadings

    with Store.open(tmp_path / "store.db") as store:
        read(rereading(Host(GOOD), store), ALARM)
        reader = rereading(Host(), store).reader
        (row,) = store.caches.rereadings.of(reader)
        assert row.claim_id == "alarm" and row.norms is not None and row.norms[0].by == "llama"
        assert store.caches.rereadings.of("another") == []
        with store.connection.writing() as connection:
            rereadings.forget(connection, ["alarm"])
        assert store.caches.rereadings.of(reader) == []
