"""Would two claims of a vault meet at all: by one slot, one subject, shared words, or by meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import same_subject
from app.detection.norm_entry import Entry, saying
from app.detection.norm_sentence import clipped
from app.detection.pair_gates import worth_judging
from app.detection.same_thing import one_slot
from app.detection.slots import one_named_slot
from app.reading.tokens import stem, words
from app.words import Claim, Reason

STAGE = "candidates"
FLOOR = 0.25
"""Less near than this, two statements have nothing to do with each other."""
Tie = Literal["same slot", "same subject", "shared words"]
_TIES: tuple[Tie, ...] = ("same slot", "same subject", "shared words")
"""The closest first."""


def meeting(a: Claim, b: Claim, cosine: float | None = None) -> Reason:
    """How the two would come to be compared; `cosine` says how near they are, where an embedder tells."""
    return by_words(a, b) or by_meaning(a, b, cosine)


def by_words(a: Claim, b: Claim) -> Reason | None:
    """How the rules would find the one from the other: the closest tie of all their norms."""
    ties = [(_tie(x, y), x, y) for x, y in _met(a, b)]
    if not ties:
        return None
    tie, x, y = min(ties, key=lambda one: _TIES.index(one[0]))
    return Reason(STAGE, tie, "MED" if tie == "shared words" else "HIGH", _told(tie, x, y))


def by_meaning(a: Claim, b: Claim, cosine: float | None) -> Reason:
    """What brings the two before the judge, though no word of their subjects does."""
    if not weighable(a, b):
        return Reason(STAGE, "apart", "HIGH", "no subject ties them, and there is nothing to weigh")
    if cosine is None:
        return Reason(STAGE, "unknown", "LOW", "no subject ties them; how near they are, no embedder told")
    if cosine < FLOOR:
        return Reason(STAGE, "apart", "HIGH", f"too far apart in meaning: cosine {cosine:.2f} of {FLOOR}")
    return Reason(STAGE, "near", "MED", f"by meaning, cosine {cosine:.2f}, unless others are nearer")


def weighable(a: Claim, b: Claim) -> bool:
    """Could the judge be asked about the two? Not about one text twice, nor about what claims nothing."""
    same = a.statement.text.casefold() == b.statement.text.casefold()
    return not same and worth_judging(a) and worth_judging(b)


def _met(a: Claim, b: Claim) -> Iterator[tuple[Entry, Entry]]:
    """The norms that find each other in an index of just these two; either may be the one that looks."""
    index = ClaimIndex((a, b))
    found_by = {y: index.candidates(y) for y in index.entries_of(b.id)}
    for x in index.entries_of(a.id):
        finds = index.candidates(x)
        yield from ((x, y) for y, finders in found_by.items() if y in finds or x in finders)


def _tie(x: Entry, y: Entry) -> Tie:
    if one_slot(x, y) or one_named_slot(x, y):
        return "same slot"
    return "same subject" if same_subject(x, y) else "shared words"


def _told(tie: Tie, x: Entry, y: Entry) -> str:
    if tie == "same slot":
        slot = x.filled or y.filled
        return f"their notes name one slot, {clipped(slot.name)}" if slot else "their notes name one slot"
    if tie == "shared words":
        return f"both name {', '.join(_shared(x, y))}"
    left, right = clipped(x.norm.subject), clipped(y.norm.subject)
    if left.casefold() == right.casefold():
        return f"both are about “{left}”"
    return f"“{left}” and “{right}” are one thing"


def _shared(x: Entry, y: Entry) -> list[str]:
    """The words that both have in what they are about, or say as a whole, as the first one writes them."""
    stems = x.subject & y.subject or x.called & y.called or saying(x) & saying(y)
    spoken = words(f"{x.norm.subject} {x.norm.value or ''}")
    return list(dict.fromkeys(word for word in spoken if stem(word) in stems)) or sorted(stems)
