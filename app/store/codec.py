"""Claims and norms to table rows and back; the only place that knows the columns' order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from app.store.texts import TextRef, dump
from app.words import Change, Claim, Norm, Statement

CLAIM_COLUMNS = (
    "id", "path", "line", "end_line", "text_id", "quote_id", "parent_id", "before_id", "after_id", "form",
    "heading", "date", "dated_by", "time", "ordinal", "quoted", "struck", "task", "listed", "key", "cells",
    "tags", "content_hash", "layer", "entity", "project", "status", "silent", "first_seen", "superseded_by",
    "previous", "in_line",
)  # fmt: skip
TEXT_COLUMNS = slice(4, 9)
"""Where the references to texts stand among them."""

NORM_COLUMNS = (
    "claim_id", "n", "subject", "subject_kind", "standing", "modality", "object", "value", "scope",
    "valid_from", "valid_until", "change", "by", "sure", "single",
)  # fmt: skip


class NoteFields(NamedTuple):
    """What a claim takes from its note's row."""

    title: str
    aliases: tuple[str, ...]
    properties: tuple[tuple[str, str], ...]


def strings(text: str) -> tuple[str, ...]:
    return _strings(text) if text != "[]" else ()


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    return _pairs(text) if text != "[]" else ()


@lru_cache(maxsize=4096)
def _strings(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


@lru_cache(maxsize=4096)
def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in json.loads(text))


@lru_cache(maxsize=4096)
def _dump_strings(value: tuple[str, ...]) -> str:
    return dump(value) if value else "[]"


def claim_row(claim: Claim, put: Callable[[str], TextRef]) -> tuple[tuple[Any, ...], TextRef]:
    """The claim in the columns' order, and the reference to its text."""
    s = claim.statement
    text = put(s.text)
    row = (
        claim.id,
        s.path,
        s.line,
        s.end_line,
        text.id,
        put(s.quote).id,
        None if s.parent is None else put(s.parent).id,
        None if s.before is None else put(s.before).id,
        None if s.after is None else put(s.after).id,
        s.form,
        _dump_strings(s.heading),
        s.date,
        s.dated_by,
        s.time,
        s.ordinal,
        s.quoted,
        s.struck,
        s.task,
        s.listed,
        s.key,
        dump(s.cells) if s.cells else "[]",
        _dump_strings(s.tags),
        s.content_hash,
        claim.layer,
        claim.entity,
        claim.project,
        claim.status,
        claim.silent,
        claim.first_seen,
        claim.superseded_by,
        claim.previous,
        s.in_line,
    )
    return row, text


def claim_from(
    row: tuple[Any, ...], texts: Mapping[int, str], notes: Mapping[str, NoteFields], norms: tuple[Norm, ...]
) -> Claim:
    (
        id, path, line, end_line, text, quote, parent, before, after, form, heading, date, dated_by, time,
        ordinal, quoted, struck, task, listed, key, cells, tags, content_hash, layer, entity, project, status,
        silent, first_seen, superseded_by, previous, in_line,
    ) = row  # fmt: skip
    statement = Statement(
        path,
        line,
        end_line,
        texts[quote],
        texts[text],
        form,
        strings(heading),
        None if parent is None else texts[parent],
        None if before is None else texts[before],
        None if after is None else texts[after],
        date,
        dated_by,
        time,
        ordinal,
        bool(quoted),
        bool(struck),
        task,
        bool(listed),
        key,
        pairs(cells),
        strings(tags),
        content_hash,
        in_line,
    )
    title, aliases, properties = notes[path]
    return Claim(
        id,
        statement,
        title,
        norms,
        layer,
        entity,
        project,
        status,
        silent,
        aliases,
        properties,
        first_seen,
        superseded_by,
        previous,
    )


def norm_rows(claim: Claim) -> Iterable[tuple[Any, ...]]:
    for n, norm in enumerate(claim.norms):
        yield (claim.id, n, *norm_cells(norm))


def norm_cells(norm: Norm) -> tuple[Any, ...]:
    """A norm as the columns of its row, claim and number left out."""
    return (
        norm.subject,
        norm.subject_kind,
        norm.standing,
        norm.modality,
        norm.object,
        norm.value,
        dump(norm.scope) if norm.scope else "[]",
        norm.valid_from,
        norm.valid_until,
        None if norm.change is None else dump([norm.change.was, norm.change.now]),
        norm.by,
        norm.sure,
        norm.single,
    )


def norm_from(row: tuple[Any, ...]) -> Norm:
    subject, kind, standing, modality, object, value, scope, since, until, change, by, sure, single = row[2:]
    return Norm(
        subject,
        kind,
        standing,
        modality,
        object,
        value,
        pairs(scope),
        since,
        until,
        None if change is None else Change(*json.loads(change)),
        by,
        bool(sure),
        bool(single),
    )
