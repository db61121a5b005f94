"""Whether the first word of a line is a name, all lines tell together, in whatever order they arrive."""

from __future__ import annotations

from itertools import permutations

from app.detection.claim_index import ClaimIndex
from app.detective import arcs
from app.detective.mentions import MentionIndex
from app.words import Claim
from tests.support.claims_of_notes import claims, detect, says

FIRST = says("Vorwerk delivers the vegetable box.", "Kitchen", "2025-01-05")
CHANGE = says("Vorwerk is out, Landkorb is in for the vegetable box.", "Kitchen log", "2025-03-05")
BACK = says("Vorwerk brings the vegetable box to the side door.", "Guests", "2025-09-05")
AS_NAME = says("Rang the office of Vorwerk.", "Calls", "2025-01-20")
IN_SMALL = says("The vorwerk of the castle has a bakery.", "Trip", "2025-01-25")


def names(held: list[Claim], of: str) -> frozenset[str]:
    mentions = MentionIndex()
    moved = mentions.follow({claim.id: claim for claim in held}, [claim.id for claim in held])
    (mention,) = (mention for mention in moved.came if mention.text == of)
    return mention.names


def test_a_capital_at_the_beginning_proves_nothing_by_itself() -> None:
    assert names(claims(FIRST), FIRST.body) == frozenset()
    assert detect(claims(FIRST, CHANGE, BACK)) == []


def test_a_first_word_is_a_name_where_another_line_writes_it_as_one() -> None:
    assert names(claims(FIRST, AS_NAME), FIRST.body) == {"vorwerk"}
    assert [f.kind for f in detect(claims(FIRST, CHANGE, BACK, AS_NAME))] == ["reversal"]


def test_a_word_that_is_also_written_small_is_no_name() -> None:
    assert names(claims(FIRST, AS_NAME, IN_SMALL), FIRST.body) == frozenset()


def test_the_order_in_which_notes_arrive_makes_no_difference() -> None:
    held = claims(FIRST, CHANGE, BACK, AS_NAME)
    wanted = detect(held)
    for one in permutations(held):
        index = ClaimIndex()
        for claim in one:
            index.add(claim)
            arcs.findings(index)
        assert arcs.findings(index) == wanted


def test_it_follows_what_comes_and_goes() -> None:
    held = claims(FIRST, CHANGE, BACK, AS_NAME, IN_SMALL)
    index = ClaimIndex(held[:4])
    assert len(arcs.findings(index)) == 1
    index.add(held[4])
    assert arcs.findings(index) == []
    index.remove(held[4].id)
    assert len(arcs.findings(index)) == 1
    index.remove(held[3].id)
    assert arcs.findings(index) == []
