"""The link to a winning statement, and the mark that carries it."""

from __future__ import annotations

import re
from urllib.parse import quote

from app.vault import logseq
from app.vault.markup import BLOCK_ID, SAFE
from app.vault.settings import VaultSettings
from app.words import Claim

MARK = "⟶ superseded by "
_NOT_IN_A_LINK = re.compile(r"[\[\]|#^\\<>\n\r]")
_NOT_IN_A_HEADING = re.compile(r"[\[\]|#^\\:%<>()]+")
_LONGEST = 120


def link_to(winner: Claim, settings: VaultSettings, *, in_table: bool = False) -> str:
    """A wikilink to the winner's line as far as one can point at it: its block, its heading, its note.

    A path that no wikilink can hold becomes a Markdown link.
    """
    path = winner.statement.path
    stem = path.removesuffix(".md").removesuffix(".markdown")
    name = _plain(stem.rsplit("/", 1)[-1])
    if settings.logseq and logseq.in_graph(path):
        page = _plain(logseq.page_name(path.rsplit("/", 1)[-1].rsplit(".", 1)[0]))
        return f"[[{page}]]"
    if _NOT_IN_A_LINK.search(stem) or SAFE.search(stem):
        return f"[{name}]({quote(path, safe='/')})"
    target = stem + _anchor(winner)
    if target == name:
        return f"[[{name}]]"
    return f"[[{target}{chr(92) if in_table else ''}|{name}]]"


def mark(winner: Claim, settings: VaultSettings, *, in_table: bool = False) -> str:
    return MARK + link_to(winner, settings, in_table=in_table)


def _anchor(winner: Claim) -> str:
    last = winner.statement.quote.rsplit(None, 1)[-1:]
    if last and BLOCK_ID.fullmatch(last[0]):
        return f"#{last[0]}"
    heading = winner.statement.heading[-1:]
    text = " ".join(_NOT_IN_A_HEADING.sub(" ", SAFE.sub("", heading[0])).split()) if heading else ""
    return f"#{text}" if text and len(text) <= _LONGEST else ""


def _plain(name: str) -> str:
    return " ".join(_NOT_IN_A_HEADING.sub(" ", SAFE.sub("", name)).split()) or "note"
