"""Blocks into statements: sentences, bullets, rows and fields with their dates and surroundings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from app.vault import logseq
from app.vault.blocks import Block, Item, Listing, Quote
from app.vault.dates import as_of_date, heading_date, leading_date, leading_time
from app.vault.inline import Inline, clean, clean_line, seen
from app.vault.keys import BOOKKEEPING
from app.vault.sentences import split_sentences
from app.words import Form, Statement

MAX_TEXT = 4_000
"""A longer "sentence" is data, not language."""

_TASK = re.compile(r"\[([^\]\n])\](?:[ \t]+|$)")
_FIELD_LINE = re.compile(r"(?:>[ \t]?)*\**([^\s:`*\[(<][^:`\n\[\]]{0,60}?)\**::(?:[ \t]+([^\n]*))?$")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,60}\]:[ \t]*")
_LINK_DEFINITION = re.compile(r"\[[^\]^\n][^\]\n]{0,200}\]:[ \t]*<?\S+>?(?:[ \t]+[\"'(].*)?$")
_ONLY_URL = re.compile(r"\W*(?:https?://|www\.|mailto:)\S+\W*")
_BOLD_ONLY = re.compile(r"(\*\*|__)(?!\s)(?:(?!\1).)+\1[:.]?[ \t]*$")
_WORD = re.compile(r"\w")


@dataclass(slots=True)
class _Heading:
    level: int
    text: str
    date: str | None


@dataclass(frozen=True, slots=True)
class NoteDate:
    date: str | None
    by: Literal["daily", "frontmatter", "none"]


@dataclass(slots=True)
class _Place:
    """Everything about where a block stands that its statements share."""

    heading: tuple[str, ...]
    parent: str | None
    date: str | None
    time: str | None
    quoted: bool
    listed: bool
    task: Literal["open", "done"] | None = None
    struck: bool = False


class Statements:
    """Collects the statements of one note."""

    def __init__(self, path: str, lines: list[str], note_date: NoteDate, in_logseq: bool) -> None:
        self.path = path
        self.lines = lines
        self.note_date = note_date
        self.in_logseq = in_logseq
        self.found: list[Statement] = []
        self.tags: dict[str, None] = {}
        self.problems: list[str] = []
        self.first_h1: str | None = None
        self._headings: list[_Heading] = []
        self._path: tuple[str, ...] = ()
        self._heading_date: str | None = None
        self._pseudo: _Heading | None = None
        self._ordinals: dict[tuple[tuple[str, ...], str], int] = {}

    def read(self, blocks: list[Block]) -> None:
        for block in blocks:
            if block.kind == "text":
                self._text(block)
            elif block.kind == "row":
                self._row(block)
            elif block.kind == "heading":
                self._heading(block)
            else:
                self._title(block)

    # Where a block stands

    def _heading(self, block: Block) -> None:
        text = clean_line(block.content)
        if block.item:
            # In an outline a heading is a block like any other: what is indented hangs under it.
            block.item.text = block.item.text or text
            block.item.date = heading_date(text)
            block.item.started = True
            return
        if block.quote:
            return
        if self.first_h1 is None and block.level == 1:
            self.first_h1 = text
        headings = self._headings
        while headings and headings[-1].level >= block.level:
            headings.pop()
        if text:
            headings.append(_Heading(block.level, text, heading_date(text)))
        self._pseudo = None
        self._refresh_path()

    def _refresh_path(self) -> None:
        headings = [*self._headings, self._pseudo] if self._pseudo else self._headings
        self._path = tuple(heading.text for heading in headings)
        self._heading_date = next((h.date for h in reversed(headings) if h.date), None)

    def _place(self, block: Block) -> _Place:
        item, quote = block.item, block.quote
        path = self._path
        date = self._heading_date
        parent: str | None = None
        time: str | None = None
        listing = block.listing or (item.listing if item else None)
        if listing:
            outer = item if block.listing else listing.item
            top = _top(listing)
            if top.heading:
                path = (*path, top.heading)
            parent = listing.lead or (outer.text if outer else None) or None
            date = top.date or date
            inherited = _inherited(item)
            if inherited:
                date = inherited.date or date
                time = inherited.time
        quoted = False
        if quote:
            quoted = quote.quoted
            titles = _titles(quote)
            if titles:
                path = (*path, *titles)
        return _Place(path, parent, date, time, quoted, item is not None and block.listing is None)

    # Kinds of block

    def _title(self, block: Block) -> None:
        """A callout's title: a statement of its own and a heading for what the callout says."""
        quote = block.quote
        self._sentences(block.content, block.line, self._place(block), None)
        if quote:
            quote.title = clean_line(block.content)

    def _row(self, block: Block) -> None:
        header = tuple(clean_line(name) for name in block.header)
        cells = tuple(clean_line(cell) for cell in block.cells)
        shown = [(name, cell) for name, cell in zip(header, cells, strict=False) if cell]
        if not shown or not any(_WORD.search(cell) for _, cell in shown):
            return
        key = cells[0]
        others = "; ".join(f"{name} {cell}".strip() for name, cell in (shown[1:] if key else shown))
        text = f"{key}: {others}" if key and others else key or others
        place = self._place(block)
        leading = leading_date(key) if key else None
        if leading:
            place.date = leading[0]
        filled = [cell.strip() for cell in block.cells if cell.strip()]
        place.struck = all(cell.startswith("~~") and cell.endswith("~~") and len(cell) > 4 for cell in filled)
        place.listed = False
        pairs = tuple(zip(header, cells, strict=False))
        self._add(
            text, self._source(block.line), block.line, block.line, "row", place, key=key or None, cells=pairs
        )

    def _source(self, line: int) -> str:
        return self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""

    def _text(self, block: Block) -> None:
        content = block.content
        item = block.item
        place = self._place(block)
        if self.in_logseq:
            content = logseq.without_planning(content)
        if item and not item.started:
            content = self._task(content, place)
        if "::" in content or content.startswith("[") or "\n[" in content:
            for line, kind, text in _chunks(content, block.line):
                if kind == "field":
                    self._field_line(text, line, place, item)
                else:
                    self._sentences(text, line, place, block)
        else:
            self._sentences(content, block.line, place, block)
        if item:
            item.started = True

    def _task(self, content: str, place: _Place) -> str:
        """The item's text without its check box or marker, which is noted in `place`."""
        box = _TASK.match(content)
        if box:
            mark = box.group(1)
            place.task = "done" if mark in "xX-" else "open"
            place.struck = mark == "-"
            return content[box.end() :]
        marker = logseq.task_marker(content) if self.in_logseq else None
        if marker:
            place.task, length, place.struck = marker
            return content[length:]
        return content

    def _field_line(self, text: str, line: int, place: _Place, item: Item | None) -> None:
        match = _FIELD_LINE.match(text.strip())
        if match is None:
            return
        key, value = match.group(1).strip(" *_"), clean_line(match.group(2) or "")
        self._field(key, value, line, place, item)
        if item and not item.text:
            item.text = f"{key}: {value}"

    def _field(self, key: str, value: str, line: int, place: _Place, item: Item | None) -> None:
        if not key or not _WORD.search(value):
            return
        lower = key.lower()
        if lower in BOOKKEEPING or lower in logseq.BOOKKEEPING:
            return
        own = item.text if item and item.text else None
        shared = place.parent
        place.parent = own or shared
        self._add(f"{key}: {value}", self._source(line), line, line, "field", place, key=key)
        place.parent = shared

    def _sentences(self, raw: str, line: int, place: _Place, block: Block | None) -> None:
        inline = clean(raw)
        item = block.item if block else None
        if inline.tags:
            self.tags.update(dict.fromkeys(inline.tags))
        spans = split_sentences(inline.text)
        texts: list[tuple[str, bool]] = [seen(inline, start, end) for start, end in spans]
        if item and not item.started and not item.text:
            item.text = " ".join(text for text, _ in texts)[:MAX_TEXT]
        dropped = -1
        if block and block.leads and spans and not item:
            dropped = self._lead(block.leads, raw, inline, spans, texts[-1][0])
        elif block and not item and not block.quote and len(spans) == 1 and _BOLD_ONLY.match(raw):
            dropped = self._bold_line(texts[0][0])
            place.heading = self._path[:-1]
        self._emit_spans(inline, spans, texts, line, place, item, dropped)
        for key, value, offset in inline.fields:
            self._field(key, value, line + raw.count("\n", 0, offset), place, item)

    def _lead(
        self, listing: Listing, raw: str, inline: Inline, spans: list[tuple[int, int]], last: str
    ) -> int:
        """Let the last line before a list stand over it; its index if it says nothing else, or -1."""
        index = len(spans) - 1
        source = raw[inline.raw_offset(spans[-1][0]) :].strip()
        bold = _BOLD_ONLY.match(source) is not None
        name = last.rstrip(":").strip()
        if last.endswith(":") and not bold:
            listing.lead = last
        elif bold or (len(last) <= 60 and last.count(" ") < 7 and last[-1:] not in ".!?…,;"):
            listing.heading = name
            if bold and index == 0:
                self._pseudo = _Heading(9, name, heading_date(name))
                self._refresh_path()
                listing.heading = None
        else:
            return -1
        listing.date = heading_date(name)
        return index if name.count(" ") < 3 and not any(c.isdigit() for c in name) else -1

    def _bold_line(self, text: str) -> int:
        """A paragraph all in bold is a small heading for what follows."""
        name = text.rstrip(":").strip()
        self._pseudo = _Heading(9, name, heading_date(name))
        self._refresh_path()
        return 0 if name.count(" ") < 3 and not any(c.isdigit() for c in name) else -1

    def _emit_spans(
        self,
        inline: Inline,
        spans: list[tuple[int, int]],
        texts: list[tuple[str, bool]],
        line: int,
        place: _Place,
        item: Item | None,
        dropped: int,
    ) -> None:
        text, raw = inline.text, inline.raw
        position = 0
        tags = tuple(inline.tags)
        struck_block = place.struck
        last = len(spans) - 1
        raw_start = 0
        for index, (start, end) in enumerate(spans):
            line += text.count("\n", position, start)
            position = start
            raw_end = inline.raw_offset(spans[index + 1][0]) if index < last else len(raw)
            quote = raw[raw_start:raw_end].strip()
            raw_start = raw_end
            said, struck = texts[index]
            if index == dropped or not _WORD.search(said) or _ONLY_URL.fullmatch(said):
                continue
            self._date(said, place, item, first=index == 0)
            place.struck = struck_block or struck
            self._add(
                said,
                quote,
                line,
                line + text.count("\n", start, end),
                "bullet" if place.listed else "sentence",
                place,
                before=texts[index - 1][0] if index else None,
                after=texts[index + 1][0] if index < last else None,
                tags=tags,
            )

    def _date(self, said: str, place: _Place, item: Item | None, first: bool) -> None:
        """A date or time that opens a sentence holds for the rest of its block and what hangs under it."""
        if not said[0].isalnum() and said[0] not in "([*~":
            return
        leading = leading_date(said)
        if leading:
            place.date = leading[0]
        clock_from = leading[1] if leading else 0
        time = leading_time(said, clock_from) if said[0].isdigit() or leading else None
        if time:
            place.time = time
        if item and first and not item.started:
            item.date, item.time = leading[0] if leading else None, time

    def _add(
        self, text: str, quote: str, line: int, end_line: int, form: Form, place: _Place, **more: Any
    ) -> None:
        if len(text) > MAX_TEXT:
            self.problems.append(f"too long to be a statement, line {line}")
            return
        date: str | None
        by: Literal["inline", "daily", "frontmatter", "none"]
        if place.date:
            date, by = place.date, "inline"
        else:
            date, by = self.note_date.date, self.note_date.by
            if date is None and (date := as_of_date(text)):
                by = "inline"
        known = (place.heading, text)
        ordinal = self._ordinals.get(known, 0)
        self._ordinals[known] = ordinal + 1
        self.found.append(
            Statement(
                path=self.path,
                line=line,
                end_line=end_line,
                quote=quote,
                text=text,
                form=form,
                heading=place.heading,
                parent=place.parent,
                date=date,
                dated_by=by,
                time=place.time,
                ordinal=ordinal,
                quoted=place.quoted,
                struck=place.struck,
                task=place.task,
                listed=place.listed,
                content_hash=text_hash(text),
                **more,
            )
        )


def text_hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _top(listing: Listing) -> Listing:
    """The outermost list: what stands before it holds for everything in it."""
    while listing.item:
        listing = listing.item.listing
    return listing


def _inherited(item: Item | None) -> Item | None:
    """The nearest item, from this one outwards, that carries a date or time."""
    while item:
        if item.date or item.time:
            return item
        item = item.listing.item
    return None


def _titles(quote: Quote | None) -> tuple[str, ...]:
    titles: list[str] = []
    while quote:
        if quote.title:
            titles.append(quote.title)
        quote = quote.outer
    return tuple(reversed(titles))


def _chunks(content: str, line: int) -> Iterator[tuple[int, Literal["text", "field"], str]]:
    """A block cut where a field, a footnote or a link definition takes a line of its own."""
    kept: list[str] = []
    start = line
    for number, text in enumerate(content.split("\n"), line):
        stripped = text.strip()
        is_field = "::" in stripped and _FIELD_LINE.match(stripped) is not None
        footnote = _FOOTNOTE.match(stripped) if stripped.startswith("[^") else None
        definition = stripped.startswith("[") and not footnote and _LINK_DEFINITION.match(stripped)
        if is_field or footnote or definition:
            if any(kept):
                yield start, "text", "\n".join(kept)
            kept, start = [], number + 1
        if is_field:
            yield number, "field", stripped
        elif footnote:
            kept, start = [stripped[footnote.end() :]], number
        elif not definition:
            kept.append(text)
    if any(kept):
        yield start, "text", "\n".join(kept)
