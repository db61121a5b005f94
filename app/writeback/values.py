"""Which value of the losing claim stands against which of the winner, as both are written."""

from __future__ import annotations

from app.words import Claim, Norm
from app.writeback.edits import CannotWrite
from app.writeback.sentence import words


def disputed_value(loser: Claim, winner: Claim) -> str | None:
    """The value the two disagree about, if there is a telling."""
    found = {old for old, _ in _pairs(loser, winner)}
    if not found:
        found = {norm.value for norm in loser.norms if norm.value}
    return found.pop() if len(found) == 1 else None


def exchange(loser: Claim, winner: Claim) -> tuple[str, str]:
    """The old and the new value in the letters of their notes."""
    old, new = _pair(loser, winner)
    return _as_written(loser, old), _as_written(winner, new)


def _pair(loser: Claim, winner: Claim) -> tuple[str, str]:
    found = _pairs(loser, winner)
    if not found:
        raise CannotWrite("One of the two gives no value that could take the other's place.")
    if len(found) != 1:
        raise CannotWrite("It is not clear which value should take the place of which.")
    old, new = found.pop()
    if old.casefold() == new.casefold():
        raise CannotWrite("Both give the same value.")
    return old, new


def _pairs(loser: Claim, winner: Claim) -> set[tuple[str, str]]:
    """The values of the norms whose subjects share most words; of the only two there are in any case."""
    scored = [
        (_alike(a, b), a.value, b.value) for a in loser.norms for b in winner.norms if a.value and b.value
    ]
    best = max((score for score, _, _ in scored), default=0)
    return {(old, new) for score, old, new in scored if score == best and (score or len(scored) == 1)}


def _alike(a: Norm, b: Norm) -> int:
    return len(set(a.subject.casefold().split()) & set(b.subject.casefold().split()))


def _as_written(claim: Claim, value: str) -> str:
    text = claim.statement.text
    found = words(value).search(text)
    if found is None:
        # Norms fold case; the note need not.
        found = words(value.casefold()).search(text.casefold()) if len(text.casefold()) == len(text) else None
    if found is None:
        raise CannotWrite(f"The value {value} does not stand in {claim.statement.path} as it is written.")
    return text[found.start() : found.end()]
