"""The pages: what is true by each note, disputes beside it, and nothing that is markup."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.mirror.escape import escaped
from app.mirror.pages import INDEX, MARK, NO_FOLDER, pages
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Claim, Conflict, Norm, Slot, Statement
from tests.support.claims_of_notes import claims as claims_of
from tests.support.claims_of_notes import says

ROOT = f"{NO_FOLDER}.md"
PARSER = MarkdownIt("gfm-like", {"linkify": False}).enable("table")


def claim(
    id: str, text: str, subject: str = "door code", *, path: str = "Home/Door.md", line: int = 1,
    date: str | None = None, project: str | None = None, **more: object,
) -> Claim:  # fmt: skip
    statement = Statement(path, line, line, text, text, "sentence", date=date)
    made = Claim(id, statement, "Door", (Norm(subject, value="1"),), project=project)
    return replace(made, **more)  # type: ignore[arg-type]


def dispute(*members: str, id: str = "c-12345678", question: str = "Is it 1?") -> Conflict:
    slot = Slot("memory_slot", "door code")
    return Conflict(id, "disagreement", members, slot, "warn", 0.9, question, ("guard",), ())


def made(*claims: Claim, conflicts: tuple[Conflict, ...] = ()) -> dict[str, str]:
    return pages(claims, conflicts, vault="notes", base="file:///v/")


def test_a_page_per_project_or_folder_and_an_index() -> None:
    found = made(
        claim("a", "The door code is 1.", project="house"),
        claim("b", "The boat is red.", path="Boat.md", line=7, date="2026-01-02", project="Über Boot"),
        claim("c", "The tide is high.", path="Sea/Tides.md"),
        claim("d", "The hut is dry.", path="Hut.md"),
    )
    assert set(found) == {INDEX, "house.md", "Über Boot.md", "Sea.md", ROOT}
    assert found["Über Boot.md"] == (
        f"{MARK}\n# Über Boot\n\n## Door\n\n[Boat.md](file:///v/Boat.md) [[Boat]]\n\n"
        "- The boat is red. (2026-01-02)\n"
    )
    assert "- [house](house.md): 1 line from 1 note\n" in found[INDEX]
    assert "- [Notes in no folder](Notes%20in%20no%20folder.md): 1 line from 1 note\n" in found[INDEX]
    assert all(text.startswith(MARK) for text in found.values())


def test_lines_stand_under_note_and_heading_in_the_order_of_the_note() -> None:
    def under(*heading: str, **more: object) -> Claim:
        one = claim(**more)  # type: ignore[arg-type]
        return replace(one, statement=replace(one.statement, heading=heading))

    page = made(
        under("Door", "Keys", "Spare", id="c", text="Ada has the spare.", line=9),
        under("Door", id="b", text="The door is green.", line=3, date="2026-05-01"),
        under("Door", id="a", text="The door is oak.", line=2, date="2020-01-01"),
        under("Door", "Keys", "Spare", id="d", text="It hangs left.", line=10),
    )["Home.md"]
    assert page == (
        f"{MARK}\n# Home\n\n## Door\n\n[Home/Door.md](file:///v/Home/Door.md) [[Home/Door]]\n\n"
        "- The door is oak. (2020-01-01)\n- The door is green. (2026-05-01)\n\n"
        "### Keys › Spare\n\n- Ada has the spare.\n- It hangs left.\n"
    )


def test_notes_of_one_name_are_told_apart_by_their_folders() -> None:
    page = made(
        claim("a", "It is 1.", path="Home/Porch/Door.md"), claim("b", "It is 2.", path="Home/Attic/Door.md")
    )["Home.md"]
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == ["Door \\(Attic\\)", "Door \\(Porch\\)"]


def test_what_is_said_twice_stands_where_it_was_said_last() -> None:
    page = made(
        claim("a", "It is 3.", path="Home/Old.md", line=9, date="2024-01-01"),
        claim("b", "It is 3.", date="2026-01-01"),
    )["Home.md"]
    assert (
        "- It is 3. (2026-01-01)\n  - also in [Home/Old.md\\:9](file:///v/Home/Old.md) [[Home/Old]]\n" in page
    )
    assert page.count("It is 3.") == 1


def test_disputed_lines_say_so() -> None:
    page = made(
        claim("a", "It is 1.", date="2026-03-01"), claim("b", "It is so."), conflicts=(dispute("a", "z"),)
    )["Home.md"]
    assert "- It is 1. (2026-03-01)\n  - ⚠ disputed, c-12345678: Is it 1?\n" in page
    assert page.count("⚠") == 1


@pytest.mark.parametrize(
    ("older", "newer", "kept"),
    [
        ("The tank pump is a Halden 40.", "The tank pump changed from a Halden 40 to a Halden 65.", "newer"),
        ("The fish broker is Elm & Co.", "The fish broker is now Ashby.", "newer"),
        ("The shed key hangs left.", "The tank pump changed from a Halden 40 to a Halden 65.", "both"),
    ],
)
def test_what_a_later_line_replaced_in_words_is_gone(older: str, newer: str, kept: str) -> None:
    page = made(
        *claims_of(
            says(older, "Old", "2025-01-01"),
            says(newer, "New", "2026-01-01"),
        )
    )[ROOT]
    assert (escaped(older) in page) == (kept == "both")
    assert escaped(newer) in page


def test_what_is_said_again_after_a_change_stays() -> None:
    page = made(
        *claims_of(
            says("The tank pump changed from a Halden 40 to a Halden 65.", "Old", "2025-01-01"),
            says("The tank pump is a Halden 40.", "New", "2026-01-01"),
        )
    )[ROOT]
    assert "The tank pump is a Halden 40." in page


def test_what_is_not_currently_said_is_left_out() -> None:
    struck = claim("s", "Struck.")
    found = made(
        claim("a", "Kept."),
        claim("b", "Superseded.", status="superseded"),
        claim("c", "Retracted.", status="retracted"),
        claim("d", "Candidate.", status="candidate"),
        claim("e", "Silent.", silent="archive folder"),
        claim("f", "Planned.", norms=(Norm("x", standing="planned"),)),
        replace(struck, statement=replace(struck.statement, struck=True)),
        claim("g", "No norm.", norms=()),
    )
    assert re.findall(r"^- (\w+)", found["Home.md"], re.MULTILINE) == ["Kept"]


def test_the_order_claims_come_in_does_not_matter() -> None:
    claims = [
        claim(f"{n:02}", f"It is {n % 7}.", f"thing {n % 3}", line=n, project=f"p{n % 2}") for n in range(40)
    ]
    conflicts = [dispute(f"{n:02}", f"{n + 1:02}", id=f"c-{n:08}") for n in range(0, 40, 5)]
    first = pages(claims, conflicts, vault="v", base="")
    chance = random.Random(3)
    chance.shuffle(claims)
    chance.shuffle(conflicts)
    again = pages(claims, conflicts, vault="v", base="")
    assert again == first


def test_projects_whose_names_are_alike_have_pages_of_their_own() -> None:
    names = ["a b", "a-b", "A/B", "index", "...", "x" * 300, "../up", "a|b"]
    found = made(*(claim(str(n), "It is so.", project=name) for n, name in enumerate(names)))
    assert set(found) == {
        "index.md", "a b.md", "a-b.md", "A B 2.md", "index 2.md", "Unnamed.md", "x" * 80 + ".md", "up.md",
        "a b 3.md",
    }  # fmt: skip


def walk(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from walk(token.children or [])


def kinds(text: str) -> list[tuple[str, str]]:
    found = walk(PARSER.parse(text))
    return [(t.type, str(t.attrGet("href") or "")) for t in found if t.type not in ("text", "text_special")]


NASTY = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            "# - + 1. 2) > ``` ~~~ [[X]] [a](b) <b> ![i](j) **b** | --- === \\ https://x.y www.x.y a@b.c "
            "^id k:: %% $$ {{x}} <!-- --> &amp; #tag [^1] [x]: * _ ~~ == \x1b[31m \u202e \n \t"
            .split(" ")
        ), max_size=8,
    ).map(" ".join),
)  # fmt: skip


@given(NASTY, NASTY, NASTY, NASTY)
def test_nothing_in_a_note_becomes_markup_of_the_page(
    text: str, subject: str, question: str, project: str
) -> None:
    def page(text: str, subject: str, question: str, project: str) -> list[list[tuple[str, str]]]:
        one = claim("a", text, subject, project=project)
        found = made(one, conflicts=(dispute("a", "b", question=question),))
        return [
            [(kind, "" if href.endswith(".md") and "/" not in href else href) for kind, href in kinds(page)]
            for _, page in sorted(found.items(), key=lambda item: item[0] == INDEX)
        ]

    # Blank names and texts leave an empty line of their kind, so each gets one plain word to stand on.
    assert page(f"w {text}", f"w {subject}", f"w {question}", f"w {project}") == page("w", "w", "w", "w")


@given(NASTY)
def test_an_escaped_text_reads_as_it_was(text: str) -> None:
    shown = "".join(
        t.content for t in walk(PARSER.parse(f"- {escaped(text)}")) if t.type in ("text", "text_special")
    )
    words = lambda s: re.sub(r"[\W_]+", " ", s).split()  # noqa: E731
    plain = "".join(c if c.isprintable() else " " for c in text)
    assert words(shown) == words(plain)


@given(st.text(max_size=30), st.text(max_size=30))
def test_an_escaped_text_opens_no_block(before: str, text: str) -> None:
    assert "\n" not in escaped(before + text)
    types = {t.type for t in walk(PARSER.parse(f"- {escaped(text)}\n"))}
    assert types <= {
        "bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close", "paragraph_open",
        "paragraph_close", "inline", "text", "text_special",
    }  # fmt: skip


def test_the_reader_leaves_pages_alone() -> None:
    page = made(claim("a", "The door code is 1."))["Home.md"]
    note = read_note("mirror/Home.md", page.encode(), VaultSettings())
    assert note.statements == ()
    assert note.silent == "page of the mirror"
    own = read_note("Own.md", page.replace("belie: mirror", "belie: yes").encode(), VaultSettings())
    assert own.statements != ()


def test_addresses_and_fields_are_no_links() -> None:
    assert escaped("see https://a.b/c or www.a.b or c@d.e, k:: v") == (
        "see https\\://a.b/c or www\\.a.b or c\\@d.e, k\\:\\: v"
    )
