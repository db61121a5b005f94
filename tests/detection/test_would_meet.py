"""Would two claims of a vault meet at all, and by what."""

from __future__ import annotations

import pytest
from hypothesis import given

from app.detection.claim_index import ClaimIndex
from app.detection.would_meet import FLOOR, by_meaning, by_words, meeting, weighable
from app.words import Claim
from tests.support.claims_of_notes import Said, claims, guard, says
from tests.support.grammar import PAIRS


def two(a: Said | str, b: Said | str) -> tuple[Claim, Claim]:
    x, y = claims(a, b)
    return x, y


def told(a: Said | str, b: Said | str) -> tuple[str, str, str]:
    reason = meeting(*two(a, b))
    assert reason.stage == "candidates"
    return reason.verdict, reason.confidence, reason.detail


def decision(text: str, title: str) -> Said:
    return says(text, title, type="decision", decision_target="lens mount", decision_field="material")


SLOT = (decision("The material is brass.", "D-12"), decision("The choice is steel.", "D-31"))
FAR = ("Backups go to the tape in the cellar.", "Since the flood everything lands in the cloud.")


def test_notes_that_name_one_slot_meet_by_it() -> None:
    held = [claim for claim in claims(*SLOT) if claim.statement.form == "sentence"]
    reason = meeting(held[0], held[1])
    assert (reason.verdict, reason.confidence) == ("same slot", "HIGH")
    assert reason.detail == "their notes name one slot, lens mount material"


def test_one_subject_in_the_same_words_and_in_others() -> None:
    assert told("The door code is 4411.", "The door code is 0087.") == (
        "same subject",
        "HIGH",
        "both are about “door code”",
    )
    assert told("Never deploy on Fridays.", "Friday deploys are fine.") == (
        "same subject",
        "HIGH",
        "“deploy on Fridays” and “Friday deploys” are one thing",
    )


def test_words_in_common_bring_two_together_though_they_are_two_things() -> None:
    assert told("The pump pressure is 2.4 bar.", "The pump is green.") == (
        "shared words",
        "MED",
        "both name pump",
    )


def test_without_a_common_word_only_meaning_can_tell() -> None:
    a, b = two(*FAR)
    assert by_words(a, b) is None and weighable(a, b)
    assert meeting(a, b).verdict == "unknown" and meeting(a, b).confidence == "LOW"
    near, far = meeting(a, b, FLOOR), meeting(a, b, FLOOR - 0.01)
    assert (near.verdict, near.detail) == ("near", "by meaning, cosine 0.25, unless others are nearer")
    assert (far.verdict, far.detail) == ("apart", "too far apart in meaning: cosine 0.24 of 0.25")


def test_a_common_word_counts_however_far_apart_they_mean() -> None:
    a, b = two("The door code is 4411.", "The door code is 0087.")
    assert meeting(a, b, -1.0) == meeting(a, b) == by_words(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Backups go to the tape in the cellar.", "BACKUPS go to the tape in the cellar."),
        ("Backups go to the tape in the cellar.", "Should everything land in the cloud?"),
        ("Backups go to the tape in the cellar.", "- [ ] let everything land in the cloud"),
        ("Backups go to the tape in the cellar.", "> Since the flood everything lands in the cloud."),
        ("Backups go to the tape in the cellar.", "Yes."),
    ],
)
def test_of_what_claims_nothing_and_of_one_text_twice_there_is_nothing_to_weigh(a: str, b: str) -> None:
    x, y = two(says(a, "Tapes"), says(b, "Cloud"))
    assert not weighable(x, y) and not weighable(y, x)
    assert by_meaning(x, y, 0.99).verdict == "apart"


@given(PAIRS)
def test_whatever_the_guard_finds_has_met_from_either_side(told: list[Said]) -> None:
    held = claims(*told)
    by_id = {claim.id: claim for claim in held}
    for found in guard(held):
        a, b = (by_id[member] for member in found.members)
        assert by_words(a, b) is not None
        assert getattr(by_words(b, a), "verdict", None) == getattr(by_words(a, b), "verdict", None)


@given(PAIRS)
def test_meeting_agrees_with_the_index(told: list[Said]) -> None:
    a, b, *_ = claims(*told, says("The meadow is mown.", "Meadow"), says("Bees sleep.", "Bees"))
    index = ClaimIndex((a, b))
    found = any(index.candidates(e) for id in (a.id, b.id) for e in index.entries_of(id))
    assert (by_words(a, b) is not None) == found
