"""Capture from end to end: bring the store up to date, judge, write the inbox, read it, put it on record."""

from __future__ import annotations

from dataclasses import replace

from app.capture.guard_check import weigh
from app.capture.inbox import as_line, check_place, with_line
from app.capture.inbox_claim import already_there, check_forgotten, new_claims
from app.capture.judge_new import judge, with_judged
from app.capture.outcomes import CaptureError, InboxChanged, Outcome, Verdict, Wanted
from app.capture.supersession import outdated, supersede
from app.capture.write import read_inbox, write_inbox
from app.conflicts.canon import in_dispute
from app.detection.pairs import PairReader
from app.detection.slots import slot_keys
from app.models.host import ModelHost
from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.reading.reader import ClaimReader
from app.store.event_chain import Capture
from app.store.rows import SHOWN
from app.store.store import Store
from app.words import Claim, Conflict

_TRIES = 5
_ACTIONS: dict[str, Capture] = {"remember": "remembered", "learn": "learned", "ingest": "ingested"}
_UPSERT = "a newer reference fact"


def capture(
    wanted: Wanted, pipeline: Pipeline, inbox: str, today: str, host: ModelHost | None = None
) -> Outcome:
    """Store the statement, or say what stands against it.

    `inbox` is a path inside the vault, `today` the date the statement gets. The pipeline runs first, so
    that the statement is judged by what the notes say now, and again afterwards. What the models of `host`
    think of it is told too, though they never block.
    """
    line = as_line(wanted)
    check_place(inbox, pipeline.settings)
    check_forgotten(line, pipeline.store, pipeline.settings, inbox)
    canon: list[Conflict] = []
    for _ in range(_TRIES):
        canon += pipeline.run().canon
        try:
            outcome = _tried(wanted, pipeline, inbox, line, today, host)
        except InboxChanged:
            continue
        return replace(outcome, canon=_canon(pipeline.store, canon, outcome))
    raise CaptureError(f"{inbox} keeps being changed by another program; nothing was stored.")


def _tried(
    wanted: Wanted, pipeline: Pipeline, inbox: str, line: str, today: str, host: ModelHost | None
) -> Outcome:
    """Raises InboxChanged where somebody else wrote there meanwhile."""
    _check_replaced(wanted, pipeline.store)
    before = read_inbox(pipeline.root, inbox, pipeline.settings.max_bytes)
    after = with_line(inbox, before, line, today, pipeline.settings)
    new = new_claims(pipeline.store, pipeline.settings, inbox, after)
    if not new:
        raise CaptureError("There is no claim in this text.")
    known = already_there(wanted, pipeline.store.claims.standing_in(inbox), new)
    if known:
        return _already(wanted, pipeline, known)
    verdict = _weigh(wanted, pipeline, new)
    if verdict.tier == "block" and wanted.exception is None:
        return Outcome("blocked", new, verdict)
    write_inbox(pipeline.root, inbox, before, after, pipeline.settings.max_bytes)
    return _keep(wanted, pipeline, inbox, new, verdict, host)


def _check_replaced(wanted: Wanted, store: Store) -> None:
    for id in wanted.superseded:
        old = store.claims.get(id)
        if old is None:
            raise CaptureError(f"There is no claim {id}.")
        if old.status != "active":
            raise CaptureError(f"{old.id} is {old.status}; only an active claim can be superseded.")


def _already(wanted: Wanted, pipeline: Pipeline, known: tuple[Claim, ...]) -> Outcome:
    if wanted.replaces is None:
        return Outcome("known", known)
    if same := {claim.id for claim in known}.intersection(wanted.superseded):
        raise CaptureError(f"{min(same)} says exactly this; it cannot supersede itself.")
    events = supersede(pipeline, dict.fromkeys(wanted.superseded, known[0].id), wanted.reason)
    return Outcome("stored", known, event=events[-1], superseded=wanted.superseded)


def _weigh(wanted: Wanted, pipeline: Pipeline, new: tuple[Claim, ...]) -> Verdict:
    if wanted.verb == "ingest":
        return Verdict()
    held = (claim for claim in pipeline.held_claims() if claim.id not in wanted.superseded)
    store = pipeline.store
    return weigh(
        held,
        new,
        settled=store.conflicts.settled_pairs(),
        pairs=PairReader(ClaimReader(store.caches.readings)),
    )


def _keep(
    wanted: Wanted,
    pipeline: Pipeline,
    inbox: str,
    new: tuple[Claim, ...],
    verdict: Verdict,
    host: ModelHost | None,
) -> Outcome:
    """The line is in the inbox: from here on only the record is missing."""
    store = pipeline.store
    _read_in(pipeline, inbox)
    found = {claim.id: claim for claim in store.claims.with_status(SHOWN, ids=[claim.id for claim in new])}
    if len(found) < len(new):
        raise CaptureError(f"The text was written to {inbox}, but could not be read from there again.")
    claims = tuple(found[claim.id] for claim in new)
    facts = wanted.verb == "ingest"
    replaced = outdated(store, claims) if facts else dict.fromkeys(wanted.superseded, claims[0].id)
    heard = judge(None if facts else host, store, found, verdict.contradicting)
    verdict = with_judged(verdict, heard, store, own=found, replaced=replaced)
    forced = wanted.exception if verdict.tier == "block" else None
    own, against = [claim.id for claim in claims], [claim.id for claim in verdict.against]
    event = 0
    if wanted.replaces is None:
        event = store.ledger.record_capture(
            _ACTIONS[wanted.verb],
            own,
            forced or "",
            source=wanted.source,
            against=against,
            exception=forced is not None,
        )
    elif forced is not None:
        store.ledger.record_capture("excepted", own, forced, against=against)
    events = supersede(pipeline, replaced, _UPSERT if facts else wanted.reason)
    if forced is not None:
        _except(store, claims, forced)
    return Outcome(
        "stored", claims, verdict, event or events[-1], superseded=tuple(replaced), failed=heard.failed
    )


def _read_in(pipeline: Pipeline, inbox: str) -> None:
    """Take in what was written, and leave comparing to the next run: whatever it takes the place of is
    superseded by then, and the judge was heard."""
    around = Around(stopping=lambda: True)
    Pipeline(pipeline.root, pipeline.store, pipeline.settings, around=around).run({inbox})


def _except(store: Store, claims: tuple[Claim, ...], reason: str) -> None:
    """An exception is an answer already: a conflict between it and one other claim is not asked again."""
    own = {claim.id for claim in claims}
    for claim in claims:
        for conflict in store.conflicts.of_claim(claim.id):
            if conflict.status == "open" and len(set(conflict.members) - own) == 1:
                store.conflicts.dismiss(conflict.id, f"exception: {reason}")


def _canon(store: Store, before: list[Conflict], outcome: Outcome) -> tuple[Conflict, ...]:
    """Open conflicts that whoever writes to a canon note should know of: in an editor, or just now."""
    still_open = {conflict.id: conflict for conflict in store.conflicts.open()}
    found = [conflict.id for conflict in before]
    if outcome.status == "stored":
        found += [conflict.id for conflict in in_dispute(outcome.claims, slot_keys, store.conflicts.touching)]
    return tuple(still_open[id] for id in dict.fromkeys(found) if id in still_open)
