"""Inline markup taken off: what a reader sees, with a map back to the source, and the fields and tags."""

from __future__ import annotations

import html
from bisect import bisect_left
from dataclasses import dataclass, field
from re import Match

from app.vault import markup


@dataclass(slots=True)
class Inline:
    """A block's text as seen. Line breaks are kept, so a position still tells its line."""

    raw: str
    text: str
    starts: list[int] = field(default_factory=list)
    """Offsets in `text` at which a piece of it begins; empty when text and raw are the same."""
    raw_starts: list[int] = field(default_factory=list)
    struck: list[tuple[int, int]] = field(default_factory=list)
    """Struck-through stretches of `text`, in order and apart."""
    shape: str = ""
    """`text` with the stops inside code, links and addresses hidden, for finding sentences; as long as it."""
    tags: list[str] = field(default_factory=list)
    fields: list[tuple[str, str, int, int]] = field(default_factory=list)
    """Bracketed Dataview fields: key, value, start and end in `raw`."""
    superseded: list[int] = field(default_factory=list)
    """Offsets in `text` at which a mark said that what stands before it is superseded."""

    def raw_offset(self, position: int) -> int:
        """Where in `raw` the character at `position` of `text` came from, opening markup included."""
        if not self.starts:
            return position
        index = bisect_left(self.starts, position)
        if index < len(self.starts) and self.starts[index] == position:
            return self.raw_starts[index]
        index -= 1
        return min(self.raw_starts[index] + position - self.starts[index], len(self.raw))


def clean(raw: str) -> Inline:
    """Take the inline markup off `raw`, a block's source without its block markers."""
    if markup.SPECIAL.search(raw) is None and "::" not in raw:
        return Inline(raw, raw, shape=raw)
    return _Cleaner(raw).run()


def clean_line(raw: str) -> str:
    """A short text (heading, cell, property) as one clean line; parts struck are gone."""
    if markup.SPECIAL.search(raw) is None:
        return " ".join(raw.split())
    inline = _Cleaner(raw).run()
    return seen(inline, 0, len(inline.text))[0]


def clean_key(raw: str) -> str:
    """The key of a field: on one line, without emphasis and what nobody sees."""
    return " ".join(markup.SAFE.sub("", raw).split()).strip(" *_")


def is_struck(raw: str) -> bool:
    """Whether a short text (cell, value) is struck through as a whole, or marked as superseded."""
    if "~~" not in raw and "⟶" not in raw and "<" not in raw:
        return False
    inline = clean(raw)
    return bool(inline.superseded) or seen(inline, 0, len(inline.text))[1]


def seen(inline: Inline, start: int, end: int) -> tuple[str, bool]:
    """The text of a stretch on one line, and whether all of it is struck; parts struck are left out."""
    text = inline.text[start:end]
    if inline.struck:
        kept: list[str] = []
        position = start
        # They are sorted and apart, so only the one that begins before may reach in here.
        for index in range(max(0, bisect_left(inline.struck, (start, start)) - 1), len(inline.struck)):
            struck_start, struck_end = inline.struck[index]
            if struck_start >= end:
                break
            if struck_end <= start:
                continue
            kept.append(inline.text[position : max(struck_start, position)])
            position = max(position, min(struck_end, end))
        kept.append(inline.text[position:end])
        rest = "".join(kept)
        if not any(c.isalnum() for c in rest):
            return " ".join(text.split()), position > start
        text = rest
    return " ".join(text.split()), False


class _Cleaner:
    """One pass over a block: pieces of the source kept, replaced or dropped, delimiters paired by a stack."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.pieces: list[tuple[int, str]] = []
        """Offset in raw, text shown."""
        self.position = 0
        self.opened: dict[str, list[list[int]]] = {}
        """Open `*`, `_` runs: [piece index, length left]."""
        self.brackets: list[int] = []
        self.toggles: dict[str, int] = {}
        """Open `~~`, `==`, <del>: piece index."""
        self.struck_pieces: list[tuple[int, int]] = []
        self.tags: list[str] = []
        self.fields: list[tuple[str, str, int, int]] = []
        self.protected: list[int] = []
        """Pieces whose full stops end no sentence."""
        self.superseded_pieces: list[int] = []
        self.tag_run_end = 0
        self.tag_run_trails = False
        self.opening_end = 0

    def run(self) -> Inline:
        raw = self.raw
        cuts = self._found_fields() if "::" in raw else []
        next_cut = 0
        for match in markup.SPECIAL.finditer(raw):
            at = match.start()
            while next_cut < len(cuts) and cuts[next_cut][2] <= at:
                self._cut(cuts[next_cut])
                next_cut += 1
            if at >= self.position:
                self._special(at, match.group())
        for found in cuts[next_cut:]:
            self._cut(found)
        if self.position < len(raw):
            self.pieces.append((self.position, raw[self.position :]))
        return self._assemble()

    def _found_fields(self) -> list[tuple[str, str, int, int]]:
        found: list[tuple[str, str, int, int]] = []
        for match in markup.FIELD.finditer(self.raw):
            key = clean_key(match.group(1) or match.group(3))
            value = clean_line(match.group(2) if match.group(1) else match.group(4))
            if key and value:
                found.append((key, value, *match.span()))
        return found

    def _cut(self, found: tuple[str, str, int, int]) -> None:
        """Take a field out of the text, unless it stands in code or a link that was taken whole."""
        _, _, start, end = found
        if start >= self.position:
            self.fields.append(found)
            self._put(start, end, "")

    def _put(self, start: int, end: int, shown: str) -> None:
        if start > self.position:
            self.pieces.append((self.position, self.raw[self.position : start]))
        # A dropped line break would shift every later line.
        lost = self.raw.count("\n", start, end) - shown.count("\n")
        self.pieces.append((start, shown + "\n" * lost if lost > 0 else shown))
        self.position = end

    def _special(self, at: int, found: str) -> None:
        raw, char = self.raw, found[0]
        match: Match[str] | None
        if char == "*" or char == "_":
            self._emphasis(at, char)
        elif found == "[":
            if match := markup.WIKILINK.match(raw, at):
                self._put(at, match.end(), markup.SAFE.sub("", markup.wikilink_text(match.group(1))))
                self.protected.append(len(self.pieces) - 1)
            elif match := markup.FOOTNOTE.match(raw, at):
                self._put(at, match.end(), "")
            else:
                self._put(at, at + 1, "[")
                self.brackets.append(len(self.pieces) - 1)
        elif char == "]":
            self._close_bracket(at)
        elif char == "`":
            match = markup.CODE.match(raw, at)
            if match:
                inner = match.group(1) or match.group(2)
                self._put(at, match.end(), markup.SAFE.sub("", inner) if inner else match.group())
                self.protected.append(len(self.pieces) - 1)
        elif char == "h":
            if match := markup.URL.match(raw, at):
                url = match.group().rstrip(".,;:!?*_~")
                self._put(at, at + len(url), markup.SAFE.sub("", url))
                self.protected.append(len(self.pieces) - 1)
        elif char == "\\":
            if match := markup.ESCAPE.match(raw, at):
                self._put(at, at + 2, match.group(1))
            elif raw.startswith("\\\n", at):
                self._put(at, at + 2, "  \n")
        elif char == "#":
            self._tag(at)
        elif char == "<":
            self._angle(at)
        elif found in ("~~", "=="):
            self._toggle(at, found)
        else:
            self._rare(at, found)

    def _rare(self, at: int, found: str) -> None:
        raw, char = self.raw, found[0]
        match: Match[str] | None = None
        shown = ""
        if char == "!":
            match = markup.WIKILINK.match(raw, at + 1) or markup.IMAGE.match(raw, at)
        elif char == "&":
            match = markup.ENTITY.match(raw, at)
            shown = markup.SAFE.sub("", html.unescape(match.group())) if match else ""
            shown = shown.replace("\xa0", " ").replace("\n", " ")
        elif char == "^":
            if at == 0 or raw[at - 1].isspace():
                match = markup.BLOCK_ID.match(raw, at)
            match = match or markup.INLINE_FOOTNOTE.match(raw, at)
        elif char == "{":
            match = markup.MACRO.match(raw, at)
        elif char == "(":
            match = markup.BLOCK_REFERENCE.match(raw, at)
        elif char == "⟶":
            self._superseded(at)
        elif ord(char) > 0x2100 and (match := markup.TASK_MARK.match(raw, at)):
            pass
        elif markup.SAFE.match(char):
            match = markup.TERMINAL_ESCAPE.match(raw, at)
            # A line separator still separates words.
            shown = " " if char in "\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029" else ""
        if match:
            self._put(at, match.end(), shown)

    def _superseded(self, at: int) -> None:
        """The mark goes with the blanks before it, so that the text is what it was without it."""
        match = markup.SUPERSEDED.match(self.raw, at)
        if match is None:
            return
        while at > self.position and self.raw[at - 1] in " \t":
            at -= 1
        self._put(at, match.end(), "")
        self.superseded_pieces.append(len(self.pieces) - 1)

    def _emphasis(self, at: int, char: str) -> None:
        raw = self.raw
        end = at + 1
        while end < len(raw) and raw[end] == char and end - at < 64:
            end += 1
        length = end - at
        before = raw[at - 1] if at else " "
        after = raw[end] if end < len(raw) else " "
        opens, closes = not after.isspace(), not before.isspace()
        between_words = before.isalnum() and after.isalnum()
        if (char == "_" and between_words) or length > 3 or (before.isdigit() and after.isdigit()):
            opens = closes = False
        elif opens and closes and not between_words:
            # Punctuation on one side tells which way the run faces.
            opens, closes = not before.isalnum(), not after.isalnum()
        self._put(at, end, raw[at:end])
        mine = len(self.pieces) - 1
        stack = self.opened.setdefault(char, [])
        left = length
        if closes:
            while left and stack:
                opener = stack[-1]
                used = min(left, opener[1])
                left -= used
                opener[1] -= used
                where, _ = self.pieces[opener[0]]
                self.pieces[opener[0]] = (where, char * opener[1])
                if not opener[1]:
                    stack.pop()
            self.pieces[mine] = (at, char * left)
        if left and opens:
            stack.append([mine, left])

    def _close_bracket(self, at: int) -> None:
        if not self.brackets:
            return
        opener = self.brackets.pop()
        if match := markup.LINK_END.match(self.raw, at):
            where, _ = self.pieces[opener]
            self.pieces[opener] = (where, "")
            self._put(at, match.end(), "")
        else:
            self._put(at, at + 1, "]")

    def _toggle(self, at: int, found: str) -> None:
        raw = self.raw
        before = raw[at - 1] if at else " "
        after = raw[at + 2] if at + 2 < len(raw) else " "
        opener = self.toggles.get(found)
        self._put(at, at + 2, found)
        mine = len(self.pieces) - 1
        if opener is not None and not before.isspace():
            del self.toggles[found]
            for piece in (opener, mine):
                self.pieces[piece] = (self.pieces[piece][0], "")
            if found == "~~":
                self.struck_pieces.append((opener, mine))
        elif not after.isspace() and after != found[0]:
            self.toggles[found] = mine

    def _angle(self, at: int) -> None:
        if match := markup.ANGLE_LINK.match(self.raw, at):
            self._put(at, match.end(), markup.SAFE.sub("", match.group(1).removeprefix("mailto:")))
            return
        match = markup.HTML_TAG.match(self.raw, at)
        if match is None:
            return
        name = match.group(2).lower()
        self._put(at, match.end(), " " if name in ("br", "p", "div", "li", "td", "tr") else "")
        if name in ("del", "s", "strike"):
            mine = len(self.pieces) - 1
            if not match.group(1):
                self.toggles["del"] = mine
            elif "del" in self.toggles:
                self.struck_pieces.append((self.toggles.pop("del"), mine))

    def _tag(self, at: int) -> None:
        raw = self.raw
        match = markup.TAG.match(raw, at)
        if match is None or (at and not (raw[at - 1].isspace() or raw[at - 1] in "(,;[*_")):
            return
        name = match.group(1) or match.group(2)
        if not any(c.isalpha() for c in name):
            return
        name = name.rstrip("/-") or name
        self.tags.append(name)
        end = at + len(match.group()) if match.group(1) else at + 1 + len(name)
        # In the middle of a sentence a tag is one of its words; at either end it is a label.
        if self._is_trailing(at, end) or self._is_opening(at, end):
            self._put(at, end + raw.startswith(",", end), "")
        else:
            self._put(at, end, name.replace("/", " ").replace("_", " "))

    def _is_trailing(self, at: int, end: int) -> bool:
        """Whether only tags follow on this line, and the words before do not lead up to this one."""
        if end > self.tag_run_end:
            run = markup.MORE_TAGS.match(self.raw, end)
            self.tag_run_end = run.end() if run else end
            self.tag_run_trails = markup.LINE_END.match(self.raw, self.tag_run_end) is not None
        return self.tag_run_trails and not markup.NEEDS_OBJECT.search(self.raw[max(0, at - 20) : at])

    def _is_opening(self, at: int, end: int) -> bool:
        """Whether nothing but tags stands before on this line."""
        before = self.raw[max(self.opening_end, at - 200) : at]
        on_line = before.rsplit("\n", 1)[-1].strip(" \t,*_")
        starts_line = "\n" in before or at - len(before) in (0, self.opening_end)
        if on_line or not starts_line or not (end >= len(self.raw) or self.raw[end].isspace()):
            return False
        self.opening_end = end
        return True

    def _assemble(self) -> Inline:
        starts: list[int] = []
        length = 0
        for _, shown in self.pieces:
            starts.append(length)
            length += len(shown)
        text = "".join(shown for _, shown in self.pieces)
        struck = _apart(sorted((starts[a], starts[b]) for a, b in self.struck_pieces))
        superseded = [starts[piece] for piece in self.superseded_pieces]
        raw_starts = [where for where, _ in self.pieces]
        shape = self._shape() if self.protected else text
        return Inline(self.raw, text, starts, raw_starts, struck, shape, self.tags, self.fields, superseded)

    def _shape(self) -> str:
        shown = [piece for _, piece in self.pieces]
        for index in self.protected:
            shown[index] = markup.STOPS.sub("_", shown[index])
        return "".join(shown)


def _apart(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted stretches, those that overlap made one."""
    apart: list[tuple[int, int]] = []
    for start, end in stretches:
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart
