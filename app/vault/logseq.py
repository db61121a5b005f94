"""What is particular to Logseq: page names, task markers, bookkeeping properties."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal
from urllib.parse import unquote

from app.vault.frontmatter import Frontmatter, Property

BOOKKEEPING = frozenset(
    """id collapsed heading background-color logseq.order-list-type created-at updated-at template
    template-including-parent public exclude-from-graph-view filters icon query-table query-properties
    query-sort-by query-sort-desc hl-page hl-type hl-color hl-stamp ls-type file file-path card-last-interval
    card-repeats card-ease-factor card-next-schedule card-last-reviewed card-last-score""".split()
)
_OPEN = frozenset("TODO DOING LATER NOW WAITING WAIT IN-PROGRESS STARTED".split())
_MARKER = re.compile(
    r"(TODO|DOING|LATER|NOW|WAITING|WAIT|IN-PROGRESS|STARTED|DONE|CANCELED|CANCELLED)\s+(?:\[#[A-C]\]\s+)?"
)
_PLANNING = re.compile(r"^[ \t]*(?:SCHEDULED|DEADLINE|CLOSED): <[^>\n]*>[ \t]*$", re.MULTILINE)
_CLOCK = re.compile(r"^[ \t]*CLOCK: \[[^\n]*$", re.MULTILINE)


def in_graph(path: str) -> bool:
    """Whether a note of a Logseq vault is one of the graph's own pages."""
    folders = path.split("/")[:-1]
    return "journals" in folders or "pages" in folders


def page_name(stem: str) -> str:
    """The page's name from its file name: `a___b` is a/b, `%3A` a colon."""
    return unquote(stem.replace("___", "/"))


def task_marker(text: str) -> tuple[Literal["open", "done"], int, bool] | None:
    """The state a block's marker gives it, the marker's length, and whether it was cancelled."""
    match = _MARKER.match(text)
    if match is None:
        return None
    word = match.group(1)
    return ("open" if word in _OPEN else "done", match.end(), word.startswith("CANCEL"))


def without_planning(raw: str) -> str:
    """A block's source without its SCHEDULED, DEADLINE and CLOCK lines, which keep their place as blanks."""
    if ": <" in raw:
        raw = _PLANNING.sub("", raw)
    return _CLOCK.sub("", raw) if "CLOCK:" in raw else raw


_PAGE_PROPERTY = re.compile(r"(?:-[ \t]+)?([^\s:#`][^:\n]{0,60}?)::[ \t]+(\S.*)$")


def with_page_properties(front: Frontmatter, lines: list[str]) -> Frontmatter:
    """`front` with the `key:: value` lines of the page's first block, which Logseq uses in place of YAML."""
    found: list[Property] = []
    for number, text in enumerate(lines[front.end_line :], front.end_line + 1):
        line = text.strip()
        match = _PAGE_PROPERTY.match(line)
        if match is None:
            if line:
                # A first bullet with words of its own is a block, and these are its properties.
                found = found if found and (line.startswith("-") or not text.startswith(" ")) else []
                break
            if found:
                break
            continue
        items = [part.strip() for part in re.split(r",(?![^\[]*\]\])", match.group(2))]
        kept = tuple(re.sub(r"^#|\[\[|\]\]", "", item) for item in items if item)
        found.append(Property(match.group(1), kept, number, number, is_list=True))
    if not found:
        return front
    by_key = front.by_key | {item.key.lower(): item for item in found}
    return replace(front, properties=(*front.properties, *found), by_key=by_key)
