"""The member to mark before the person decides, for one conflict of a store."""

from __future__ import annotations

from collections.abc import Sequence

from app.store.store import Store
from app.strategies.decide import Suggestion, suggestion
from app.strategies.rules import Rule
from app.strategies.settle import proposal, seen
from app.words import Conflict


def suggest(store: Store, conflict: Conflict, rules: Sequence[Rule]) -> Suggestion | None:
    """By the rule that holds for the conflict, or what the person's resolver proposed; None when settled."""
    if conflict.status != "open":
        return None
    for _, given, rule in seen(store, [conflict], rules):
        return suggestion(given, rule, proposal(store.ledger.history(conflict.id)))
    return None
