"""Blanking what is no part of a note's text: comments, mathematics, templates, drawers."""

from __future__ import annotations

import re

_HINTS = ("%%", "$$", "<!--", "<%", ":END:", "#+BEGIN_", "#+begin_")
_KINDS = {
    "```": "fence",
    "~~~": "fence",
    "%%": "comment",
    "<!--": "html",
    "<%": "template",
    "$$": "math",
    ":LOGBOOK:": "drawer",
    ":PROPERTIES:": "drawer",
    "#+BEGIN_": "begin",
    "#+begin_": "begin",
}
# Plain literals without groups: the engine then skips from one first letter to the next.
_EVENT = re.compile("|".join(re.escape(mark) for mark in _KINDS))
_CLOSERS = {
    "comment": re.compile("%%"),
    "html": re.compile("-->"),
    "template": re.compile("%>"),
    "math": re.compile(r"\$\$"),
    "drawer": re.compile(r":END:"),
    "begin": re.compile(r"#\+END_\w+", re.IGNORECASE),
}
_TO_THE_END = {"comment", "html"}
"""What hides the rest of the note when it is never closed, provided it opens a line."""
_LINE_OPENING = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
_LOOK_BACK = 400


def mask(text: str) -> str:
    """`text` with hidden stretches turned into blanks; every line keeps its number."""
    if not any(hint in text for hint in _HINTS):
        return text
    kept: list[str] = []
    position = searched = 0
    gone: set[str] = set()  # kinds that are closed nowhere further on: looked for once, not once each
    while event := _EVENT.search(text, searched):
        kind = _KINDS[event.group()]
        at, end = event.span()
        before = text[max(0, at - _LOOK_BACK) : at].rpartition("\n")[2]
        opens_line = len(before) < _LOOK_BACK and _LINE_OPENING.fullmatch(before) is not None
        searched = end
        if kind == "fence":
            if opens_line:
                searched = _after_fence(text, at)
            continue
        if before.count("`") % 2 or (kind in ("drawer", "begin") and not opens_line):
            continue
        hidden_to = _hidden_to(text, kind, end, opens_line, gone)
        if hidden_to is None:
            continue
        kept.append(text[position:at])
        kept.append("\n" * text.count("\n", at, hidden_to))
        position = searched = hidden_to
    kept.append(text[position:])
    return "".join(kept)


def _hidden_to(text: str, kind: str, start: int, opens_line: bool, gone: set[str]) -> int | None:
    """Where the stretch that opens before `start` ends; None when it hides nothing."""
    closing = None if kind in gone else _CLOSERS[kind].search(text, start)
    if closing is None:
        gone.add(kind)
        return len(text) if kind in _TO_THE_END and opens_line else None
    # "$$" in running text is a price class as often as a formula.
    if kind == "math" and not opens_line and "\n" in text[start : closing.start()]:
        return None
    return closing.end()


def _after_fence(text: str, at: int) -> int:
    """The end of the code block that the fence at `at` opens, or of the fence when it is inline code."""
    line_end = text.find("\n", at)
    if line_end < 0:
        return len(text)
    line = text[at:line_end]
    info = line.lstrip(line[0])
    fence = line[: len(line) - len(info)]
    if fence[0] == "`" and "`" in info:
        return at + len(fence)
    closing = re.compile(rf"^[ \t>]*{re.escape(fence)}{re.escape(fence[0])}*[ \t]*$", re.MULTILINE)
    found = closing.search(text, line_end)
    return found.end() if found else len(text)
