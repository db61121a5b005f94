"""The pages: what is said of each thing, the newest first, disputes beside it, and nothing that is markup."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.mirror.escape import escaped
from app.mirror.pages import INDEX, MARK, pages
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Claim, Conflict, Norm, Slot, Statement

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


def test_a_page_per_project_and_an_index() -> None:
    found = made(
        claim("a", "The door code is 1.", project="house"),
        claim(
            "b", "The boat is red.", "boat", project="Über Boot", path="Boat.md", line=7, date="2026-01-02"
        ),
        claim("c", "The tide is high.", "tide"),
    )
    other = next(name for name in found if name.startswith("über-boot-"))
    assert set(found) == {INDEX, "house.md", other, "_.md"}
    assert found[other] == (
        f"{MARK}\n# Über Boot\n\n## boat\n\n"
        "- The boat is red. (2026-01-02)\n  - [Boat.md\\:7](file:///v/Boat.md) [[Boat]]\n"
    )
    assert "- [house](house.md): 1 subjects, 1 lines\n" in found[INDEX]
    assert "Without a project" in found[INDEX]
    assert all(text.startswith(MARK) for text in found.values())


def test_the_newest_settled_line_comes_first_and_disputed_ones_say_so() -> None:
    page = made(
        claim("a", "It is 1.", date="2026-03-01"),
        claim("b", "It is 2.", date="2025-01-01"),
        claim("c", "It is 3.", date="2026-01-01"),
        claim("d", "It is 4.", line=4),
        claim("e", "It is 3.", path="Other.md", line=9, date="2024-01-01"),
        conflicts=(dispute("a", "z"),),
    )["_.md"]
    assert re.findall(r"^- It is (\d)", page, re.MULTILINE) == ["3", "2", "4", "1"]
    assert "- It is 1. (2026-03-01)\n  - ⚠ disputed, c-12345678: Is it 1?\n" in page
    assert page.count("⚠") == 1
    assert "[Home/Door.md\\:1](file:///v/Home/Door.md) [[Home/Door]], [Other.md\\:9]" in page


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
    assert re.findall(r"^- (\w+)", found["_.md"], re.MULTILINE) == ["Kept"]


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


def test_projects_whose_names_fold_into_one_have_pages_of_their_own() -> None:
    names = ["a b", "a-b", "A B", "index", "INDEX", "...", "x" * 300, "../up", "a/b"]
    found = made(*(claim(str(n), "It is so.", project=name) for n, name in enumerate(names)))
    assert len(found) == len(names) + 1
    assert all(re.fullmatch(r"[\w-]{1,60}\.md", name) for name in found)


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
    page = made(claim("a", "The door code is 1."))["_.md"]
    note = read_note("mirror/_.md", page.encode(), VaultSettings())
    assert note.statements == ()
    assert note.silent == "page of the mirror"
    own = read_note("Own.md", page.replace("belie: mirror", "belie: yes").encode(), VaultSettings())
    assert own.statements != ()


def test_addresses_and_fields_are_no_links() -> None:
    assert escaped("see https://a.b/c or www.a.b or c@d.e, k:: v") == (
        "see https\\://a.b/c or www\\.a.b or c\\@d.e, k\\:\\: v"
    )
