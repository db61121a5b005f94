"""Logseq outlines and pages."""

from __future__ import annotations

from pathlib import Path

from app.vault.settings import VaultSettings, vault_settings
from app.words import Note
from tests.vault.reading import read


def page(text: str, path: str = "pages/Door.md") -> Note:
    return read(text, path, logseq=True)


def test_blocks_markers_and_properties() -> None:
    note = page(
        "- TODO call Jo\n  SCHEDULED: <2026-03-01 Sun>\n  :LOGBOOK:\n  CLOCK: [2026-03-01 Sun "
        "10:00]\n  :END:\n"
        "- DONE [#A] paid the rent\n\t- by card\n- door code\n  id:: 64a1\n  collapsed:: true\n  "
        "value:: 4411\n"
        "- CANCELED old plan\n- {{query (todo now)}}\n- ((64a1b2c3-1111-2222-3333-444455556666))\n"
    )
    assert [(s.text, s.form, s.task, s.parent, s.struck) for s in note.statements] == [
        ("call Jo", "bullet", "open", None, False),
        ("paid the rent", "bullet", "done", None, False),
        ("by card", "bullet", None, "paid the rent", False),
        ("door code", "bullet", None, None, False),
        ("value: 4411", "field", None, "door code", False),
        ("old plan", "bullet", "done", None, True),
    ]


def test_page_properties() -> None:
    note = page(
        "type:: decision\ntags:: a, [[b c]]\nalias:: Front door\nowner:: [[Jo]]\n\n- The code is 4411.\n"
    )
    assert (note.entity, note.aliases, note.tags) == ("decision", ("Front door",), ("a", "b c"))
    assert ("owner", "Jo") in note.properties
    assert [(s.line, s.form, s.text) for s in note.statements] == [
        (4, "field", "owner: Jo"),
        (6, "bullet", "The code is 4411."),
    ]


def test_properties_of_a_first_block_with_words_are_its_own() -> None:
    note = page("- Door\n  owner:: Jo\n")
    assert note.properties == ()
    assert [(s.text, s.parent) for s in note.statements] == [("Door", None), ("owner: Jo", "Door")]


def test_page_names_and_journals() -> None:
    assert page("- x", "pages/work___door%3A code.md").title == "work/door: code"
    journal = page("- The code is 4411.", "graph/journals/2026_03_01.md")
    assert journal.statements[0].date == "2026-03-01"
    assert journal.statements[0].dated_by == "daily"


def test_a_dated_block_dates_its_children() -> None:
    note = page("- [[Mar 1st, 2026]]\n\t- The code is 4411.\n- Rest\n")
    assert [s.date for s in note.statements][1:] == ["2026-03-01", None]


def test_headings_in_blocks_are_parents() -> None:
    assert [(s.text, s.parent) for s in page("- ## Doors\n\t- The code is 4411.\n").statements] == [
        ("The code is 4411.", "Doors")
    ]


def test_markers_mean_nothing_elsewhere() -> None:
    assert read("- TODO call Jo\n", logseq=True).statements[0].task is None


def test_a_graph_is_recognised_at_any_depth(tmp_path: Path) -> None:
    assert not vault_settings(tmp_path).logseq
    for name in ("journals", "pages"):
        (tmp_path / "notes" / "graph" / name).mkdir(parents=True)
    assert vault_settings(tmp_path).logseq
    assert not vault_settings(tmp_path, logseq=False).logseq


def test_daily_formats_come_from_the_vault(tmp_path: Path) -> None:
    config = tmp_path / ".obsidian"
    config.mkdir()
    (config / "daily-notes.json").write_text('{"format": "YYYY/MM/DD-ddd", "folder": "log"}')
    settings = vault_settings(tmp_path)
    assert settings.daily_formats[0] == "YYYY/MM/DD-ddd"
    assert (
        read("It rains.", "log/2026/03/01-Sun.md", daily_formats=settings.daily_formats).date == "2026-03-01"
    )


def test_broken_configuration_is_no_configuration(tmp_path: Path) -> None:
    config = tmp_path / ".obsidian"
    config.mkdir()
    for text in ("{", "[]", '{"format": 3}', "[" * 60_000):
        (config / "daily-notes.json").write_text(text)
        assert vault_settings(tmp_path) == VaultSettings()
