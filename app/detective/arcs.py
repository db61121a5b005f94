"""The arc reader: everything the detective finds without a model, over the threads of an index."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from app.detective.heard import Hearing
from app.detective.limits import rival_rates
from app.detective.merge import merged
from app.detective.returns import returns
from app.detective.turns import turns
from app.detective.versions import outdated_versions
from app.guard.candidates import ClaimIndex
from app.words import Finding

_HEARD: WeakKeyDictionary[ClaimIndex, Hearing] = WeakKeyDictionary()
"""Words are looked up once for a claim; an index that is kept between runs keeps them too."""


def findings(index: ClaimIndex, touched: Iterable[str] | None = None) -> list[Finding]:
    """Reversals and outdated claims, of which at least one member was touched (default: all)."""
    ids = None if touched is None else frozenset(touched)
    hearing = _HEARD.setdefault(index, Hearing())
    hearing.follow(index.claims)
    found = merged([turns(index, ids), returns(hearing), outdated_versions(hearing), rival_rates(hearing)])
    return [f for f in found if ids is None or ids.intersection(f.members)]
