"""Whatever the note: an edit changes the lines it names, the reader sees what was asked, and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace

import yaml
from hypothesis import given
from hypothesis import strategies as st

from app.vault.note import read_note
from app.writeback.diff import diff
from app.writeback.edits import STYLES, CannotWrite, Style
from app.writeback.propose import propose
from tests.writeback.building import SETTINGS, WINNER, claims

_WORDS = st.sampled_from(
    "code door 4411 garage is the not `run it` [[Note|alias]] [[Note#A]] **bold** *soft* ~~gone~~ ==lit== "
    "a_b \\| x|y <b>html</b> #tag ^id 2026-01-02 📅 §5.50 don't (aside) [link](u.md) $x$ %% :: — ⟶ ~ * _"
    .split(" ")
)  # fmt: skip
_SENTENCE = st.lists(_WORDS, min_size=1, max_size=7).map(" ".join)
_TEXT = st.lists(_SENTENCE, min_size=1, max_size=3).map(lambda parts: ". ".join(parts) + ".")
_PREFIX = st.sampled_from(
    ["", "", "- ", "  - ", "\t- ", "* [ ] ", "- [x] ", "1. ", "> ", "> [!note] ", "# ", "key:: ", "    "]
)
_LINE = st.one_of(
    st.builds(str.__add__, _PREFIX, _TEXT),
    st.just(""),
    st.builds(lambda a, b: f"Door [code:: {a}] {b}", _SENTENCE, _SENTENCE),
    st.builds(lambda a, b: f"| a | b |\n|---|---|\n| {a} | {b} |", _SENTENCE, _SENTENCE),
    st.sampled_from(["```", "---", "%%", "Ends with a block id ^abc", "Breaks here  ", "Breaks here\\"]),
)
_FRONT = st.sampled_from(
    [
        "",
        "---\ncode: 4411\ntags: [a, b]\n---\n",
        "---\nowner:\n  - Ann\n  - Bo # why\n---\n",
        "---\na: |\n  b\n---\n",
    ]
)
_NOTES = st.builds(
    lambda mark, front, lines, end, last: (mark + front + "\n".join(lines) + last).replace("\n", end),
    st.sampled_from(["", "\ufeff"]),
    _FRONT,
    st.lists(_LINE, min_size=1, max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n"]),
)


@given(_NOTES, st.sampled_from(STYLES), st.integers(0, 50))
def test_only_what_is_named_changes(note: str, style: Style, pick: int) -> None:
    data = note.encode()
    found = claims("Garage.md", data)
    if not found:
        return
    loser = found[pick % len(found)]
    try:
        edit = propose(data, loser, WINNER, style)
    except CannotWrite:
        return
    after = edit.after.decode()
    old, new = re.split(r"\r\n|\n", note), re.split(r"\r\n|\n", after)
    if style != "frontmatter":
        assert len(old) == len(new)
        changed = {n for n, (a, b) in enumerate(zip(old, new, strict=True), 1) if a != b}
        assert changed and changed <= set(edit.lines)
        assert set(edit.lines) <= set(range(loser.statement.line, loser.statement.end_line + 1))
    assert (after.count("\r\n"), after.count("\n")) == (
        note.count("\r\n") + (len(new) - len(old) if "\r\n" in note else 0),
        note.count("\n") + len(new) - len(old),
    )
    assert after.startswith("\ufeff") == note.startswith("\ufeff")
    removed = [line for line in diff(edit).split("\n")[3:] if line.startswith("-")]
    assert len(removed) == (len(edit.lines) if style != "strike" else len(removed))
    before, now = read_note("Garage.md", data, SETTINGS), read_note("Garage.md", edit.after, SETTINGS)
    assert len(before.statements) == len(now.statements)
    others = [
        (a.text, b.text) for a, b in zip(before.statements, now.statements, strict=True)
        if a.text != loser.statement.text and a.text != b.text
    ]  # fmt: skip
    assert others == []


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_frontmatter_stays_yaml_whatever_the_names(title: str, heading: str) -> None:
    statement = replace(WINNER.statement, path=f"{title or 'x'}.md", heading=(heading,))
    winner = replace(WINNER, statement=statement)
    data = b"---\na: 1\ncode: 4411\n---\nThe code is 4411.\n"
    for loser in claims("Garage.md", data):
        for style in STYLES:
            try:
                after = propose(data, loser, winner, style).after.decode()
            except CannotWrite:
                continue
            block = yaml.safe_load(after.split("---\n")[1])
            assert {"a", "code"} <= block.keys()
            assert after.count("\n") <= data.count(b"\n") + 1
