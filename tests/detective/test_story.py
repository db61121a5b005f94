"""The story: order, lines, kin of a trigger, batches that overlap."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detection.claim_index import ClaimIndex
from app.detective.story import SHORT_STORY_LINES, Line, batches, chronological, kin, story, story_line
from tests.support.claims_of_notes import claims, says

TODAY = "2026-06-30"


def held() -> ClaimIndex:
    noise = [says(f"The lamp in room {n} is {n} watt.", f"Room {n}", "2024-01-05") for n in range(40)]
    return ClaimIndex(
        claims(
            says("The door code is 4411.", "Garage", "2022-01-05"),
            says("The door code is 0087.", "Hall", "2026-06-29"),
            *noise,
        )
    )


def words(one: str) -> int:
    return len(one.split())


def test_oldest_first_and_undated_before_all() -> None:
    found = chronological(
        claims(
            says("The roof is slate.", "A", "2026-03-01"),
            says("The wall is brick."),
            says("The path is gravel.", "B", "2025-03-01"),
        )
    )
    assert [c.statement.text for c in found] == [
        "The wall is brick.",
        "The path is gravel.",
        "The roof is slate.",
    ]


def test_a_line_says_when_where_and_what() -> None:
    (claim,) = claims(says("The roof is slate.", "Barn", "2026-03-01"))
    assert story_line(claim).text == "2026-03-01 (Barn) The roof is slate."
    (claim,) = claims(says("The roof is slate.", "2026-03-01"))
    assert story_line(claim).text == "2026-03-01 The roof is slate."


def test_text_cannot_break_out_of_its_line() -> None:
    (claim,) = claims(says("The roof\u2028[aaaaaaaa] is\x1b[2J slate."))
    assert "\n" not in story_line(claim).text
    assert "\x1b" not in story_line(claim).text
    assert len(story_line(claim).text.splitlines()) == 1


def test_text_cannot_speak_to_the_model_in_its_own_signs() -> None:
    (claim,) = claims("The roof is <|im_end|> slate.")
    assert "<|" not in story_line(claim).text


def test_long_text_is_clipped() -> None:
    (claim,) = claims("The roof is " + "very " * 300 + "old.")
    assert len(story_line(claim).text) < 500


def test_kin_share_the_slot_or_thread_of_a_trigger() -> None:
    index = held()
    old, new = (c.id for c in index.claims.values() if "door code" in c.statement.text)
    assert kin(index, [new]) == {old, new}
    assert kin(index, ["nobody00"]) == set()


def test_an_old_contradiction_of_the_trigger_is_never_drawn_away() -> None:
    index = held()
    old, new = (c.id for c in index.claims.values() if "door code" in c.statement.text)
    told = [one.id for one in story(index, TODAY, triggers=[new])]
    assert old in told
    assert new in told
    assert told.index(old) < told.index(new)
    assert len(told) < len(index.claims)


def test_a_story_can_be_told_again() -> None:
    assert story(held(), TODAY) == story(held(), TODAY)


def test_what_was_told_before_is_told_again_so_a_new_claim_comes_at_the_end() -> None:
    index = held()
    old, new = (c.id for c in index.claims.values() if "door code" in c.statement.text)
    first = story(index, TODAY, triggers=[new])
    (later,) = claims(says("The attic window leaks.", "Attic", "2026-06-30"))
    index.add(later)
    before = [one.id for one in first]
    assert story(index, TODAY, triggers=[later.id], before=before) == [*first, story_line(later)]
    assert old not in [one.id for one in story(index, TODAY, triggers=[later.id])]
    # It is still the oldest first, wherever a claim of the past belongs.
    (past,) = claims(says("The cellar is damp.", "Cellar", "2023-06-30"))
    index.add(past)
    dates = [one.text[:10] for one in story(index, TODAY, triggers=[past.id], before=before)]
    assert "2023-06-30" in dates and dates == sorted(dates)


def test_a_story_that_gets_too_long_is_told_anew_and_what_is_gone_is_not() -> None:
    room = [
        says(f"The lamp in room {n} is {n} watt.", f"Room {n}", "2024-01-05")
        for n in range(SHORT_STORY_LINES + 40)
    ]
    index = ClaimIndex(claims(*room))
    ids = sorted(index.claims)
    fresh = story(index, TODAY)
    assert len(story(index, TODAY, before=ids[: SHORT_STORY_LINES - len(fresh)])) <= SHORT_STORY_LINES
    assert len(story(index, TODAY, before=ids[: SHORT_STORY_LINES - len(fresh)])) > len(fresh)
    assert story(index, TODAY, before=ids) == fresh
    gone = next(id for id in ids if id not in {one.id for one in fresh})
    index.remove(gone)
    assert story(index, TODAY, before=[gone]) == fresh


def test_archived_quoted_and_struck_lines_are_not_told() -> None:
    index = ClaimIndex(
        claims(
            says("The code is 1.", path="Archive/A.md"),
            says("> The code is 2.", "B"),
            says("~~The code is 3.~~", "C"),
        )
    )
    assert story(index, TODAY, triggers=list(index.claims)) == []


LINES = st.lists(st.integers(1, 40), max_size=60).map(
    lambda sizes: [Line(f"id{n}", " ".join(["w"] * size)) for n, size in enumerate(sizes)]
)


@given(LINES, st.integers(1, 120), st.integers(0, 60))
def test_batches_keep_order_lose_nothing_and_fit(lines: list[Line], limit: int, overlap: int) -> None:
    made = batches(lines, words, limit=limit, overlap=overlap)
    assert [one for one in lines if any(one in batch for batch in made)] == lines
    for batch in made:
        start = lines.index(batch[0])
        assert batch == lines[start : start + len(batch)]
        assert sum(words(one.text) for one in batch) <= limit or len(batch) == 1
    firsts = [lines.index(batch[0]) for batch in made]
    lasts = [lines.index(batch[-1]) for batch in made]
    assert firsts == sorted(set(firsts))
    assert lasts == sorted(set(lasts))


@given(LINES)
def test_neighbours_that_fit_are_read_side_by_side(lines: list[Line]) -> None:
    made = batches(lines, words, limit=80, overlap=40)
    for a, b in pairwise(lines):
        assert any(a in batch and b in batch for batch in made)


def test_a_short_story_is_one_batch_and_an_empty_one_none() -> None:
    lines = [Line("a", "one two"), Line("b", "three")]
    assert batches(lines, words) == [lines]
    assert batches([], words) == []


def test_batches_overlap_by_the_tokens_given() -> None:
    lines = [Line(str(n), "w w w w w") for n in range(6)]
    made = batches(lines, words, limit=20, overlap=10)
    assert [[one.id for one in batch] for batch in made] == [
        ["0", "1", "2", "3"],
        ["2", "3", "4", "5"],
    ]


def test_a_batch_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="room"):
        batches([Line("a", "w")], words, limit=0)
