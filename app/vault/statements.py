"""Blocks into statements: sentences, bullets, rows and fields with their dates and surroundings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from app.vault import logseq
from app.vault.blocks import Block, Item
from app.vault.dates import as_of_date, leading_date, leading_time
from app.vault.inline import Inline, clean, clean_key, clean_line, is_struck, seen
from app.vault.keys import BOOKKEEPING
from app.vault.markup import SUPERSEDED
from app.vault.place import ONLY_URL, Place, Surroundings, is_bold_line, is_label
from app.vault.sentences import split_sentences
from app.words import Form, Statement

MAX_TEXT = 4_000
"""A longer "sentence" is data, not language."""
MAX_BLOCK = 1_000_000
"""And so is what a paragraph says beyond this."""

_TASK = re.compile(r"\[([^\]\n])\](?:[ \t]+|$)")
_FIELD_LINE = re.compile(r"(?:>[ \t]?)*\**([^\s:`*\[(<][^:`\n\[\]]{0,60}?)\**::(?:[ \t]+([^\n]*))?$")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,60}\]:[ \t]*")
_LINK_DEFINITION = re.compile(r"\[[^\]^\n][^\]\n]{0,200}\]:[ \t]*+\S++(?:[ \t]++[\"'(].*+)?$")
_WORD = re.compile(r"\w")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class NoteDate:
    date: str | None
    by: Literal["daily", "frontmatter", "none"]


class Statements:
    """Collects the statements of one note."""

    def __init__(
        self, path: str, lines: list[str], note_date: NoteDate, in_logseq: bool, masked: bool = False
    ) -> None:
        self.path = path
        self.lines = lines
        self.note_date = note_date
        self.in_logseq = in_logseq
        self.masked = masked
        """Parts of the source were blanked before the blocks were read."""
        self.found: list[Statement] = []
        self.tags: dict[str, None] = {}
        self.problems: list[str] = []
        self._where = Surroundings()
        self._header: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        """The header of the table last seen, as written and clean."""
        self._ordinals: dict[tuple[tuple[str, ...], str], int] = {}
        self._on_line: dict[int, int] = {}

    @property
    def first_h1(self) -> str | None:
        return self._where.first_h1

    def read(self, blocks: list[Block]) -> None:
        for block in blocks:
            if len(block.content) > MAX_BLOCK:
                self.problems.append(f"too long to be read to its end, line {block.line}")
                block.content = block.content[:MAX_BLOCK]
            if block.kind == "text":
                self._text(block)
            elif block.kind == "row":
                self._row(block)
            elif block.kind == "heading":
                self._where.heading(block)
            else:
                self._title(block)

    def _title(self, block: Block) -> None:
        """A callout's title: a statement of its own and a heading for what the callout says."""
        quote = block.quote
        self._sentences(block.content, block.line, self._where.place(block), None)
        if quote:
            quote.title = clean_line(block.content)

    def _row(self, block: Block) -> None:
        if block.header is not self._header[0]:
            self._header = (block.header, tuple(clean_line(name) for name in block.header))
        header = self._header[1]
        cells = tuple(clean_line(cell) for cell in block.cells)
        struck = False
        if any(out := [is_struck(cell) for cell in block.cells]):
            cells, struck = _still_said(cells, out, block.cells)
        shown = [(name, cell) for name, cell in zip(header, cells, strict=False) if cell]
        if not shown or not any(_WORD.search(cell) for _, cell in shown):
            return
        key = cells[0]
        others = "; ".join(f"{name} {cell}".strip() for name, cell in (shown[1:] if key else shown))
        text = f"{key}: {others}" if key and others else key or others
        place = self._where.place(block)
        leading = leading_date(key) if key else None
        if leading:
            place.date = leading[0]
        place.struck = struck
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
        place = self._where.place(block)
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

    def _task(self, content: str, place: Place) -> str:
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

    def _field_line(self, text: str, line: int, place: Place, item: Item | None) -> None:
        match = _FIELD_LINE.match(text.strip())
        if match is None:
            return
        key, value = clean_key(match.group(1)), clean_line(match.group(2) or "")
        struck = is_struck(match.group(2) or "")
        self._field(key, value, text.strip(), line, place, item, struck)
        if item and not item.text:
            item.text = f"{key}: {value}"

    def _field(
        self, key: str, value: str, quote: str, line: int, place: Place, item: Item | None, struck: bool
    ) -> None:
        if not key or not _WORD.search(value):
            return
        lower = key.lower()
        if lower in BOOKKEEPING or lower in logseq.BOOKKEEPING:
            return
        own = item.text if item and item.text else None
        hangs_under, struck_before = place.parent, place.struck
        place.parent, place.struck = own or hangs_under, struck or struck_before
        self._add(f"{key}: {value}", quote, line, line, "field", place, key=key)
        place.parent, place.struck = hangs_under, struck_before

    def _sentences(self, raw: str, line: int, place: Place, block: Block | None) -> None:
        inline = clean(raw)
        item = block.item if block else None
        if inline.tags:
            self.tags.update(dict.fromkeys(inline.tags))
        spans = split_sentences(inline.shape)
        texts: list[tuple[str, bool]] = [seen(inline, start, end) for start, end in spans]
        if item and not item.started and not item.text:
            item.text = " ".join(text for text, _ in texts)[:MAX_TEXT]
        dropped = -1
        if block and block.leads and spans and not item:
            source = raw[inline.raw_offset(spans[-1][0]) :].strip()
            dropped = (
                len(spans) - 1 if self._where.lead(block.leads, source, texts[-1][0], len(spans) == 1) else -1
            )
        elif block and not item and not block.quote and len(spans) == 1 and is_bold_line(raw):
            dropped = 0 if self._where.bold_line(texts[0][0]) else -1
        self._emit_spans(inline, spans, texts, line, place, item, dropped)
        position = 0
        for key, value, start, end in inline.fields:
            line += raw.count("\n", position, start)
            position = start
            struck = is_struck(raw[start + 1 : end - 1].partition("::")[2])
            self._field(key, value, raw[start:end], line, place, item, struck)

    def _emit_spans(
        self,
        inline: Inline,
        spans: list[tuple[int, int]],
        texts: list[tuple[str, bool]],
        line: int,
        place: Place,
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
            if self.masked and quote not in self.lines[line - 1]:
                quote = "\n".join(self.lines[line - 1 : line + text.count("\n", start, end)]).strip()
            if index == dropped or not _says_something(said):
                continue
            opens_line = (
                not text[:start].rpartition("\n")[2].strip() if start < 200 else text[start - 1] == "\n"
            )
            self._date(said, place, item, index == 0, opens_line)
            behind = spans[index + 1][0] if index < last else len(text)
            mark = bisect_right(inline.superseded, start)
            marked = mark < len(inline.superseded) and inline.superseded[mark] <= behind
            place.struck = struck_block or struck or marked
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

    def _date(self, said: str, place: Place, item: Item | None, first: bool, opens_line: bool) -> None:
        """A date or time that opens a sentence holds for the rest of its block and what hangs under it."""
        # Most sentences open with words alone: one look tells that there is no date in front.
        leading = leading_date(said) if _DIGIT.search(said, 0, 30) else None
        if leading:
            place.date = leading[0]
        clock_from = leading[1] if leading else 0
        time = (
            leading_time(said, clock_from) if opens_line and _DIGIT.search(said, 0, clock_from + 8) else None
        )
        if time:
            place.time = time
        if item and first and not item.started:
            item.date, item.time = leading[0] if leading else None, time

    def _add(
        self, text: str, quote: str, line: int, end_line: int, form: Form, place: Place, **more: Any
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
            if date is None and text[0] in "AVSavs" and (date := as_of_date(text)):
                by = "inline"
        known = (place.heading, text)
        ordinal = self._ordinals.get(known, 0)
        self._ordinals[known] = ordinal + 1
        in_line = self._on_line.get(line, 0)
        self._on_line[line] = in_line + 1
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
                in_line=in_line,
                **more,
            )
        )


def text_hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _still_said(
    cells: tuple[str, ...], out: list[bool], raw: tuple[str, ...]
) -> tuple[tuple[str, ...], bool]:
    """A row's cells without those struck, as in a sentence; or all of them, when the whole row is out."""
    marked = any("⟶" in cell and SUPERSEDED.search(cell) for cell in raw)
    if marked or out[0] or all(gone or not cell for cell, gone in zip(cells, out, strict=True)):
        return cells, True
    return tuple("" if gone else cell for cell, gone in zip(cells, out, strict=True)), False


def _says_something(text: str) -> bool:
    """Not an address alone, nor a label whose value was a picture."""
    if not _WORD.search(text) or ONLY_URL.fullmatch(text):
        return False
    return not (text.endswith(":") and is_label(text))


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
