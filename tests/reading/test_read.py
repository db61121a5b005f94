"""Which claims can be compared at all, and what their surroundings lend them."""

from __future__ import annotations

import pytest

from app.reading.frame import Reading
from app.reading.read import comparable
from app.reading.reader import ClaimReader
from app.words import Claim
from tests.support.claims_of_notes import Said, claims, says


def read(note: Said | str) -> tuple[Claim, Reading]:
    (claim,) = claims(note)
    return claim, ClaimReader().read([claim])[claim.id]


@pytest.mark.parametrize(
    "text", ["The spare key hangs in the shed.", "alarm code: 7720", "Parking: no", "MOT due on 14 September"]
)
def test_what_says_something_of_something_is_comparable(text: str) -> None:
    assert comparable(*read(says(text, "House")))


@pytest.mark.parametrize(
    "text",
    [
        "> The spare key hangs in the shed.",
        "~~The spare key hangs in the shed.~~",
        "**Home**: [[House]] · [[Garden]] · [[Mum]] · [[Rye bread]]",
        "[[House]] [[Garden]]",
    ],
)
def test_quotations_struck_lines_and_lists_of_links_are_not(text: str) -> None:
    assert not comparable(*read(says(text, "Index")))


def test_a_link_inside_a_sentence_is_part_of_it() -> None:
    assert comparable(*read("The key of [[House]] hangs in [[Shed]] behind the door on a red hook."))


def test_a_key_is_what_its_value_is_about() -> None:
    _, reading = read(says("Alarm code: 7720", "House"))
    (frame,) = reading.frames
    assert {word.lemma for word in frame.words if word.role == "subject"} == {"alarm", "code"}
    assert [amount.text for amount in frame.amounts] == ["7720"]


def test_a_title_lends_its_words_unless_it_is_a_date() -> None:
    assert {word.lemma for word in read(says("Service every May", "Boiler"))[1].title} == {"boiler"}
    assert read(says("Service every May", "2026-03-04"))[1].title == ()


def test_what_was_read_once_comes_from_the_cache() -> None:
    kept: dict[str, tuple[str, str]] = {}

    class Cache:
        def get(self, ids: object) -> dict[str, tuple[str, str]]:
            return dict(kept)

        def put(self, rows: dict[str, tuple[str, str]]) -> None:
            kept.update(rows)

    (claim,) = claims("The fee is 20 euros and must be paid in May.")
    first = ClaimReader(Cache()).read([claim])  # type: ignore[arg-type]
    assert set(kept) == {claim.id}
    assert ClaimReader(Cache()).read([claim]) == first  # type: ignore[arg-type]
    kept[claim.id] = (kept[claim.id][0], "broken")
    assert ClaimReader(Cache()).read([claim]) == first  # type: ignore[arg-type]
