"""What the norms of two claims say of each other."""

from __future__ import annotations

from app.detection.evidence import Structure
from app.guard.pair_gates import closed, settled_by_structure
from app.words import Claim


def structure(a: Claim, b: Claim, contradicts: bool) -> Structure:
    """a is the older. `contradicts`: their norms were compared, and a finding was made of it."""
    shut = closed(a, b)
    return Structure(contradicts, settled_by_structure(a, b) is not None, shut[0] if shut else "")
