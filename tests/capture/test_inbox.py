"""The inbox with one more statement: dated, its bytes untouched, nothing hidden."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.capture.inbox import as_line, check_place, with_line
from app.capture.outcomes import CaptureError, Wanted
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Statement

TODAY = "2026-11-16"
PLAIN = VaultSettings()


def add(data: bytes | None, line: str = "The door code is 4411.") -> bytes:
    return with_line("Inbox.md", data, line, TODAY, PLAIN)


def said(data: bytes) -> list[tuple[str, str | None]]:
    return [(s.text, s.date) for s in statements(data)]


def statements(data: bytes) -> tuple[Statement, ...]:
    return read_note("Inbox.md", data, PLAIN).statements


def test_a_new_inbox_opens_with_the_day() -> None:
    assert add(None) == add(b"") == b"## 2026-11-16\n\nThe door code is 4411.\n"


def test_a_day_has_one_heading_and_a_new_day_another() -> None:
    once = add(add(None), "The attic has 3 windows.")
    assert once == b"## 2026-11-16\n\nThe door code is 4411.\n\nThe attic has 3 windows.\n"
    before = add(b"# Inbox\n\n## 2026-11-15\n- The cellar has a lamp.\n")
    assert before.count(b"## 2026") == 2
    assert said(before) == [("The cellar has a lamp.", "2026-11-15"), ("The door code is 4411.", TODAY)]


def test_a_note_of_the_day_needs_no_heading() -> None:
    assert (
        with_line("2026-11-16.md", b"Sun.\n", "The code is 1.", TODAY, PLAIN) == b"Sun.\n\nThe code is 1.\n"
    )


def test_a_section_after_the_day_asks_for_a_new_heading() -> None:
    data = add(add(None) + b"\n# Ideas\n\nA boat.\n", "The attic has 3 windows.")
    assert said(data)[-1] == ("The attic has 3 windows.", TODAY)


@pytest.mark.parametrize(
    "before",
    [
        b"A line.\r\nAnother.\r\n",
        codecs.BOM_UTF8 + b"A line.\n",
        b"A line without an end",
        b"Latin \xe9\xff bytes.\n",
        codecs.BOM_UTF16_LE + "A line.\r\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "A line.\n".encode("utf-16-be"),
        b"---\ntags: [inbox]\n---\n",
        b"An old line.\rAnother.\r",
    ],
    ids=["crlf", "bom", "no last line end", "latin", "utf-16 le", "utf-16 be", "frontmatter", "cr"],
)
def test_what_is_there_stays_and_goes_on_as_it_was(before: bytes) -> None:
    after = add(before)
    assert after.startswith(before)
    assert said(after)[-1] == ("The door code is 4411.", TODAY)
    text = after.decode("utf-16" if before[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
    if "\r\n" in text:
        assert text.count("\n") == text.count("\r\n")
    elif "\r" in text:
        assert "\n" not in text


@pytest.mark.parametrize("text", ["%% never mind", "<!-- hidden", "```", "~~~ code", "# A title"])
def test_a_text_that_would_hide_what_follows_is_refused(text: str) -> None:
    with pytest.raises(CaptureError, match="would hide"):
        add(b"A line.\n", text)


@pytest.mark.parametrize("end", ["%% a comment", "```\ncode", "<!-- a comment"])
def test_an_inbox_with_an_open_end_is_refused(end: str) -> None:
    for text in ("The door code is 4411.", "%%", "```", "-->"):
        with pytest.raises(CaptureError, match=r"Inbox\.md ends inside"):
            add(f"A line.\n\n{end}\n".encode(), text)


def test_a_source_is_a_field_and_not_part_of_the_statement() -> None:
    line = as_line(Wanted("learn", "Never deploy on Fridays", source="[[Ops]] handbook\n2026"))
    assert line == "Never deploy on Fridays [source:: ((Ops)) handbook 2026]"
    found = statements(add(None, line))
    assert [(s.text, s.key) for s in found] == [
        ("Never deploy on Fridays", None), ("source: ((Ops)) handbook 2026", "source"),
    ]  # fmt: skip


def test_a_statement_is_one_line_without_control_characters() -> None:
    assert as_line(Wanted("remember", " The code\n\tis \x1b[31m4411\u202e. ")) == "The code is [31m4411."
    for empty in ("", " \n ", "\x07"):
        with pytest.raises(CaptureError, match="no text"):
            as_line(Wanted("remember", empty))
    with pytest.raises(CaptureError, match="source"):
        as_line(Wanted("learn", "The code is 1.", source=" "))
    with pytest.raises(CaptureError, match="longer"):
        as_line(Wanted("remember", "word " * 1000))


@pytest.mark.parametrize(
    "path",
    [*"/etc/x.md ../x.md a/../x.md a//x.md ~/x.md .hidden/x.md .x.md x.txt a\\x.md".split(), ""],
)
def test_a_place_that_is_no_note_of_the_vault_is_refused(path: str) -> None:
    with pytest.raises(CaptureError):
        check_place(path, PLAIN)


def test_a_place_that_is_left_out_is_refused() -> None:
    assert check_place("Notes/In.md", PLAIN) == "Notes/In.md"
    for pattern in ("Notes/*", "Notes/", "*.md"):
        with pytest.raises(CaptureError, match="left out"):
            check_place("Notes/In.md", VaultSettings(ignore=(pattern,)))


_LINES = st.text(st.sampled_from("ab 1.#>-|`~%$<![]():*_\"'é\n"), max_size=30)


@given(st.lists(_LINES, max_size=6), _LINES)
def test_whatever_stands_there_the_statements_before_stay(lines: list[str], text: str) -> None:
    before = "\n".join(lines).encode()
    try:
        after = add(before, as_line(Wanted("remember", text)))
    except CaptureError:
        return
    assert after.startswith(before)
    again = add(after, "The last lamp is 7 cm high.")
    assert said(again)[-1] == ("The last lamp is 7 cm high.", TODAY)
    assert again.count(b"## 2026-11-16") == 1
