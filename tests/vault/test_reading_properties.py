"""Whatever the bytes, reading a note ends without an error and its statements point into the file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Note

_PIECES = st.sampled_from([
    "# Head\n", "## 2026-03-01\n", "\n", "\n\n", "- item one\n", "  - nested\n", "\t- tab\n",
    "1. first\n", "> quote\n", "> [!note] T\n", "| a | b |\n", "|---|---|\n", "| c | d |\n",
    "key:: value\n", "[k:: v]", "(k:: v)", "[[N|a]]", "![[x]]", "[t](u)", "**b**", "_i_", "~~s~~",
    "==h==", "`c`", "```\n", "~~~\n", "%%", "$$", "<!--", "-->", "<% a %>", "<b>", "</del>", "<del>",
    "&amp;", "#tag ", " ^id\n", "[^1]", "[^1]: note\n", "[ ] ", "- [x] done\n", "TODO ", "---\n",
    "a: b\n", "tags: [x]\n", "{{date}}", "((", "))", "\\", "\x1b[31m", "\u200b", "\x00", "\r\n", "\r",
    "  \n", "One. Two? Three!", "Dr. No.", "https://a.b/c", "word ", "12:30 ", "2026-03-01 ", "é", "字",
    "\u2028", "📅 2026-01-01", ":LOGBOOK:\n", ":END:\n", "**Bold**\n", "Lead:\n", "id:: x\n",
    "    code\n", "===\n", "*", "_", "[", "]", "(", ")", "|",
])  # fmt: skip
_MARKDOWN = st.lists(_PIECES, max_size=60).map("".join)
_PATHS = st.sampled_from(
    ["Note.md", "daily/2026-03-01.md", "pages/a___b.md", "journals/2026_03_01.md", "Archive/x.md", "x"]
)
_SETTINGS = st.sampled_from([VaultSettings(), VaultSettings(logseq=True, folders_are_projects=True)])


def check(note: Note, data: bytes) -> None:
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for statement in note.statements:
        assert 1 <= statement.line <= statement.end_line <= lines
        assert statement.text.strip() == statement.text != ""
        assert statement.quote
        assert not any(ord(c) < 32 or c in "\x7f\u200b\u2028" for c in statement.text)
    places = [(s.heading, s.text, s.ordinal) for s in note.statements if s.form != "property"]
    assert len(set(places)) == len(places)


@given(st.binary(max_size=400), _PATHS, _SETTINGS)
def test_any_bytes(data: bytes, path: str, settings: VaultSettings) -> None:
    check(read_note(path, data, settings), data)


@given(_MARKDOWN, _PATHS, _SETTINGS)
def test_any_markdown(text: str, path: str, settings: VaultSettings) -> None:
    data = text.encode()
    note = read_note(path, data, settings)
    check(note, data)
    assert read_note(path, data, settings) == note


@given(_MARKDOWN, st.lists(st.tuples(st.integers(0, 400), st.binary(min_size=1, max_size=3)), max_size=8))
def test_mutated_markdown(text: str, changes: list[tuple[int, bytes]]) -> None:
    data = text.encode()
    for at, new in changes:
        data = data[:at] + new + data[at + 1 :]
    check(read_note("Note.md", data, VaultSettings()), data)


@given(st.text(max_size=300))
def test_any_frontmatter(text: str) -> None:
    data = f"---\n{text}\n---\nThe code is 4411.\n".encode("utf-8", "replace")
    check(read_note("Note.md", data, VaultSettings()), data)


@given(_MARKDOWN)
def test_line_ends_do_not_matter(text: str) -> None:
    text = text.replace("\r", "")
    unix = read_note("Note.md", text.encode(), VaultSettings())
    windows = read_note("Note.md", text.replace("\n", "\r\n").encode(), VaultSettings())
    assert windows.statements == unix.statements
