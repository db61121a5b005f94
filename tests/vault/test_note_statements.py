"""Statements: the lines, contexts and forms that paragraphs, lists, tables and fields give."""

from __future__ import annotations

import pytest

from tests.vault.reading import only, read, statements, texts


@pytest.mark.parametrize("blank", ["\u00a0", "\u2028", "\u3000"], ids=ascii)
def test_a_line_of_an_unusual_blank_is_a_line(blank: str) -> None:
    (said,) = statements(f"{blank}\nThe door is red.\n")
    assert (said.line, said.quote) == (2, "The door is red.")


def test_a_sentence_knows_its_lines_and_its_source() -> None:
    note = read("---\nowner: Jo\n---\n# H\n\nOne is **here**. Two\nis there. Three.\n")
    found = [(s.line, s.end_line, s.text, s.quote) for s in note.statements[1:]]
    assert found == [
        (6, 6, "One is here.", "One is **here**."),
        (6, 7, "Two is there.", "Two\nis there."),
        (7, 7, "Three.", "Three."),
    ]


def test_what_stands_in_code_is_no_field_and_is_said_once() -> None:
    (said,) = statements("Fields look like `(key:: value) here` in a note.")
    assert said.text == "Fields look like (key:: value) here in a note."


def test_a_key_holds_nothing_that_nobody_sees() -> None:
    (said,) = statements("ow\u200bner\x00:: Ines")
    assert (said.key, said.text) == ("owner", "owner: Ines")


def test_a_property_without_a_word_that_shows_says_nothing() -> None:
    assert statements("---\nowner: ^id\n---\n") == ()


def test_neighbours_in_the_block() -> None:
    one, two = statements("**Who holds the key?** Pim does.\n\nElsewhere it rains.")[:2]
    assert (one.text, one.before, one.after) == ("Who holds the key?", None, "Pim does.")
    assert (two.text, two.before, two.after) == ("Pim does.", "Who holds the key?", None)


def test_headings_give_a_path() -> None:
    text = "# A\n\nin a now\n\n### C\n\nin c now\n\n## B\n\nin b now\n"
    assert [s.heading for s in statements(text)] == [("A",), ("A", "C"), ("A", "B")]


def test_a_dated_heading_dates_what_stands_under_it() -> None:
    text = (
        "# Log\n\n## 2026-03-01 Standup\n- Deploys are frozen\n\n### Detail\n\nNot for hotfixes.\n"
        "\n## Rest\n\nIt rains.\n"
    )
    assert [(s.date, s.dated_by) for s in statements(text)] == [
        ("2026-03-01", "inline"), ("2026-03-01", "inline"), (None, "none"),
    ]  # fmt: skip


def test_a_sentence_underlined_by_accident_stays_a_sentence() -> None:
    assert texts("We use Postgres 14.\n---\nMore here.\n") == ["We use Postgres 14.", "More here."]
    assert statements("Title\n---\nMore here.\n")[0].heading == ("Title",)


def test_bullets_hang_under_their_parent() -> None:
    text = "- Deploys\n  - Never on Fridays. Ask Daan.\n    - except hotfixes\n"
    found = [(s.text, s.form, s.listed, s.parent) for s in statements(text)]
    assert found == [
        ("Deploys", "bullet", True, None),
        ("Never on Fridays.", "bullet", True, "Deploys"),
        ("Ask Daan.", "bullet", True, "Deploys"),
        ("except hotfixes", "bullet", True, "Never on Fridays. Ask Daan."),
    ]


def test_a_lead_in_line_is_the_parent_of_the_list() -> None:
    text = "For the new scanners we need these:\n- 250 users per site\n\nOther.\n\n- loose\n"
    assert [(s.text, s.parent) for s in statements(text)] == [
        ("For the new scanners we need these:", None),
        ("250 users per site", "For the new scanners we need these:"),
        ("Other.", None),
        ("loose", None),
    ]


def test_a_short_lead_in_is_only_context() -> None:
    assert [(s.text, s.parent) for s in statements("How:\n1. log the id\n")] == [("log the id", "How:")]


def test_a_label_before_a_picture_leads_nothing() -> None:
    assert [(s.text, s.parent) for s in statements("Photo: ![[x.png]]\n\n- Shoes off\n")] == [
        ("Shoes off", None)
    ]


def test_small_headings_before_a_list() -> None:
    text = (
        "# House\n\n**Flat, Oostende** (let in summer)\n- Boiler is a Junkers\n\n**House**\n- "
        "Boiler is a Vaillant\n\nSchool\n\n- Doors close 17:45\n\nIt rains.\n"
    )
    assert [(s.heading, s.text) for s in statements(text)] == [
        (("House",), "Flat, Oostende (let in summer)"),
        (("House", "Flat, Oostende (let in summer)"), "Boiler is a Junkers"),
        (("House", "House"), "Boiler is a Vaillant"),
        (("House", "School"), "Doors close 17:45"),
        (("House",), "It rains."),
    ]


def test_a_bold_paragraph_stands_over_what_follows() -> None:
    text = "**Backend**\n\nThe port is 8080.\n\n# Next\n\nThe port is 9090.\n"
    assert [s.heading for s in statements(text)] == [("Backend",), ("Next",)]


def test_tasks() -> None:
    text = "- [ ] reply to Jo\n- [x] sent it off\n- [-] no longer needed\n- plain one\n"
    assert [(s.text, s.task, s.struck) for s in statements(text)] == [
        ("reply to Jo", "open", False),
        ("sent it off", "done", False),
        ("no longer needed", "done", True),
        ("plain one", None, False),
    ]


def test_log_lines_carry_their_time_and_date() -> None:
    text = (
        "- 10:20 the pool is exhausted. That is the cause\n- 2026-03-01 paid rent. Then left\n  - "
        "by card\n- nothing\n"
    )
    assert [(s.text, s.time, s.date) for s in statements(text)] == [
        ("10:20 the pool is exhausted.", "10:20", None),
        ("That is the cause", "10:20", None),
        ("2026-03-01 paid rent.", None, "2026-03-01"),
        ("Then left", None, "2026-03-01"),
        ("by card", None, "2026-03-01"),
        ("nothing", None, None),
    ]


def test_table_rows() -> None:
    text = (
        "Vendors:\n\n| vendor | for | € |\n|---|---|---|\n| [[AWS|Amazon]] | all \\| most | 21,500 "
        "|\n| Postmark | | 310 |\n| | | |\n"
    )
    one, two = statements(text)
    assert (one.line, one.form, one.key, one.parent) == (5, "row", "Amazon", "Vendors:")
    assert one.text == "Amazon: for all | most; € 21,500"
    assert one.cells == (("vendor", "Amazon"), ("for", "all | most"), ("€", "21,500"))
    assert one.quote == "| [[AWS|Amazon]] | all \\| most | 21,500 |"
    assert two.text == "Postmark: € 310"


def test_a_row_may_carry_its_date_or_be_struck() -> None:
    one, two = statements("| Fill | Litres |\n|--|--|\n| 8 Nov 2025 | 44.1 |\n| ~~a~~ | ~~b~~ |\n")
    assert (one.date, one.dated_by, one.struck) == ("2025-11-08", "inline", False)
    assert two.struck


def test_fields() -> None:
    text = (
        "reg:: YK19 LNO\n**MOT due**:: by 11 September\n\n- tyre pressure\n  bar:: 2.5\n- paid "
        "[amount:: 40 euro] today\n"
    )
    assert [(s.line, s.form, s.key, s.text, s.parent) for s in statements(text)] == [
        (1, "field", "reg", "reg: YK19 LNO", None),
        (2, "field", "MOT due", "MOT due: by 11 September", None),
        (4, "bullet", None, "tyre pressure", None),
        (5, "field", "bar", "bar: 2.5", "tyre pressure"),
        (6, "bullet", None, "paid today", None),
        (6, "field", "amount", "amount: 40 euro", "paid today"),
    ]


def test_quotes_and_callouts() -> None:
    text = """> Every service owns its database.

> [!danger] Never log a key
> Prefix and last four.

> [!quote] Somebody
> It is so.

> [!example]
> Say so.

> [!note]
> Mine.
> > Theirs.
"""
    assert [(s.text, s.quoted) for s in statements(text)] == [
        ("Every service owns its database.", True),
        ("Never log a key", False),
        ("Prefix and last four.", False),
        ("Somebody", True),
        ("It is so.", True),
        ("Say so.", True),
        ("Mine.", False),
        ("Theirs.", True),
    ]
    assert statements(text)[2].heading == ("Never log a key",)


def test_struck_text() -> None:
    assert only("~~The code is 4411.~~").struck
    part = only("The code is ~~4411~~ 0087.")
    assert (part.text, part.struck, part.quote) == ("The code is 0087.", False, "The code is ~~4411~~ 0087.")
    one, two = statements("~~Old one.~~ New one.")
    assert (one.struck, two.struck) == (True, False)


def test_footnotes_and_link_definitions() -> None:
    text = "The code is 4411.[^1]\n\n[^1]: As told by Jo.\n[^2]: And by Pim.\n\n[ref]: https://example.org\n"
    assert [(s.line, s.text) for s in statements(text)] == [
        (1, "The code is 4411."), (3, "As told by Jo."), (4, "And by Pim."),
    ]  # fmt: skip


def test_tags_of_the_block() -> None:
    found = only("Rain all day. #oncall #work\n")
    assert (found.text, found.tags, found.quote) == (
        "Rain all day.",
        ("oncall", "work"),
        "Rain all day. #oncall #work",
    )


def test_the_quote_keeps_what_the_text_loses() -> None:
    found = only("The code %%old%% is \x1b[31m4411\u200b. ^id1\n")
    assert found.text == "The code is 4411."
    assert found.quote == "The code %%old%% is \x1b[31m4411\u200b. ^id1"
