"""An edit as a unified diff: the lines it changes with a few around them, and nothing else."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from app.writeback.edits import CannotWrite, Edit, Splice

CONTEXT = 3
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NO_NEWLINE = "\\ No newline at end of file\n"


def diff(edit: Edit) -> str:
    """One hunk, as `patch` takes it; line ends are kept. Text from the note is in it as it is."""
    old, new = _lines(edit.before), _lines(edit.after)
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    if first == len(old) == len(new):
        return ""
    begin = max(0, first - CONTEXT)
    end_old, end_new = len(old) - last, len(new) - last
    tail = old[end_old : end_old + CONTEXT]
    hunk = [f" {line}" for line in old[begin:first]]
    matcher = SequenceMatcher(None, old[first:end_old], new[first:end_new], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            hunk += [f" {line}" for line in old[first + a : first + b]]
            continue
        hunk += [f"-{line}" for line in old[first + a : first + b]]
        hunk += [f"+{line}" for line in new[first + c : first + d]]
    hunk += [f" {line}" for line in tail]
    taken = _range(begin, end_old + len(tail) - begin)
    given = _range(begin, end_new + len(tail) - begin)
    head = f"--- a/{edit.path}\n+++ b/{edit.path}\n@@ -{taken} +{given} @@\n"
    return head + "".join(line if line[-1] in "\r\n" else f"{line}\n{_NO_NEWLINE}" for line in hunk)


def _lines(data: bytes) -> list[str]:
    return _LINE.findall(data.decode("utf-8"))


def _range(begin: int, length: int) -> str:
    return f"{begin + 1 if length else begin},{length}"


def combine(first: Edit, second: Edit) -> Edit:
    """Two edits of one note as one; the second was made for the note as the first leaves it."""
    if first.after != second.before:
        raise ValueError("the edits do not follow each other")
    mapped = [Splice(_back(first, s.start), _back(first, s.end), s.new) for s in second.splices]
    splices = sorted((*first.splices, *mapped), key=lambda s: (s.start, s.end))
    both = Edit(
        first.path, first.style, first.before, tuple(splices), tuple(sorted({*first.lines, *second.lines}))
    )
    if both.after != second.after:
        raise CannotWrite("Two changes meet at one place; write them back one by one.")
    return both


def _back(edit: Edit, position: int) -> int:
    """Where a position in the note after the edit was before it."""
    shift = 0
    for splice in edit.splices:
        if position < splice.start + shift + len(splice.new):
            break
        shift += len(splice.new) - (splice.end - splice.start)
    return position - shift
