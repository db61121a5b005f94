"""A note as a whole: title, project, layer, and why it may be silent."""

from __future__ import annotations

import pytest

from tests.vault.reading import only, read, texts


def front(body: str, text: str = "The code is 4411.") -> str:
    return f"---\n{body}\n---\n{text}\n"


def test_the_title() -> None:
    assert read("# Other", "a/Garage.md").title == "Garage"
    assert read(front("title: The garage"), "a/g.md").title == "The garage"
    assert read("# Standup", "2026-03-01.md").title == "Standup"
    assert read("# Node", "docs/1003/README.md").title == "Node"
    assert read("text", "2026-03-01.md").title == "2026-03-01"


def test_aliases_tags_and_properties() -> None:
    note = read(front("aliases: [CON-03, Privacy]\ntags: a, b\nowner: Jo", "Rain. #c"))
    assert note.aliases == ("CON-03", "Privacy")
    assert note.tags == ("a", "b", "c")
    assert note.properties == (("aliases", "CON-03, Privacy"), ("tags", "a, b"), ("owner", "Jo"))


def test_the_project() -> None:
    assert read(front("project: '[[Atlas|the Atlas]]'")).project == "the Atlas"
    assert read("x", "Home/Garage.md").project is None
    assert read("x", "Home/Garage.md", folders_are_projects=True).project == "Home"
    assert read("x", "Garage.md", folders_are_projects=True).project is None


def test_layers() -> None:
    assert read("x").layer == "memory"
    decision = read(front("type: decision"))
    assert (decision.layer, decision.entity) == ("entity", "decision")
    canon = read(front("trust: canon\ntype: component"))
    assert (canon.layer, canon.entity) == ("state", "component")
    assert read(front("type: diary")).layer == "memory"


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        (front("status: superseded"), "a.md", "status superseded"),
        (front("status: Archived"), "a.md", "status archived"),
        ("x", "work/archive/a.md", "archive folder"),
        ("x", "Templates/a.md", "template folder"),
        (front("tags: [template]"), "a.md", "template"),
        (front("date: {{date}}"), "a.md", "template"),
        (front("title: 'Postmortem {{title}}'"), "a.md", "template"),
        (front("status: accepted"), "a.md", None),
        ("x", "Archives of Ghent/a.md", None),
        ("x", "Archive.md", None),
    ],
)
def test_why_a_note_is_silent(text: str, path: str, reason: str | None) -> None:
    assert read(text, path).silent == reason


def test_silent_folders_can_be_named() -> None:
    assert read("x", "Old/a.md", silent_folders=("old",)).silent == "old folder"
    assert read("x", "Archive/a.md", silent_folders=("old",)).silent is None


def test_drafts() -> None:
    assert read(front("status: draft")).draft
    assert read("x", "inbox/raw/a.md", draft_folders=("Inbox/raw",)).draft
    assert read("x", "a/inbox/b.md", draft_folders=("Inbox",)).draft
    assert not read("x", "b/inbox/raw/a.md", draft_folders=("Inbox/raw",)).draft


def test_notes_in_other_languages_are_silent_but_read() -> None:
    dutch = (
        "Het wachtwoord van de router is niet meer wat het was, want we hebben het met de buren "
        "van boven moeten delen en dat was geen goed idee."
    )
    note = read(dutch)
    assert note.silent == "not in English"
    assert len(note.statements) == 1
    assert read("路由器的密码已经更改了请不要再使用旧的密码谢谢大家的合作").silent == "not in English"
    assert (
        read(
            "Juf Annelies says it is fine and that the door of the school in Sint-Bavo will be open "
            "for us at nine on all the days."
        ).silent
        is None
    )
    assert read("Maandag, dinsdag.").silent is None


def test_how_a_statement_is_dated() -> None:
    text = front("created: 2025-01-01\nupdated: 2025-02-02", "The code is 4411.")
    assert (only(text).date, only(text).dated_by) == ("2025-02-02", "frontmatter")
    daily = only(text, "daily/2026-03-01.md")
    assert (daily.date, daily.dated_by) == ("2026-03-01", "daily")
    inline = only(front("updated: 2025-02-02", "2026-04-04 the code is 4411."))
    assert (inline.date, inline.dated_by) == ("2026-04-04", "inline")
    middle = only("The pass expires on 3 August 2026.")
    assert (middle.date, middle.dated_by) == (None, "none")


def test_as_of_dates_only_what_nothing_else_dates() -> None:
    as_of = "As of 30 October 2025 our mail leaves through Postmark."
    assert only(as_of).date == "2025-10-30"
    assert only(front("updated: 2026-02-02", as_of)).date == "2026-02-02"


def test_a_date_that_opens_an_undated_note_dates_it() -> None:
    note = read("# Cars\n\nSat 5 April 2025, sorting papers.\n\nWe run two cars.\n")
    assert note.date == "2025-04-05"
    assert {s.date for s in note.statements} == {"2025-04-05"}
    log = read("2025-04-05 sorted.\n\n2025-05-05 sold.\n\nWe run two cars.\n")
    assert log.date is None
    assert [s.date for s in log.statements] == ["2025-04-05", "2025-05-05", None]


def test_bytes_that_are_no_text() -> None:
    assert read(b"\x00\x01\x02" * 100).problems == ("binary",)
    assert read(b"\x00\x01\x02" * 100).statements == ()
    bad = read(b"# H\n\nThe caf\xe9 is open.\n")
    assert bad.problems == ("not UTF-8, line 3",)
    assert len(bad.statements) == 1
    assert read(b"a\nThe door\x00 is open.\n").problems == ("NUL byte, line 2",)


def test_equal_texts_are_told_apart_by_number() -> None:
    note = read("# A\n\n- Same text here\n- Same text here\n\n# B\n\n- Same text here\n")
    assert [s.ordinal for s in note.statements] == [0, 1, 0]
    assert len({s.content_hash for s in note.statements}) == 1


def test_what_says_nothing_is_left_out() -> None:
    text = """# Only a heading

```
code = 4411
```

    indented = 4411

$$
x = 4411
$$

<!-- hidden 4411 -->

%% hidden 4411 %%

<% tp.file.title %>

<div>block 4411</div>

![[photo.png]]

https://example.org/4411

- https://example.org/4411

#daily #family

---
"""
    assert texts(text) == []


def test_comments_do_not_reach_into_code_and_code_not_into_text() -> None:
    text = "```matlab\n%% section\n```\n\nThe code is 4411.\n\n```\n%% again\n```\n\nThe port is 8080.\n"
    assert texts(text) == ["The code is 4411.", "The port is 8080."]


def test_a_comment_never_closed_hides_the_rest() -> None:
    assert texts("The code is 4411.\n\n%%\nhidden\n") == ["The code is 4411."]
    assert texts("It is 100%% sure.") == ["It is 100%% sure."]


def test_ten_thousand_headings_and_deep_nesting() -> None:
    headings = read("".join(f"# h{n}\n\ntext {n} here\n\n" for n in range(10_000)))
    assert len(headings.statements) == 10_000
    assert headings.statements[-1].heading == ("h9999",)
    outline = read("".join("  " * n + f"- level {n} of it\n" for n in range(1_000)))
    assert len(outline.statements) > 40
    assert read(">" * 5_000 + " deep").problems == ()


def test_a_megabyte_on_one_line() -> None:
    note = read("word " * 200_000)
    assert note.statements == ()
    assert note.problems == ("too long to be a statement, line 1",)
    assert len(read("This is one. " * 50_000).statements) == 50_000
