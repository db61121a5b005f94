"""Links in the source of a statement: what is shown, and which note it names."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

_WIKI = re.compile(r"(?<!!)\[\[([^\[\]\n|]{1,200})(?:\|([^\[\]\n]{1,200}))?\]\]")
_MARKDOWN = re.compile(r"(?<!!)\[([^\[\]\n]{1,200})\]\(<?([^()<>\n:]{1,300}\.md)>?\)")


class Link(NamedTuple):
    shown: str
    target: str
    """The name of the file, without folder and ending."""


def links(quote: str) -> tuple[Link, ...]:
    """The links to whole notes; one to a heading or block speaks of a part of its note."""
    if "[[" not in quote and "](" not in quote:
        return ()
    found = [(shown or target, target) for target, shown in _WIKI.findall(quote)]
    found += [(shown, unquote(target)) for shown, target in _MARKDOWN.findall(quote)]
    named = ((shown, target.rstrip("\\").strip()) for shown, target in found if "#" not in target)
    return tuple(Link(_file(shown) if shown == target else shown, _file(target)) for shown, target in named)


def _file(target: str) -> str:
    return target.rsplit("/", 1)[-1].removesuffix(".md").strip()
