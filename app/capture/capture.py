"""Capture from end to end: bring the store up to date, judge, write the inbox, read it, put it on record."""

from __future__ import annotations

from app.capture.inbox import as_line, check_place, with_line
from app.capture.reading import already_there, check_forgotten, new_claims
from app.capture.weigh import weigh
from app.capture.words import CaptureError, InboxChanged, Outcome, Verdict, Wanted
from app.capture.write import read_inbox, write_inbox
from app.index.pipeline import Pipeline
from app.store.ledger import Capture
from app.store.rows import SHOWN
from app.store.store import Store
from app.words import Claim

_TRIES = 5
_ACTIONS: dict[str, Capture] = {"remember": "remembered", "learn": "learned", "ingest": "ingested"}


def capture(wanted: Wanted, pipeline: Pipeline, inbox: str, today: str) -> Outcome:
    """Store the statement, or say what stands against it.

    `inbox` is a path inside the vault, `today` the date the statement gets. The pipeline runs first, so
    that the statement is judged by what the notes say now, and again afterwards.
    """
    line = as_line(wanted)
    check_place(inbox, pipeline.settings)
    check_forgotten(line, pipeline.store, pipeline.settings, inbox)
    for _ in range(_TRIES):
        pipeline.run()
        _check_replaced(wanted, pipeline.store)
        before = read_inbox(pipeline.root, inbox, pipeline.settings.max_bytes)
        after = with_line(inbox, before, line, today, pipeline.settings)
        new = new_claims(pipeline.store, pipeline.settings, inbox, after)
        if not new:
            raise CaptureError("There is no claim in this text.")
        known = already_there(wanted, pipeline.store.claims_of(inbox), new)
        if known:
            return _already(wanted, pipeline, known)
        verdict = _weigh(wanted, pipeline.store, new)
        if verdict.tier == "block" and wanted.exception is None:
            return Outcome("blocked", new, verdict)
        try:
            write_inbox(pipeline.root, inbox, before, after, pipeline.settings.max_bytes)
        except InboxChanged:
            continue
        return _keep(wanted, pipeline, inbox, new, verdict)
    raise CaptureError(f"{inbox} keeps being changed by another program; nothing was stored.")


def _check_replaced(wanted: Wanted, store: Store) -> None:
    for id in wanted.superseded:
        old = store.claim(id)
        if old is None:
            raise CaptureError(f"There is no claim {id}.")
        if old.status != "active":
            raise CaptureError(f"{old.id} is {old.status}; only an active claim can be superseded.")


def _already(wanted: Wanted, pipeline: Pipeline, known: tuple[Claim, ...]) -> Outcome:
    if wanted.replaces is None:
        return Outcome("known", known)
    if same := {claim.id for claim in known}.intersection(wanted.superseded):
        raise CaptureError(f"{min(same)} says exactly this; it cannot supersede itself.")
    return Outcome("stored", known, event=_supersede(wanted, pipeline, known))


def _weigh(wanted: Wanted, store: Store, new: tuple[Claim, ...]) -> Verdict:
    if wanted.verb == "ingest":
        return Verdict()
    held = (claim for claim in store.claims("active") if claim.id not in wanted.superseded)
    return weigh(held, new, settled=store.settled_pairs())


def _keep(
    wanted: Wanted, pipeline: Pipeline, inbox: str, new: tuple[Claim, ...], verdict: Verdict
) -> Outcome:
    """The line is in the inbox: from here on only the record is missing."""
    store = pipeline.store
    pipeline.run({inbox})
    found = {claim.id: claim for claim in store.claims(SHOWN, ids=[claim.id for claim in new])}
    if len(found) < len(new):
        raise CaptureError(f"The text was written to {inbox}, but could not be read from there again.")
    claims = tuple(found[claim.id] for claim in new)
    forced = wanted.exception if verdict.tier == "block" else None
    if wanted.replaces is not None:
        event = _supersede(wanted, pipeline, claims)
        if forced is not None:
            store.capture("excepted", [c.id for c in claims], forced, against=[c.id for c in verdict.against])
    else:
        event = store.capture(
            _ACTIONS[wanted.verb],
            [claim.id for claim in claims],
            forced or "",
            source=wanted.source,
            against=[claim.id for claim in verdict.against],
            exception=forced is not None,
        )
    if forced is not None:
        _except(store, claims, forced)
    return Outcome("stored", claims, verdict, event)


def _supersede(wanted: Wanted, pipeline: Pipeline, claims: tuple[Claim, ...]) -> int:
    """Each a decision of its own; the last one's event."""
    events = [pipeline.store.supersede(id, claims[0].id, wanted.reason) for id in wanted.superseded]
    pipeline.run()
    return events[-1]


def _except(store: Store, claims: tuple[Claim, ...], reason: str) -> None:
    """An exception is an answer already: a conflict between it and one other claim is not asked again."""
    own = {claim.id for claim in claims}
    for claim in claims:
        for conflict in store.conflicts_of(claim.id):
            if conflict.status == "open" and len(set(conflict.members) - own) == 1:
                store.dismiss(conflict.id, f"exception: {reason}")
