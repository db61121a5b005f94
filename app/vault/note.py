"""One Markdown file, read: bytes in, a `Note` with its statements out, whatever the bytes."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b

from app.vault import logseq
from app.vault.blocks import read_blocks
from app.vault.dates import daily_date, parse_date
from app.vault.frontmatter import Frontmatter, Property, read_frontmatter
from app.vault.inline import clean_line, is_struck
from app.vault.keys import BOOKKEEPING
from app.vault.language import not_english
from app.vault.markup import SUPERSEDED, wikilink_text
from app.vault.mask import mask
from app.vault.place import MAX_HEADING
from app.vault.settings import VaultSettings
from app.vault.statements import NoteDate, Statements, text_hash
from app.words import Layer, Note, Statement

ENTITIES = frozenset(
    """decision requirement component constraint material parameter result project subsystem analysis_model
    validation_claim artifact""".split()
)
_EMPTY_NAMES = frozenset({"readme", "index", "_index", "untitled", "note", "notes"})
_SILENT_STATUS = frozenset({"superseded", "archived"})
_DATE_KEYS = (
    ("updated", "updated_at", "last-updated", "last_updated", "updated-at"),
    (
        "modified",
        "modified_at",
        "date-modified",
        "date_modified",
        "last-modified",
        "last_modified",
        "lastmod",
    ),
    ("date", "day"),
    ("created", "created_at", "date-created", "date_created", "creation-date", "created-at"),
)
"""A note that was updated speaks for its last update."""


def read_note(path: str, data: bytes, settings: VaultSettings) -> Note:
    """Read the note at `path` (relative to the vault) from its bytes. Never raises."""
    content_hash = blake2b(data, digest_size=16).hexdigest()
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    text, problems = _decode(data)
    if text is None:
        return Note(path=path, content_hash=content_hash, title=stem, problems=tuple(problems))
    in_logseq = settings.logseq and logseq.in_graph(path)
    front = read_frontmatter(text)
    problems.extend(front.problems)
    if (front.text("belie") or "").strip().lower() == "mirror":
        # A page made from notes says nothing of its own.
        return Note(path=path, content_hash=content_hash, title=stem, silent="page of the mirror")
    lines = text.split("\n")
    if in_logseq:
        front = logseq.with_page_properties(front, lines)
        stem = logseq.page_name(stem)
    note_date = _note_date(path, front, settings, in_logseq)
    body = "\n".join(lines[front.end_line :]) if front.end_line else text
    shown = mask(body)
    reader = Statements(path, lines, note_date, in_logseq, masked=shown is not body)
    try:
        reader.read(read_blocks(shown, front.end_line + 1))
    except RecursionError:
        problems.append("nested too deep to be read")
    statements = (*_properties(path, front, lines, note_date), *reader.found)
    opening = _opening_date(reader.found) if note_date.date is None else None
    if opening:
        statements = tuple(s if s.date else replace(s, date=opening, dated_by="inline") for s in statements)
    title = _title(stem, front, reader.first_h1)
    entity = (front.text("type") or "").strip().lower()
    return Note(
        path=path,
        content_hash=content_hash,
        title=title,
        aliases=tuple(dict.fromkeys(clean_line(a) for a in front.items("aliases", "alias") if a.strip())),
        tags=_tags(front, reader),
        properties=tuple((p.key, p.text) for p in front.properties if p.items),
        date=note_date.date or opening,
        project=_project(path, front, settings),
        layer=_layer(front, entity),
        entity=entity if entity in ENTITIES else None,
        draft=_status(front) == "draft" or _in_folders(path, settings.draft_folders) is not None,
        silent=_silent(path, front, title, reader, settings),
        statements=statements,
        problems=tuple(problems + reader.problems),
    )


def _decode(data: bytes) -> tuple[str | None, list[str]]:
    """The text with `\\n` line ends and without a byte order mark; None for a binary file."""
    problems: list[str] = []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        nuls = data.count(0)
        if nuls > 16 and nuls * 100 > len(data):
            return None, ["binary"]
        if nuls:
            problems.append(f"NUL byte, line {data.count(10, 0, data.index(0)) + 1}")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            problems.append(f"not UTF-8, line {data.count(10, 0, error.start) + 1}")
            text = data.decode("utf-8-sig", "replace")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, problems


def _note_date(path: str, front: Frontmatter, settings: VaultSettings, in_logseq: bool) -> NoteDate:
    formats = (*settings.daily_formats, "YYYY_MM_DD") if in_logseq else settings.daily_formats
    daily = daily_date(path.rsplit(".", 1)[0], formats)
    if daily:
        return NoteDate(daily, "daily")
    for keys in _DATE_KEYS:
        for key in keys:
            found = parse_date(front.text(key) or "") if key in front.by_key else None
            if found:
                return NoteDate(found, "frontmatter")
    return NoteDate(None, "none")


def _opening_date(found: list[Statement]) -> str | None:
    """The date an undated note opens with, when it is the only one: "Sat 5 April 2025, sorting …"."""
    if not found or found[0].form != "sentence" or found[0].quoted:
        return None
    dates = {statement.date for statement in found if statement.date}
    return found[0].date if len(dates) == 1 else None


def _title(stem: str, front: Frontmatter, first_h1: str | None) -> str:
    given = clean_line(front.text("title") or "")
    if given:
        return given[:MAX_HEADING]
    tells = any(c.isalpha() for c in stem) and stem.lower() not in _EMPTY_NAMES
    return stem if tells or not first_h1 else first_h1


def _tags(front: Frontmatter, reader: Statements) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for key in ("tags", "tag"):
        given = front.by_key.get(key)
        for item in given.items if given else ():
            # Only a plain string holds several tags in one.
            names = [clean_line(item)] if given and given.is_list else item.replace(",", " ").split()
            found.update(dict.fromkeys(name.lstrip("#") for name in names or [item]))
    return tuple(tag for tag in {**found, **reader.tags} if tag)


def _project(path: str, front: Frontmatter, settings: VaultSettings) -> str | None:
    given = (front.text("project") or "").strip()
    if given.startswith("[[") and given.endswith("]]"):
        given = wikilink_text(given[2:-2])
    if given:
        return clean_line(given) or None
    top, slash, _ = path.partition("/")
    return top if slash and settings.folders_are_projects else None


def _layer(front: Frontmatter, entity: str) -> Layer:
    if (front.text("trust") or "").strip().lower() == "canon":
        return "state"
    return "entity" if entity in ENTITIES else "memory"


def _status(front: Frontmatter) -> str:
    return (front.text("status") or "").strip().strip("#").lower()


def _in_folders(path: str, folders: tuple[str, ...]) -> str | None:
    """The first of `folders` that `path` lies in: a name at any depth, or a path from the root."""
    inside = path.lower().split("/")[:-1]
    for folder in folders:
        wanted = folder.lower().strip("/").split("/")
        if (len(wanted) == 1 and wanted[0] in inside) or inside[: len(wanted)] == wanted:
            return folder
    return None


def _silent(
    path: str, front: Frontmatter, title: str, reader: Statements, settings: VaultSettings
) -> str | None:
    folder = _in_folders(path, settings.silent_folders)
    if folder:
        name = folder.strip("/").rsplit("/", 1)[-1].lower()
        return "template folder" if name == "templates" else f"{name} folder"
    status = _status(front)
    if status in _SILENT_STATUS:
        return f"status {status}"
    if front.text("superseded_by"):
        return "superseded by another note"
    tags = {tag.lower().lstrip("#") for tag in front.items("tags", "tag")}
    if front.template or tags & {"template", "templates"} or ("{{" in title and "}}" in title):
        return "template"
    if not_english([found.text for found in reader.found]):
        return "not in English"
    return None


def _properties(
    path: str, front: Frontmatter, lines: list[str], note_date: NoteDate
) -> tuple[Statement, ...]:
    """The frontmatter that says something, one statement a key."""
    return tuple(
        _property(path, found, lines, note_date)
        for found in front.properties
        if found.line <= front.end_line and _says_something(found)
    )


def _says_something(found: Property) -> bool:
    return (
        found.key.lower() not in BOOKKEEPING
        and any(c.isalnum() for item in found.items for c in clean_line(item))
        and "{{" not in found.text
        and len(found.text) <= 1_000
    )


def _property(path: str, found: Property, lines: list[str], note_date: NoteDate) -> Statement:
    key = clean_line(found.key)
    text = f"{key}: {', '.join(clean_line(item) for item in found.items)}"
    source = lines[found.line - 1 : found.end_line]
    marked = any("# ⟶" in line and SUPERSEDED.search(line) for line in source)
    return Statement(
        path=path,
        line=found.line,
        end_line=found.end_line,
        quote="\n".join(source).strip(),
        text=text,
        form="property",
        date=note_date.date,
        dated_by=note_date.by,
        struck=marked or all(is_struck(item) for item in found.items),
        key=key,
        content_hash=text_hash(text),
    )
