"""Blanking what is no part of a note's text (comments, mathematics, templates, drawers), line by line."""

from __future__ import annotations

import re

_HINT = re.compile(
    r"%%|\$\$|<!--|<%|^[ \t]*(?:[-*+][ \t]+)?(?::[A-Z]+:|#\+BEGIN_)", re.MULTILINE | re.IGNORECASE
)
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})(.*)")
_OPENER = re.compile(
    r"(?P<comment>%%)|(?P<html><!--)|(?P<template><%)|(?P<math>(?:^|(?<=[\s>]))\$\$)"
    r"|(?P<drawer>^[ \t]*(?:[-*+][ \t]+)?:[A-Z]+:[ \t]*$)"
    r"|(?P<begin>^[ \t]*(?:[-*+][ \t]+)?\#\+BEGIN_\w+)",
    re.IGNORECASE,
)
_CLOSERS = {
    "comment": re.compile("%%"),
    "html": re.compile("-->"),
    "template": re.compile("%>"),
    "math": re.compile(r"\$\$"),
    "drawer": re.compile(r"^[ \t]*:END:[ \t]*$", re.IGNORECASE),
    "begin": re.compile(r"#\+END_\w+", re.IGNORECASE),
}
_TO_THE_END = {"comment", "html"}
"""What hides the rest of the note when it is never closed, provided it opens a line."""


def mask(text: str) -> str:
    """`text` with hidden stretches turned into blanks; every line keeps its number."""
    if _HINT.search(text) is None:
        return text
    lines = text.split("\n")
    last_closers = {kind: _last_line_with(lines, closer) for kind, closer in _CLOSERS.items()}
    fence = ""
    open_kind = ""
    for number, line in enumerate(lines):
        if not open_kind:
            fenced = _FENCE.match(line)
            if fence:
                if fenced and fenced.group(1).startswith(fence) and not fenced.group(2).strip():
                    fence = ""
                continue
            if fenced and not (fenced.group(1)[0] == "`" and "`" in fenced.group(2)):
                fence = fenced.group(1)
                continue
        lines[number], open_kind = _mask_line(line, open_kind, number, last_closers)
    return "\n".join(lines)


def _mask_line(line: str, open_kind: str, number: int, last_closers: dict[str, int]) -> tuple[str, str]:
    """One line blanked as far as it is hidden, and what is still open at its end."""
    kept: list[str] = []
    position = 0
    while True:
        if open_kind:
            closing = _CLOSERS[open_kind].search(line, position)
            if closing is None:
                return "".join(kept), open_kind
            position, open_kind = closing.end(), ""
        opening = _OPENER.search(line, position)
        if opening is None:
            kept.append(line[position:])
            return "".join(kept), ""
        kind = opening.lastgroup or ""
        if _in_code(line, opening.start()):
            kept.append(line[position : opening.end()])
            position = opening.end()
            continue
        here = _CLOSERS[kind].search(line, opening.end())
        if here is None and last_closers[kind] <= number:
            starts_line = not line[: opening.start()].strip()
            if not (kind in _TO_THE_END and starts_line):
                kept.append(line[position : opening.end()])
                position = opening.end()
                continue
        elif here is None and kind == "math" and line[: opening.start()].strip(" \t>-*+0123456789."):
            # "$$" in running text is a price class as often as a formula.
            kept.append(line[position : opening.end()])
            position = opening.end()
            continue
        kept.append(line[position : opening.start()])
        position, open_kind = opening.end(), kind


def _in_code(line: str, at: int) -> bool:
    return at < 2_000 and line.count("`", 0, at) % 2 == 1


def _last_line_with(lines: list[str], closer: re.Pattern[str]) -> int:
    for number in range(len(lines) - 1, -1, -1):
        if closer.search(lines[number]):
            return number
    return -1
