"""The lines around a statement come from the note as it is now, and never from outside the vault."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.tui.surroundings import Surroundings, surroundings
from app.words import Statement


def statement(
    path: str, line: int, quote: str, text: str | None = None, end_line: int | None = None
) -> Statement:
    return Statement(path, line, end_line or line, quote, text or quote, "sentence")


NOTE = "# Codes\n\nAsk first.\nThe code is 5830. It is for the shed.\n\nBelow one.\nBelow two.\n"


def test_lines_above_and_below_without_blank_ones(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(NOTE)
    found = surroundings(
        tmp_path, statement("a.md", 4, "The code is 5830. It is for the shed.", "The code is 5830.")
    )
    tail, below = " It is for the shed.", ("Below one.",)
    assert found == Surroundings(("Ask first.",), "", "The code is 5830.", tail, below, 4, current=True)


def test_a_statement_that_moved_is_found_where_it_is_now(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("New first line.\n\n" + NOTE)
    found = surroundings(tmp_path, statement("a.md", 4, "The code is 5830. It is for the shed."))
    assert (found.line, found.current) == (6, True)


@pytest.mark.parametrize("text", ["", "Something else.\n", None])
def test_the_quote_alone_when_the_note_changed_or_went(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "a.md").write_text(text)
    found = surroundings(tmp_path, statement("a.md", 4, "- The code is 5830.", "The code is 5830."))
    assert (found.lead, found.words, found.line, found.current) == ("- ", "The code is 5830.", 4, False)


def test_a_quote_over_several_lines(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n")
    found = surroundings(tmp_path, statement("a.md", 1, "one\ntwo", end_line=2))
    assert (found.words, found.below, found.current) == ("one\ntwo", ("three",), True)


def test_a_path_or_link_out_of_the_vault_is_not_followed(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (tmp_path / "secret.md").write_text("hidden\nsecret\n")
    (vault / "link.md").symlink_to(tmp_path / "secret.md")
    for path in ("../secret.md", "link.md"):
        assert not surroundings(vault, statement(path, 2, "secret")).current


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    assert not surroundings(tmp_path, statement("a.md", 1, "x")).current
