"""The diff of an edit: what `patch` would take, with nothing in it but the lines the edit names."""

from __future__ import annotations

import pytest

from app.writeback.diff import combine, diff
from app.writeback.propose import propose
from tests.writeback.building import WINNER, claims

NOTE = b"".join(b"Line %d says that it is %d.\n\n" % (n, n) for n in range(1, 10))


def test_a_hunk_with_its_surroundings() -> None:
    edit = propose(NOTE, claims("Lines.md", NOTE)[4], WINNER, "strike")
    assert edit.lines == (9,)
    assert diff(edit).splitlines() == [
        "--- a/Lines.md",
        "+++ b/Lines.md",
        "@@ -6,7 +6,7 @@",
        " ",
        " Line 4 says that it is 4.",
        " ",
        "-Line 5 says that it is 5.",
        "+~~Line 5 says that it is 5.~~",
        " ",
        " Line 6 says that it is 6.",
        " ",
    ]


def test_a_last_line_without_an_end() -> None:
    data = b"One is here.\r\nTwo is here."
    edit = propose(data, claims("Lines.md", data)[-1], WINNER, "strike")
    assert diff(edit).split("\n")[2:] == [
        "@@ -1,2 +1,2 @@", " One is here.\r", "-Two is here.", "\\ No newline at end of file",
        "+~~Two is here.~~", "\\ No newline at end of file", "",
    ]  # fmt: skip


def test_inserted_lines_change_none() -> None:
    edit = propose(NOTE, claims("Lines.md", NOTE)[0], WINNER, "frontmatter")
    assert edit.lines == ()
    assert [line[:1] for line in diff(edit).splitlines()[3:]] == ["+", "+", "+", " ", " ", " "]


def test_edits_of_one_note_become_one() -> None:
    found = claims("Lines.md", NOTE)
    first = propose(NOTE, found[6], WINNER, "strike")
    second = propose(first.after, found[1], WINNER, "strike")
    both = combine(first, second)
    assert both.after == second.after
    assert both.before == NOTE
    assert both.lines == (3, 13)
    with pytest.raises(ValueError):
        combine(first, propose(NOTE, found[1], WINNER, "strike"))
