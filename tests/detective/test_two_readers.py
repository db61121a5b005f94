"""A thread before the language model and the judge: whom they are asked about, and what is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.detective.reader import ThreadReader
from app.detective.two_readers import TwoReaders, UnsureThread
from app.models.requests import Failed
from app.words import Claim
from tests.models.saying import Saying
from tests.support.claims_of_notes import claims, says

CONFLICT, OUTDATED = (0.8, 0.05, 0.05, 0.05, 0.05), (0.05, 0.8, 0.05, 0.05, 0.05)
GONE = Failed("broken", "it went away")
KEY = claims(
    says("The spare key hangs behind the boiler.", "House", "2025-01-10"),
    says("The boiler was serviced by Ines.", "Boiler", "2025-02-10"),
    says("Whoever needs the spare key finds it at Ada's.", "Guests", "2025-06-10"),
)
ENDS = frozenset(("behind the boiler", "at Ada's"))
ALL = frozenset(("behind the boiler", "serviced", "at Ada's"))


@pytest.fixture
def host(tmp_path: Path) -> Saying:
    made = Saying(tmp_path)
    made.alarms = {ENDS: CONFLICT}
    made.unsure = {ALL: 0.8, ENDS: 0.8}
    return made


def read(host: Saying, thread: list[Claim]) -> UnsureThread | Failed | None:
    return TwoReaders(host, ThreadReader(host)).read(thread)  # type: ignore[arg-type]


def test_the_pair_of_which_both_are_unsure_comes_with_a_line_beside_it(host: Saying) -> None:
    both = read(host, KEY)
    assert isinstance(both, UnsureThread) and both.sure > 0.8
    assert both.answer.kind == "disagreement" and both.answer.members == tuple(claim.id for claim in KEY)


def test_a_pair_that_is_outdated_is_stale(host: Saying) -> None:
    host.alarms = {ENDS: OUTDATED}
    both = read(host, KEY)
    assert isinstance(both, UnsureThread) and both.answer.kind == "stale"


def test_a_change_told_in_words_between_two_makes_a_reversal(host: Saying) -> None:
    thread = claims(
        says("Our API is REST.", "API", "2025-01-05"),
        says("Our API moved from REST to GraphQL.", "Change", "2025-03-05"),
        says("Partners call the REST API.", "Partners", "2025-09-05"),
    )
    host.alarms = {frozenset(("Change", "Partners")): CONFLICT}
    host.otherwise = 0.9
    both = read(host, thread)
    assert isinstance(both, UnsureThread) and both.answer.kind == "reversal"


def test_a_thread_that_the_model_is_sure_of_never_comes_before_the_judge(host: Saying) -> None:
    host.unsure = {ALL: 0.04}
    assert read(host, KEY) is None
    assert host.judged == [] and len(host.read) == 1


def test_one_the_model_says_neither_of_is_none(host: Saying) -> None:
    host.unsure = {ALL: None}
    assert read(host, KEY) is None and host.judged == []


def test_the_judge_hears_every_two_lines_and_what_alarms_it_in_four_ways(host: Saying) -> None:
    read(host, KEY)
    pairs = {frozenset(side.rpartition(" | ")[2] for side in pair) for pair in host.judged}
    assert len(pairs) == 3 and len(host.judged) == 4 * 3


def test_what_nobody_dated_is_no_part_of_a_story(host: Saying) -> None:
    undated = claims(*(says(claim.statement.text, claim.note) for claim in KEY))
    assert read(host, undated) is None and host.read == []
    read(host, [KEY[0], *undated[1:]])
    assert host.read == []


def test_of_a_longer_thread_than_can_be_read_the_newest_lines_are(host: Saying) -> None:
    many = claims(*(says(f"The hut {n} is green.", f"N{n}", f"2025-01-{n + 1:02}") for n in range(20)))
    read(host, many)
    ((*lines,),) = host.read
    assert len(lines) == 12 and "hut 19" in lines[-1]


@pytest.mark.parametrize("fails", ["whole", "pair", "judge", "embedder"])
def test_whichever_goes_away_the_thread_is_left_for_later(host: Saying, fails: str) -> None:
    if fails == "whole":
        host.unsure = {ALL: GONE}
    elif fails == "pair":
        host.unsure = {ALL: 0.8, ENDS: GONE}
    elif fails == "judge":
        host.judging = GONE
    else:
        host.embedding = GONE
    assert read(host, KEY) == GONE


def test_a_judge_that_goes_away_in_the_middle_leaves_it_for_later_too(host: Saying) -> None:
    host.broken_rows = {1: GONE}
    assert read(host, KEY) == GONE


def test_so_does_an_embedder_and_one_that_cannot_read_a_line_costs_only_that(host: Saying) -> None:
    host.broken_texts = {0: GONE}
    assert read(host, KEY) == GONE
    host.broken_texts = {0: Failed("refused", "too long")}
    assert isinstance(read(host, KEY), UnsureThread)


def test_a_pair_that_the_judge_cannot_read_is_no_alarm(host: Saying) -> None:
    host.broken_rows = {0: Failed("crashed", "set aside"), 1: Failed("crashed", "set aside")}
    assert read(host, KEY) is None


def test_answers_are_kept_under_both_names(host: Saying, tmp_path: Path) -> None:
    model = ThreadReader(host)  # type: ignore[arg-type]
    name = TwoReaders(host, model).reader  # type: ignore[arg-type]
    assert name.startswith(model.reader) and name != model.reader
