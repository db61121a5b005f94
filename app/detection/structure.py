"""What the norms of two claims say of each other."""

from __future__ import annotations

from app.detection.evidence import Structure
from app.detection.pair_gates import closed, settled_by_structure
from app.words import Claim

_SEVERAL = "coexist"


def structure(a: Claim, b: Claim, contradicts: bool) -> Structure:
    """a is the older. `contradicts`: their norms were compared, and a finding was made of it."""
    shut = closed(a, b)
    agreed = settled_by_structure(a, b)
    # "Also" says in words that there are several.
    several = agreed is not None and agreed[0] == _SEVERAL
    gate = shut[0] if shut else _SEVERAL if several else ""
    return Structure(contradicts, agreed is not None, gate)
