"""Each style in each kind of place: exactly the losing statement is marked, struck or replaced."""

from __future__ import annotations

import pytest
import yaml

from app.vault.settings import VaultSettings
from app.writeback.edits import CannotWrite
from app.writeback.propose import propose
from tests.writeback.building import LINK, MARK, WINNER, after, claim, claims

SAYS = "The garage door code is 4411"


@pytest.mark.parametrize(
    ("note", "text", "annotated", "struck"),
    [
        (f"{SAYS}.\n", f"{SAYS}.", f"{SAYS}. {MARK}\n", f"~~{SAYS}.~~\n"),
        (f"- {SAYS}", SAYS, f"- {SAYS} {MARK}", f"- ~~{SAYS}~~"),
        (f"It is old. {SAYS}. It is red.\n", f"{SAYS}.", f"It is old. {SAYS}. {MARK} It is red.\n",
         f"It is old. ~~{SAYS}.~~ It is red.\n"),
        (f"- Doors\n\t- {SAYS} ^a-1\n", SAYS, f"- Doors\n\t- {SAYS} {MARK} ^a-1\n",
         f"- Doors\n\t- ~~{SAYS}~~ ^a-1\n"),
        (f"- [ ] {SAYS} 📅 2026-01-02 #home ^x\n", SAYS,
         f"- [ ] {SAYS} {MARK} 📅 2026-01-02 #home ^x\n", f"- [ ] ~~{SAYS}~~ 📅 2026-01-02 #home ^x\n"),
        (f"- [x] #door {SAYS}\n", SAYS, f"- [x] #door {SAYS} {MARK}\n", f"- [x] #door ~~{SAYS}~~\n"),
        (f"> [!note] Doors\n> {SAYS}\n> and more. Fine.\n", f"{SAYS} and more.",
         f"> [!note] Doors\n> {SAYS}\n> and more. {MARK} Fine.\n",
         f"> [!note] Doors\n> ~~{SAYS}~~\n> ~~and more.~~ Fine.\n"),
        (f"**{SAYS}.** Fine.\n", f"{SAYS}.", f"**{SAYS}. {MARK}** Fine.\n", f"**~~{SAYS}.~~** Fine.\n"),
        ("The [[Garage|garage]] `door` code is 4411.\n", f"{SAYS}.",
         f"The [[Garage|garage]] `door` code is 4411. {MARK}\n",
         "~~The [[Garage|garage]] `door` code is 4411.~~\n"),
        ("The ~~old~~ garage door code is 4411.\n", f"{SAYS}.",
         f"The ~~old~~ garage door code is 4411. {MARK}\n",
         "~~The~~ ~~old~~ ~~garage door code is 4411.~~\n"),
        ("code:: 4411\n", "code: 4411", f"code:: 4411 {MARK}\n", "code:: ~~4411~~\n"),
        ("Door [code:: 4411] here.\n", "code: 4411", f"Door [code:: 4411 {MARK}] here.\n",
         "Door [code:: ~~4411~~] here.\n"),
        ("---\ncode: 4411\n---\nText.\n", "code: 4411", f"---\ncode: 4411 # {MARK}\n---\nText.\n",
         '---\ncode: "~~4411~~"\n---\nText.\n'),
        ("---\nkeys: [a, 'b']\n---\nText.\n", "keys: a, b", f"---\nkeys: [a, 'b'] # {MARK}\n---\nText.\n",
         '---\nkeys: ["~~a~~", "~~b~~"]\n---\nText.\n'),
        ("---\nkeys:\n  - a\n  - b\n---\nText.\n", "keys: a, b",
         f"---\nkeys:\n  - a\n  - b # {MARK}\n---\nText.\n",
         '---\nkeys:\n  - "~~a~~"\n  - "~~b~~"\n---\nText.\n'),
    ],
    ids=["paragraph", "bullet", "one sentence of three", "nested, tab, block id", "task with date and tag",
         "opening tag", "callout over two lines", "bold", "link and code", "struck part", "field line",
         "bracketed field", "property", "flow list", "block list"],
)  # fmt: skip
def test_marks_and_strikes(note: str, text: str, annotated: str, struck: str) -> None:
    assert after(note, text, "annotate") == annotated
    assert after(note, text, "strike") == struck


TABLE = (
    "| Door | Code | Hue |\n|---|:-:|---|\n| Garage \\| left | 4411 | [[Red|red]] |\n| Hall | 12 | blue |\n"
)
ROW = "Garage | left: Code 4411; Hue red"


def test_in_a_table_only_the_cell_is_touched_and_pipes_stay() -> None:
    in_table = MARK.replace("|", "\\|")
    assert after(TABLE, ROW, "annotate") == TABLE.replace("4411", f"4411 {in_table}")
    assert after(TABLE, ROW, "strike") == TABLE.replace("4411", "~~4411~~")
    assert after(TABLE, ROW, "replace") == TABLE.replace("4411", "0087")


def test_a_row_without_a_telling_value_is_struck_cell_by_cell() -> None:
    note = "| a | b | c |\n|---|---|---|\n| Hall | blue | blue |\n"
    text = claims("Garage.md", note.encode())[0].statement.text
    assert after(note, text, "strike") == note.replace("Hall", "~~Hall~~").replace("blue", "~~blue~~")


@pytest.mark.parametrize(
    ("note", "text", "replaced"),
    [
        (f"Old. {SAYS}. Not 44110.\n", f"{SAYS}.", "Old. The garage door code is 0087. Not 44110.\n"),
        ("code:: 4411\n", "code: 4411", "code:: 0087\n"),
        ("---\ncode: 4411\n---\nText.\n", "code: 4411", '---\ncode: "0087"\n---\nText.\n'),
        ("---\ncode: '4411'\n---\nText.\n", "code: 4411", "---\ncode: '0087'\n---\nText.\n"),
    ],
)  # fmt: skip
def test_replaces_the_value(note: str, text: str, replaced: str) -> None:
    assert after(note, text, "replace") == replaced


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("Text here.\n", f'---\nsuperseded_by: "{LINK}"\n---\nText here.\n'),
        ("---\na: 1\n---\nText here.\n", f'---\na: 1\nsuperseded_by: "{LINK}"\n---\nText here.\n'),
        ("---\nsuperseded_by:\n---\nText here.\n", f'---\nsuperseded_by: "{LINK}"\n---\nText here.\n'),
        ("\ufeff---\r\na: 1\r\n---\r\nText here.\r\n",
         f'\ufeff---\r\na: 1\r\nsuperseded_by: "{LINK}"\r\n---\r\nText here.\r\n'),
        ("\ufeffText here.\r\n", f'\ufeff---\r\nsuperseded_by: "{LINK}"\r\n---\r\nText here.\r\n'),
    ],
)  # fmt: skip
def test_the_whole_note_is_superseded(note: str, expected: str) -> None:
    made = after(note, "Text here.", "frontmatter")
    assert made == expected
    block = made.removeprefix("\ufeff").split("---")[1]
    assert yaml.safe_load(block)["superseded_by"] == LINK


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("style", ["annotate", "strike", "replace"])
def test_line_ends_and_byte_order_mark_stay(end: str, mark: str, style: str) -> None:
    note = f"{mark}# Keys{end}{end}{SAYS}.{end}{end}Last line"
    made = after(note, f"{SAYS}.", style)  # type: ignore[arg-type]
    lines, old = made.split(end), note.split(end)
    assert len(lines) == len(old)
    assert [n for n, pair in enumerate(zip(lines, old, strict=True)) if pair[0] != pair[1]] == [2]


@pytest.mark.parametrize(
    ("note", "text", "style", "why"),
    [
        (f"{SAYS}. It is **red. And old.**\n", "It is red.", "strike", "Emphasis goes over"),
        ("[Red. And old.](x.md)\n", "Red.", "strike", "link goes over"),
        ("At door 4411 the code is 4411.\n", "At door 4411 the code is 4411.", "replace", "more than once"),
        ("Walk slowly there.\n", "Walk slowly there.", "replace", "gives no value"),
        ("---\ntext: |\n  one\n  two\n---\nText.\n", "text: one two", "strike", "several lines"),
        ("---\na: [1\n---\nText here.\n", "Text here.", "frontmatter", "broken frontmatter"),
        ('---\nsuperseded_by: "[[X]]"\n---\nText here.\n', "Text here.", "frontmatter", "already"),
    ],
)  # fmt: skip
def test_refuses_what_it_cannot_do_safely(note: str, text: str, style: str, why: str) -> None:
    with pytest.raises(CannotWrite, match=why):
        after(note, text, style)  # type: ignore[arg-type]


def test_a_statement_that_is_gone_or_marked_already_is_refused() -> None:
    data = f"{SAYS}.\n".encode()
    loser = claim("Garage.md", data, f"{SAYS}.")
    with pytest.raises(CannotWrite, match="no longer stands"):
        propose(b"Something else.\n", loser, WINNER, "strike")
    with pytest.raises(CannotWrite, match="not UTF-8"):
        propose(b"\xff\xfe" + data, loser, WINNER, "strike")
    for style in ("annotate", "strike"):
        again = propose(data, loser, WINNER, style).after  # type: ignore[arg-type]
        with pytest.raises(CannotWrite, match="already"):
            propose(again, loser, WINNER, style)  # type: ignore[arg-type]


def test_a_line_that_moved_since_it_was_read_is_found() -> None:
    data = f"{SAYS}.\n".encode()
    loser = claim("Garage.md", data, f"{SAYS}.")
    edit = propose(b"New first line.\n\n" + data, loser, WINNER, "strike")
    assert edit.after == f"New first line.\n\n~~{SAYS}.~~\n".encode()
    assert edit.lines == (3,)


def test_equal_sentences_on_one_line_are_told_apart() -> None:
    data = b"Yes it is. Yes it is. Yes it is.\n"
    middle = claims("Garage.md", data)[1]
    assert propose(data, middle, WINNER, "strike").after == b"Yes it is. ~~Yes it is.~~ Yes it is.\n"


@pytest.mark.parametrize(
    ("path", "quote", "link"),
    [
        ("House.md", "It is 0087. ^d1", "[[House#^d1|House]]"),
        ("Sub/House.md", "It is 0087.", "[[Sub/House|House]]"),
        ("House.md", "It is 0087.", "[[House]]"),
        ("Odd #1 [x].md", "It is 0087.", "[Odd 1 x](Odd%20%231%20%5Bx%5D.md)"),
    ],
)
def test_the_link_leads_to_the_winner(path: str, quote: str, link: str) -> None:
    winner = claims(path, quote.encode())[0]
    assert (
        after("It is 4411.\n", "It is 4411.", "annotate", winner) == f"It is 4411. ⟶ superseded by {link}\n"
    )


def test_in_a_logseq_graph_the_link_is_the_page() -> None:
    settings = VaultSettings(logseq=True)
    winner = claims("pages/house___doors.md", b"- It is 0087.\n", settings)[0]
    loser = claims("pages/garage.md", b"- It is 4411.\n", settings)[0]
    edit = propose(b"- It is 4411.\n", loser, winner, "annotate", settings)
    assert edit.after.decode() == "- It is 4411. ⟶ superseded by [[house/doors]]\n"
    with pytest.raises(CannotWrite, match="Logseq"):
        propose(b"- It is 4411.\n", loser, winner, "frontmatter", settings)
