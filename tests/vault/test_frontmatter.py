"""Frontmatter: whatever stands there, it is never an error."""

from __future__ import annotations

from app.vault.frontmatter import read_frontmatter
from tests.vault.reading import read


def block(body: str) -> str:
    return f"---\n{body}\n---\ntext"


def test_values_are_kept_as_written() -> None:
    front = read_frontmatter(block("port: 0087\nfee: £180\non: yes\ndate: 2026-03-01\nempty:\nnull_: ~"))
    assert {p.key: p.items for p in front.properties} == {
        "port": ("0087",), "fee": ("£180",), "on": ("yes",), "date": ("2026-03-01",),
        "empty": (), "null_": (),
    }  # fmt: skip


def test_lists_and_lines() -> None:
    front = read_frontmatter(block("tags: [a, b]\naliases:\n  - One\n  - Two\nowner: Daan"))
    assert front.by_key["tags"].items == ("a", "b")
    aliases = front.by_key["aliases"]
    assert (aliases.items, aliases.line, aliases.end_line) == (("One", "Two"), 3, 5)
    assert front.by_key["owner"].line == 6
    assert front.end_line == 7


def test_broken_yaml_keeps_what_can_be_read() -> None:
    front = read_frontmatter(block("owner: Daan\ntitle: Foo: bar\ntags: [a, b]\n\tx: 1"))
    assert front.problems == ("broken frontmatter, line 3",)
    assert front.text("owner") == "Daan"
    assert front.text("title") == "Foo: bar"
    assert front.by_key["tags"].items == ("a", "b")


def test_templates_are_noticed() -> None:
    assert read_frontmatter(block("date: {{date}}\nowner: Jo")).template
    assert read_frontmatter(block("date: <% tp.date.now() %>")).template
    assert not read_frontmatter(block("owner: Jo")).template


def test_duplicate_keys_count_once_and_are_reported() -> None:
    front = read_frontmatter(block("owner: Daan\nowner: Jo"))
    assert [p.text for p in front.properties] == ["Jo"]
    assert front.problems == ("frontmatter key 'owner' twice, line 3",)


def test_aliases_are_not_expanded() -> None:
    bomb = "a: &a [x, x]\n" + "\n".join(
        f"{c}: &{c} [*{p}, *{p}]" for p, c in zip("abcdefgh", "bcdefghi", strict=True)
    )
    front = read_frontmatter(block(bomb + "\nname: &n Jo\nsame: *n"))
    assert front.text("same") == "Jo"
    assert max(len(p.items) for p in front.properties) <= 2


def test_not_a_mapping() -> None:
    assert read_frontmatter(block("- a\n- b")).problems == ("frontmatter is not a list of keys, line 2",)
    assert read_frontmatter(block("just words")).problems == ("frontmatter is not a list of keys, line 2",)


def test_deep_and_large_blocks_are_bounded() -> None:
    assert read_frontmatter(block("a: " + "[" * 1_000)).problems
    large = read_frontmatter(block("a: b\n" * 50_000))
    assert large.problems == ("frontmatter too large, line 1",)
    assert large.end_line == 50_003


def test_a_rule_is_no_frontmatter() -> None:
    assert read_frontmatter("---\ntext without end").end_line == 0
    assert read_frontmatter("--- x\na: b\n---\n").end_line == 0
    assert read_frontmatter("text\n---\na: b\n---\n").end_line == 0


def test_properties_become_statements_at_their_lines() -> None:
    note = read("---\ntags: [a]\nmonthly_fee: £180\ncontact: '[[Gareth Pellow]]'\nupdated: 2026-01-02\n---\n")
    assert [(s.line, s.form, s.key, s.text, s.quote, s.date, s.dated_by) for s in note.statements] == [
        (3, "property", "monthly_fee", "monthly_fee: £180", "monthly_fee: £180", "2026-01-02", "frontmatter"),
        (
            4,
            "property",
            "contact",
            "contact: Gareth Pellow",
            "contact: '[[Gareth Pellow]]'",
            "2026-01-02",
            "frontmatter",
        ),
    ]


def test_crlf_and_bom_change_nothing() -> None:
    plain = "---\nowner: Daan\n---\n# H\n\nThe code is 4411.\n"
    expected = [(s.line, s.text) for s in read(plain).statements]
    crlf = b"\xef\xbb\xbf" + plain.replace("\n", "\r\n").encode()
    assert (
        [(s.line, s.text) for s in read(crlf).statements]
        == expected
        == [(2, "owner: Daan"), (6, "The code is 4411.")]
    )
    assert [(s.line, s.text) for s in read(plain.encode("utf-16")).statements] == expected
