"""A note's blocks (headings, paragraphs, list items, table rows) with their source lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

_SPEAKS_FOR_OTHERS = frozenset({"quote", "cite", "example"})
"""Callouts that are not the person's own voice."""
_CALLOUT = re.compile(r"\[!([^\]|\n]{1,40})(?:\|[^\]\n]{0,100})?\][+-]?[ \t]*([^\n]*)\n?")
_WIKI_PIPE = re.compile(r"(\[\[[^\[\]|\n]{0,300}[^\[\]|\n\\])\|(?=[^\[\]\n]{0,300}\]\])")
_TABLE_RULE = re.compile(r"^[ \t>]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+\|", re.MULTILINE)


@dataclass(slots=True)
class Listing:
    """A list or table: what its items hang under."""

    item: Item | None
    lead: str | None = None
    """The text of the line ending in a colon just before it."""
    heading: str | None = None
    """The short line just before it, which acts as a heading."""
    date: str | None = None


@dataclass(slots=True)
class Item:
    """A list item; its text and date are filled in when its first block is read."""

    listing: Listing
    text: str = ""
    date: str | None = None
    time: str | None = None
    started: bool = False


@dataclass(slots=True)
class Quote:
    """A block quote or callout."""

    outer: Quote | None
    callout: str | None = None
    title: str = ""
    started: bool = False

    @property
    def quoted(self) -> bool:
        quote: Quote | None = self
        while quote:
            if quote.callout is None or quote.callout in _SPEAKS_FOR_OTHERS:
                return True
            quote = quote.outer
        return False


@dataclass(slots=True)
class Block:
    kind: Literal["heading", "text", "title", "row"]
    content: str
    line: int
    end_line: int
    level: int = 0
    item: Item | None = None
    quote: Quote | None = None
    leads: Listing | None = None
    """The list or table that directly follows."""
    listing: Listing | None = None
    """For a row: its table."""
    header: tuple[str, ...] = ()
    cells: tuple[str, ...] = field(default=())


_UNDERLINE = re.compile(r"^[ \t>]*+(?:=++|-++)[ \t]*+$", re.MULTILINE)


@lru_cache(maxsize=64)
def _parser(without: tuple[str, ...]) -> MarkdownIt:
    # Link definitions are left to the reader: the rule takes footnotes for them.
    parser = MarkdownIt("commonmark").enable("table").disable(["reference", *without])
    # Outlines go deep; each list level costs two here. The bound also limits recursion.
    parser.options["maxNesting"] = 120
    return parser


def _parser_for(text: str, has_table: bool) -> MarkdownIt:
    """A parser without the rules that cannot apply to `text`: every line is tried against every rule."""
    without: list[str] = []
    if not has_table:
        without.append("table")
    if "```" not in text and "~~~" not in text:
        without.append("fence")
    if ">" not in text:
        without.append("blockquote")
    if "<" not in text:
        without.append("html_block")
    if "#" not in text:
        without.append("heading")
    if _UNDERLINE.search(text) is None:
        without.append("lheading")
    return _parser(tuple(without))


def read_blocks(text: str, first_line: int = 1) -> list[Block]:
    """The blocks of `text` in order; `first_line` is the number its first line has in the file."""
    has_table = "|" in text and "-" in text
    if has_table and "[[" in text and _TABLE_RULE.search(text):
        text = "\n".join(
            _WIKI_PIPE.sub(r"\1\\|", line) if line.lstrip(" \t>").startswith("|") else line
            for line in text.split("\n")
        )
    tokens: list[Token] = []
    # Block level only: inline markup is read here, at a fraction of the cost.
    parser = _parser_for(text, has_table)
    parser.block.parse(text, parser, {}, tokens)
    return _Walk(text, first_line).run(tokens)


class _Walk:
    """Follows the token stream, keeping the list item and quote it is in."""

    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        self.blocks: list[Block] = []
        self.items: list[Item] = []
        self.listings: list[Listing] = []
        self.quotes: list[Quote] = []

    def run(self, tokens: list[Token]) -> list[Block]:
        header: tuple[str, ...] = ()
        cells: list[str] = []
        in_header = in_table = False
        level = 0
        previous = ""
        table = Listing(None)
        for token in tokens:
            kind = token.type
            if kind == "inline":
                if in_table:
                    cells.append(token.content)
                else:
                    self._text(token, level)
            elif kind == "heading_open":
                level = int(token.tag[1])
                # A paragraph underlined by accident is still a paragraph.
                if token.markup in ("=", "-"):
                    level += 10
            elif kind == "heading_close":
                level = 0
            elif kind == "list_item_open":
                self.items.append(Item(self.listings[-1]))
            elif kind == "list_item_close":
                self.items.pop()
            elif kind in ("bullet_list_open", "ordered_list_open"):
                self.listings.append(self._listing(previous))
            elif kind in ("bullet_list_close", "ordered_list_close"):
                self.listings.pop()
            elif kind == "blockquote_open":
                self.quotes.append(Quote(self.quotes[-1] if self.quotes else None))
            elif kind == "blockquote_close":
                self.quotes.pop()
            elif kind == "table_open":
                table, in_table = self._listing(previous), True
            elif kind == "table_close":
                in_table = False
            elif kind == "thead_open":
                in_header = True
            elif kind == "thead_close":
                in_header = False
            elif kind == "tr_open":
                cells = []
            elif kind == "tr_close" and in_header:
                header = tuple(cells)
            previous = kind
            if kind == "tr_open" and token.map and not in_header:
                line = token.map[0] + self.first_line
                row = Block("row", "", line, line, 0, self._item(), self._quote(), None, table, header)
                self.blocks.append(row)
            elif kind == "tr_close" and not in_header and self.blocks:
                self.blocks[-1].cells = tuple(cells)
        return self.blocks

    def _item(self) -> Item | None:
        return self.items[-1] if self.items else None

    def _quote(self) -> Quote | None:
        return self.quotes[-1] if self.quotes else None

    def _listing(self, previous: str) -> Listing:
        listing = Listing(self._item())
        if previous in ("paragraph_close", "heading_close") and self.blocks[-1].kind == "text":
            self.blocks[-1].leads = listing
        return listing

    def _first_said(self, content: str, start: int, end: int) -> int:
        """Where a paragraph's text begins: the parser drops lines of unusual blanks in front of it."""
        opening = content.partition("\n")[0]
        lines = self.text.split("\n")[start:end]
        return next((start + n for n, line in enumerate(lines) if opening in line), start)

    def _text(self, token: Token, level: int) -> None:
        start, end = token.map or (0, 1)
        content = token.content
        if content.count("\n") + 1 < end - start:
            start = self._first_said(content, start, end)
        line = start + self.first_line
        item, quote = self._item(), self._quote()
        if level > 10:
            level -= 10
            if "\n" in content or content.rstrip("*_ ").endswith((".", "!", "?", ",", ";")):
                level = 0
        if quote and not quote.started:
            quote.started = True
            callout = _CALLOUT.match(content)
            if callout:
                quote.callout = callout.group(1).strip().lower()
                title = callout.group(2).strip()
                if title:
                    self.blocks.append(Block("title", title, line, line, 0, item, quote))
                content = content[callout.end() :]
                line += 1
                if not content:
                    return
        kind: Literal["heading", "text"] = "heading" if level else "text"
        last = max(line, end - 1 + self.first_line) if token.map else line
        self.blocks.append(Block(kind, content, line, last, level, item, quote))
