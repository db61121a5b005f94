"""Capture from end to end: bring the store up to date, judge, write the inbox, read it, put it on record."""

from __future__ import annotations

from dataclasses import replace

from app.capture.inbox import SOURCE, as_line, check_place, with_line
from app.capture.weigh import weigh
from app.capture.words import CaptureError, InboxChanged, Outcome, Verdict, Wanted
from app.capture.write import read_inbox, write_inbox
from app.index.diff import diff
from app.index.pipeline import Pipeline
from app.index.reading import norms
from app.store.forgotten import cleaned
from app.store.ledger import Capture
from app.store.rows import SHOWN
from app.store.store import Store
from app.vault.note import read_note
from app.words import Claim, Status

_TRIES = 5
_RETRACTED: tuple[Status, ...] = ("retracted",)
_ACTIONS: dict[str, Capture] = {"remember": "remembered", "learn": "learned", "ingest": "ingested"}


def capture(wanted: Wanted, pipeline: Pipeline, inbox: str, today: str) -> Outcome:
    """Store the statement, or say what stands against it.

    `inbox` is a path inside the vault, `today` the date the statement gets. The pipeline runs first, so
    that the statement is judged by what the notes say now, and again afterwards.
    """
    line = as_line(wanted)
    check_place(inbox, pipeline.settings)
    _check_forgotten(line, pipeline, inbox)
    for _ in range(_TRIES):
        pipeline.run()
        _check_replaced(wanted, pipeline.store)
        before = read_inbox(pipeline.root, inbox, pipeline.settings.max_bytes)
        after = with_line(inbox, before, line, today, pipeline.settings)
        new = _claims(pipeline, inbox, after)
        if not new:
            raise CaptureError("There is no claim in this text.")
        known = _known(wanted, pipeline.store.claims_of(inbox), new)
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


def _check_forgotten(line: str, pipeline: Pipeline, inbox: str) -> None:
    said = read_note(inbox, line.encode("utf-8", "replace"), pipeline.settings).statements
    forgotten = pipeline.store.forgotten()
    if any(statement.text in forgotten for statement in said):
        raise CaptureError("This text was redacted from the store, so it is not taken in again.")


def _check_replaced(wanted: Wanted, store: Store) -> None:
    if wanted.replaces is None:
        return
    old = store.claim(wanted.replaces)
    if old is None:
        raise CaptureError(f"There is no claim {wanted.replaces}.")
    if old.status != "active":
        raise CaptureError(f"{old.id} is {old.status}; only an active claim can be superseded.")


def _claims(pipeline: Pipeline, inbox: str, after: bytes) -> tuple[Claim, ...]:
    """The claims that the index will find new in the inbox."""
    store, note = pipeline.store, read_note(inbox, after, pipeline.settings)
    note = cleaned(note, store.forgotten())
    changes = diff(
        store.claims_by_path([inbox], status=SHOWN),
        [note],
        retracted=store.claims_by_path([inbox], status=_RETRACTED),
        taken=store.claim_ids(),
        promoted=store.promoted(),
    )
    return tuple(
        replace(c.claim, norms=norms(c.claim.statement, note))
        for c in changes
        if c.kind in ("added", "returned") and c.claim.statement.key != SOURCE
    )


def _known(wanted: Wanted, held: list[Claim], new: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """The claims of the inbox that say all of this already: today, or (reference facts) whenever."""
    found = {
        claim.statement.text: claim
        for claim in held
        if claim.status == "active"
        and (wanted.verb == "ingest" or claim.statement.date == new[0].statement.date)
    }
    texts = [claim.statement.text for claim in new]
    return tuple(found[text] for text in texts) if all(text in found for text in texts) else ()


def _already(wanted: Wanted, pipeline: Pipeline, known: tuple[Claim, ...]) -> Outcome:
    if wanted.replaces is None:
        return Outcome("known", known)
    if wanted.replaces in {claim.id for claim in known}:
        raise CaptureError(f"{wanted.replaces} says exactly this; it cannot supersede itself.")
    return Outcome("stored", known, event=_supersede(wanted, pipeline, known))


def _weigh(wanted: Wanted, store: Store, new: tuple[Claim, ...]) -> Verdict:
    if wanted.verb == "ingest":
        return Verdict()
    held = (claim for claim in store.claims("active") if claim.id != wanted.replaces)
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
    assert wanted.replaces is not None
    event = pipeline.store.supersede(wanted.replaces, claims[0].id, wanted.reason)
    pipeline.run()
    return event


def _except(store: Store, claims: tuple[Claim, ...], reason: str) -> None:
    """An exception is an answer already: a conflict between it and one other claim is not asked again."""
    own = {claim.id for claim in claims}
    for claim in claims:
        for conflict in store.conflicts_of(claim.id):
            if conflict.status == "open" and len(set(conflict.members) - own) == 1:
                store.dismiss(conflict.id, f"exception: {reason}")
