"""Trust as the ledger of a store teaches it."""

from __future__ import annotations

from app.store.store import Store
from app.strategies.trust import Trust, Verdict, learn, sources


def learned(store: Store) -> Trust:
    """From every verdict of the person that still stands; sources are where the claims stand today."""
    kept = store.ledger.verdicts()
    if not kept:
        return Trust()
    ids = {id for verdict in kept for id in (verdict.winner, *verdict.losers)}
    claims = {claim.id: claim for claim in store.claims.all(ids=ids)}
    tags = store.notes.tags({claim.statement.path for claim in claims.values()})
    known = {id: sources(claim, tags.get(claim.statement.path, ())) for id, claim in claims.items()}
    return learn(
        (
            Verdict(
                one.seq, one.topic, known[one.winner], tuple(known[id] for id in one.losers if id in known)
            )
            for one in kept
            if one.winner in known
        ),
        store.ledger.trust_resets(),
    )
