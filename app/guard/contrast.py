"""Do two statements differ in something one can point at? Only then does a judge's word count in a vault."""

from __future__ import annotations

import re
from typing import Literal

from app.normalize.quantities import Quantity, quantities, relate

Contrast = Literal["values", "polarity", "same value", "none"]
_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|nor|neither|without|cannot)\b|n['’]t\b", re.I)


def contrast(a: str, b: str) -> Contrast:
    """Other values of one kind, one of the two denied, one value in common, or nothing of that."""
    valued = _valued(quantities(a), quantities(b))
    if valued == "values":
        return "values"
    if bool(_NEGATION.search(a)) != bool(_NEGATION.search(b)):
        return "polarity"
    return valued


def _valued(left: tuple[Quantity, ...], right: tuple[Quantity, ...]) -> Contrast:
    met = [relate(x, y) for x in left for y in right if _kind(x) == _kind(y)]
    if not met:
        return "none"
    return "values" if all(relation == "differ" for relation in met) else "same value"


def _kind(q: Quantity) -> str:
    return "clock" if q.dimension == "clock12" else q.dimension
