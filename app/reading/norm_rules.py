"""Statements to norms by fixed rules: fast, deterministic, and silent if they cannot read a statement."""

from __future__ import annotations

import re
from dataclasses import replace

from app.reading.abbreviations import without_introduced
from app.reading.explicit_change import announces_change, former_value
from app.reading.memories import placed_memory
from app.reading.quantities import quantities
from app.reading.scopes import leading_scope_end, scope, validity_window
from app.reading.sentence_norm import read_sentence
from app.reading.standing import standing
from app.reading.subjects import (
    DATE_TITLE,
    full_subject,
    generic,
    is_plain_heading,
    is_pronoun,
    owning_thing,
    readable,
    subject_bag,
    tidy,
)
from app.reading.tokens import bag
from app.words import Change, Norm, Note, Object, Statement

VERSION = 4

_SLOT_KEYS = frozenset(
    """
    project_id subsystem_name component_name requirement_key constraint_target constraint_kind
    decision_target decision_field component_id parameter_scope parameter_name subsystem_id model_name
    analysis_model_id result_key claim_key
    """.split()
)  # fmt: skip
_SLOT_ENTITIES = frozenset({"decision", "material", "parameter", "constraint", "requirement"})
_KEYED = re.compile(r"^(?P<key>[^:?!]{1,48}?)\s*(?::\s+|\s=\s|::\s*)(?P<value>\S.*)$")
_VERBISH = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|must|should|can|do|does|did|said|says|we|i|they|he|she|"
    r"it|changed|moved|asked|wants?|thinks?)\b",
    re.I,
)
_LEADING_CLAUSE = re.compile(
    r"^(?:we|i|they)\s+(?:now\s+)?(?:use|have|run|are on|are at|are with|go with|keep|take|do)\s+", re.I
)
_LISTY_KEY = re.compile(
    r"(?:s|ed|ing)$|^(?:tags?|alias|see|related|links?|up|next|prev|todo|source|attendees|ingredients|"
    r"note|notes|comment|example|option.*|q|a|idea|lesson|learned)$",
    re.I,
)
_OWNERISH = re.compile(
    r"^(?:owner|maintainer|lead|responsible|contact|author|manager|head|assignee|teacher|trainer|"
    r"doctor|dentist|landlord)$",
    re.I,
)
_ONLY_LINK = re.compile(r"^\W*+(?:https?://\S++|www\.\S++)\W*+$")
_NEXT_LINK = re.compile(r"[^\w\[!]*+!?\[(?:(?P<wiki>\[[^\]]*+\]\])|[^\]]*+\]\([^)]*+\))")
_NUMBERED = re.compile(r"^\(?\d{1,2}[.)]\s+")
_MAX_TEXT = 600


def normalize(statement: Statement, note: Note) -> tuple[Norm, ...]:
    """All norms of a statement, possibly none. Never raises; a statement it cannot place is FUZZY."""
    text = statement.text
    if not text or len(text) > _MAX_TEXT or _ONLY_LINK.match(text) or not any(c.isalpha() for c in text):
        return ()
    if statement.form in ("sentence", "bullet") and (text.count("|") > 1 or _lists_links(statement.quote)):
        return ()  # a broken table, an entry of a list of links
    if statement.form == "row":
        norms = _row(statement, note)
    elif statement.form in ("field", "property"):
        norms = _field(statement, note)
    else:
        norms = _prose(statement, note)
    if not norms:
        return ()
    held = standing(statement, note)
    where = scope(text, note.project)
    norms = tuple(replace(n, standing=held, scope=n.scope or where) for n in norms if n.subject)
    if note.entity in _SLOT_ENTITIES:  # such a note fills one slot, so what is used is the one thing used
        norms = tuple(
            replace(n, single=True) if n.object == "used" and n.value and n.sure else n for n in norms
        )
    return norms


def _lists_links(quote: str) -> bool:
    """Is it an entry of a list of links: only notes, or addresses with a few words?"""
    end, wiki = 0, False
    while link := _NEXT_LINK.match(quote, end):
        end, wiki = link.end(), bool(link["wiki"])
    rest = quote[end:]
    return end > 0 and not (any(map(str.isalnum, rest)) if wiki else "." in rest)


def _field(statement: Statement, note: Note) -> tuple[Norm, ...]:
    key = (statement.key or "").replace("_", " ").replace("-", " ").strip()
    value = statement.text.split(":", 1)[1].strip() if ":" in statement.text else statement.text
    if not key or not value or len(value) > 80:
        return ()
    if key.replace(" ", "_") in _SLOT_KEYS:
        return ()  # names the slot and claims nothing
    owner = "" if DATE_TITLE.match(note.title) else readable(note.title)
    if note.entity and re.fullmatch(r"(?:decision )?(?:value|choice|answer)|decision|chosen", key):
        named = [v for k, v in note.properties if k in _SLOT_KEYS]
        if named:
            owner, key = " ".join(named), ""
    elif (note.layer == "state" or _is_project(note)) and len(bag(key)) > 1 and not generic(bag(key)):
        owner = ""  # a page of facts: the key names its thing itself
    if statement.form == "field" and statement.parent and not is_plain_heading(statement.parent):
        owner = statement.parent
    return (
        _valued(
            f"{owner} {key}".strip(),
            key or "value",
            value,
            statement.date,
            listy=bool(_LISTY_KEY.search(key)) or "," in value,
        ),
    )


def _is_project(note: Note) -> bool:
    return bool(note.project) and bag(note.title) <= bag(note.project or "")


def _valued(subject: str, key: str, value: str, date: str | None, listy: bool) -> Norm:
    """A key with its value, from a field, property, cell or "Key: value" bullet."""
    former = former_value(value)
    shown = (
        re.split(r"\s*[(;]|,\s|\s[–—-]\s|\.\s", value, maxsplit=1)[0].strip(" .")
        if former or len(value.split()) > 2
        else value.strip(" .")
    )
    start, end, shown = validity_window(shown, date)
    found = [q for q in quantities(shown) if not q.label]
    state: Object = "owned" if _OWNERISH.match(key) else "equals"
    if found and found[-1].dimension.startswith("money"):
        state = "costs"
    atomic = (bool(found) or len(shown.split()) <= 3) and "://" not in value
    change = Change(former, shown) if former or announces_change(value) else None
    return Norm(
        tidy(subject),
        object=state,
        value=shown or value,
        valid_from=start,
        valid_until=end,
        change=change,
        single=atomic and not listy,
        sure=atomic,
    )


def _row(statement: Statement, note: Note) -> tuple[Norm, ...]:
    if not statement.key or len(statement.cells) < 2 or not bag(statement.key):
        return ()
    out: list[Norm] = []
    heads_say_nothing = all(not bag(h) for h, _ in statement.cells[1:])
    for head, cell in statement.cells[1:]:
        cell = cell.strip()
        if not cell or len(cell) > 60 or not any(c.isalnum() for c in cell):
            continue
        label = "" if heads_say_nothing or is_plain_heading(head) else head
        found = quantities(cell)
        norm = _valued(
            f"{statement.key} {label}",
            head,
            cell,
            statement.date,
            listy=bool(not found and len(cell.split()) > 2),
        )
        # Without a meaningful head, only a measured cell says what it is about.
        if label or found:
            out.append(replace(norm, single=norm.single and bool(found or label)))
    return tuple(out)


def _prose(statement: Statement, note: Note) -> tuple[Norm, ...]:
    text = without_introduced(_NUMBERED.sub("", statement.text))
    m = _KEYED.match(text)
    if (
        m
        and not _VERBISH.search(m["key"])
        and not re.match(r"\W*\d{6,}", m["key"])
        and len(m["key"].split()) <= 7
        and not m["value"].startswith("//")
    ):
        return _keyed(m["key"], m["value"], statement, note)
    if m and _VERBISH.search(m["key"]) and announces_change(m["key"]):
        # "We changed the invoice date: invoices now go out on the 5th"
        norm = _sentence(m["value"], statement, note)
        if norm:
            return (replace(norm, change=norm.change or Change(None, norm.value)),)
    norm = _sentence(text, statement, note)
    return (norm,) if norm else ()


def _sentence(text: str, statement: Statement, note: Note) -> Norm | None:
    """The norm of one sentence with its thing. A leading scope becomes part of the subject, as it would
    further back; "in production, the port is …" still needs to know whose port."""
    begins = leading_scope_end(text)
    norm = read_sentence(text[begins:], statement.date)
    if norm is None:
        return None
    norm = placed_memory(norm, statement, note)
    scope_name = tidy(text[:begins])
    if not scope_name or not norm.subject:
        return _placed(norm, statement, note)
    if len(subject_bag(norm.subject)) < 2:
        norm = _placed(norm, statement, note)
        return replace(norm, subject=f"{scope_name} {norm.subject}")
    return _placed(replace(norm, subject=f"{scope_name} {norm.subject}"), statement, note)


def _keyed(key: str, value: str, statement: Statement, note: Note) -> tuple[Norm, ...]:
    value = _LEADING_CLAUSE.sub("", value)
    label = re.match(
        r"^(?:decision|decided|agreed|rule|policy|note|nb|fyi|reminder|answer|correction|update|facts?)\b",
        key,
        re.I,
    )
    if label or (_VERBISH.search(value) and len(value.split()) > 3):
        norm = _sentence(value, statement, note)
        if norm and label and re.match(r"correction|update", key, re.I):
            norm = replace(norm, change=norm.change or Change(None, norm.value))
        return (norm,) if norm else ()
    pieces = [p.strip() for p in re.split(r",(?!\d{3}\b)\s*", value) if p.strip()]
    measured = [p for p in pieces if quantities(p)]
    subject = _subject_of(key, statement, note)
    if len(pieces) > 1 and len(measured) > 1:  # "128 GB of RAM, 8 cores": one norm a piece
        out = []
        for piece in measured:
            q = quantities(piece)[-1]
            rest = tidy(piece[: q.start] + " " + piece[q.end :])
            if rest and len(rest.split()) <= 4:
                out.append(
                    Norm(
                        f"{subject} {rest}",
                        object="equals",
                        value=piece[q.start : q.end].strip(),
                        single=True,
                    )
                )
        return tuple(out)
    first = pieces[0] if pieces else value
    found = [q for q in quantities(first) if not q.label]
    if found:
        q = found[-1]
        rest = tidy(first[: q.start] + " " + first[q.end :])
        start, end, _ = validity_window(first, statement.date)
        if len(rest.split()) <= 6:
            named = f"{subject} {rest}".strip()
            change = Change(former_value(value), first[q.start : q.end]) if announces_change(value) else None
            state: Object = "costs" if q.dimension.startswith("money") else "equals"
            return (
                Norm(
                    named,
                    object=state,
                    value=first[q.start : q.end].strip(),
                    valid_from=start,
                    valid_until=end,
                    change=change,
                    single=len(found) == 1,
                    sure=len(found) == 1,
                ),
            )
    return (
        _valued(subject, key, value, statement.date, listy=bool(_LISTY_KEY.search(key)) or len(pieces) > 2),
    )


def _subject_of(key: str, statement: Statement, note: Note) -> str:
    subject = tidy(re.sub(r"[*`]", "", key).replace("_", " "))
    return full_subject(subject, statement, note)


def _placed(norm: Norm, statement: Statement, note: Note) -> Norm:
    """Add the thing to a subject that cannot stand alone; a pronoun stays fuzzy."""
    if is_pronoun(norm.subject):
        return replace(norm, subject_kind="FUZZY", sure=False)
    stems = subject_bag(norm.subject)
    if not stems or (generic(stems) and "self" not in stems):
        owner = owning_thing(statement, note)
        if not owner:
            return (
                norm
                if stems
                else replace(norm, subject_kind="FUZZY" if norm.subject else "MISSING", sure=False)
            )
        return replace(norm, subject=full_subject(norm.subject, statement, note))
    return norm
