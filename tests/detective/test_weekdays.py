"""Moved to another weekday, and later spoken of on the old one."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from app.detection.claim_index import ClaimIndex
from app.detective import arcs
from tests.support.claims_of_notes import Said, claims, detect, says, shown

FIRST = says("choir rehearsal is Mondays at seven", "Choir", "2025-01-05")
CHANGE = says("rehearsal moved from Mon to Thu, the hall is let", "Choir", "2025-03-05")
BACK = says("sitter needed: rehearsal on Monday evenings", "Sitters", "2025-09-05")


def kinds(*notes: Said) -> list[str]:
    return [f.kind for f in detect(claims(*notes))]


def later(text: str, day: str = "2025-09-05", title: str = "Sitters") -> Said:
    return says(text, title, day)


def test_the_old_day_again_is_a_reversal() -> None:
    held = claims(FIRST, CHANGE, BACK)
    assert shown(held, detect(held)) == [("reversal", [FIRST.body, CHANGE.body, BACK.body])]


def test_two_days_side_by_side_are_a_change_too() -> None:
    change = says("rehearsal moved Mon to Thu for good", "Choir", "2025-03-05")
    assert kinds(FIRST, change, BACK) == ["reversal"]


def test_in_a_plan_of_the_week_each_part_stands_for_itself() -> None:
    assert kinds(FIRST, CHANGE, later("mon rehearsal, tue gym, fri nothing", title="Week")) == ["reversal"]
    assert kinds(FIRST, CHANGE, later("mon laundry, tue rehearsal, fri nothing", title="Week")) == []


@pytest.mark.parametrize(
    "text",
    [
        "rehearsal on Monday was cancelled",
        "extra rehearsal this Monday evening",
        "rehearsal only on Monday in Advent",
        "rehearsal is no longer on Mondays",
        "the rehearsal used to be on Mondays",
        "rehearsal on Monday or Thursday evenings",
        "is the rehearsal on Monday?",
        "maybe rehearsal on Monday",
        "yoga on Monday evenings",
        "Mon: loud rehearsal, then pizza",
    ],
)
def test_single_days_looks_back_and_other_things_are_no_return(text: str) -> None:
    assert kinds(FIRST, CHANGE, later(text)) == []


def test_loose_ends_are_no_return() -> None:
    assert kinds(FIRST, CHANGE, later(BACK.body, "2025-03-12")) == []


def test_a_change_for_a_while_or_the_other_way_is_none() -> None:
    for text in ("rehearsal moved from Mon to Thu for the summer", "rehearsal moved from Thu to Mon"):
        assert kinds(FIRST, says(text, "Choir", "2025-03-05"), BACK) == []


def test_only_in_its_own_note_a_change_need_not_name_the_old_day() -> None:
    held = claims(FIRST, says("rehearsal moved to Thursdays", "Band", "2025-03-05"), BACK)
    assert detect(held) == []
    at_home = replace(held[1].statement, path=held[0].statement.path, line=9, end_line=9)
    held[1] = replace(held[1], statement=at_home, note=held[0].note)
    assert [f.kind for f in detect(held)] == ["reversal"]


@pytest.mark.parametrize(
    "text", ["rehearsal back on Mondays", "Mondays again for the rehearsal", "rehearsal: undid the Thu move"]
)
def test_a_return_told_in_words_settles_it(text: str) -> None:
    assert kinds(FIRST, CHANGE, says(text, "Choir log", "2025-06-05"), BACK) == []


def test_the_newest_word_may_be_the_new_day() -> None:
    assert kinds(FIRST, CHANGE, BACK, says("rehearsal on Thu, bring the Bach", "Log", "2025-11-05")) == []


def test_the_order_in_which_notes_arrive_makes_no_difference() -> None:
    for told in (
        (FIRST, CHANGE, BACK),
        (FIRST, CHANGE, BACK, later("rehearsal back on Mondays", "2025-06-05")),
    ):
        held = claims(*told)
        for one in permutations(held):
            index = ClaimIndex()
            for claim in one:
                index.add(claim)
                arcs.findings(index)
            assert arcs.findings(index) == detect(held)


def test_what_the_whole_vault_speaks_of_does_not_lead_from_line_to_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Among thousands of lines about rehearsals, the rarer words of a change tell which one it is."""
    monkeypatch.setattr("app.detective.weekdays.COMMON", 3)
    many = [says(f"rehearsal {n} is Fridays", f"Hall {n}", "2025-01-02") for n in range(5)]
    first = says("tenor rehearsal is Mondays at seven", "Choir", "2025-01-05")
    change = says("tenor rehearsal moved from Mon to Thu", "Choir", "2025-03-05")
    back = says("sitter needed: tenor rehearsal on Monday evenings", "Sitters", "2025-09-05")
    assert kinds(first, change, back, *many) == ["reversal"]
    assert kinds(FIRST, BARE, BACK, *many) == ["reversal"], "the rarest word is better than none"
    other = says("sitter needed: alto rehearsal on Monday evenings", "Sitters", "2025-09-05")
    assert kinds(first, change, other, *many) == []


BARE = says("rehearsal moved from Mon to Thu", "Choir", "2025-03-05")


def test_a_word_that_becomes_common_meanwhile_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.detective.weekdays.COMMON", 4)
    held = claims(
        FIRST, BARE, BACK, *(says(f"rehearsal {n} is Fridays", f"Hall {n}", "2025-01-02") for n in range(6))
    )
    whole = arcs.findings(ClaimIndex(held))
    index = ClaimIndex()
    for claim in held:
        index.add(claim)
        arcs.findings(index)
    assert arcs.findings(index) == whole
    for claim in held[3:]:
        index.remove(claim.id)
        assert [f.kind for f in arcs.findings(index)] == ["reversal"]
