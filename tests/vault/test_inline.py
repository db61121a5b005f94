"""Inline markup: what a reader sees of it."""

from __future__ import annotations

import pytest

from app.vault.inline import clean, clean_line, seen


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("[[Note]]", "Note"),
        ("[[folder/Note]]", "Note"),
        ("[[Note|alias]]", "alias"),
        ("[[Note\\|alias]]", "alias"),
        ("[[Note#Heading]]", "Note Heading"),
        ("[[Note#Heading|it]]", "it"),
        ("[[Note#^block]]", "Note"),
        ("[text](https://a.b/c_(d))", "text"),
        ('[text](<a b.md> "title")', "text"),
        ("[**bold** text](x.md)", "bold text"),
        ("[![badge](a.svg)](b)x", "x"),
        ("see [text][ref] here", "see text here"),
        ("see [1] here", "see [1] here"),
        ("<https://a.b> stays", "https://a.b stays"),
        ("https://a.b/c_d_e*f* stays", "https://a.b/c_d_e*f* stays"),
        ("**bold** and *it* and __b__ and _i_", "bold and it and b and i"),
        ("***both***", "both"),
        ("snake_case_name", "snake_case_name"),
        ("2*3*4 = 24", "2*3*4 = 24"),
        ("a * b * c", "a * b * c"),
        ("==marked== but a == b", "marked but a == b"),
        ("\\*not emphasis\\*", "*not emphasis*"),
        ("`code *as is*`", "code *as is*"),
        ("``a `tick` b``", "a `tick` b"),
        ("an embed ![[x.png|300]] gone", "an embed gone"),
        ("an image ![alt](x.png) gone", "an image gone"),
        ("a note[^1] here", "a note here"),
        ("a note^[inline one] here", "a note here"),
        ("an id ^abc123", "an id"),
        ("2^10 stays", "2^10 stays"),
        ("fish &amp; chips &#38; peas", "fish & chips & peas"),
        ("AT&T stays", "AT&T stays"),
        ("<b>bold</b> a<br>b", "bold a b"),
        ("5 < 6 and 7 > 3", "5 < 6 and 7 > 3"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("red \x1b[31malarm\x1b[0m \x07", "red alarm"),
        ("((64a1b2c3-1111-2222-3333-444455556666)) ref", "ref"),
        ("{{embed ((64a1))}} gone", "gone"),
        ("pay 📅 2026-03-01 ✅ 2026-03-02", "pay"),
        ("was ~~4411~~ 0087", "was 0087"),
        ("was <del>4411</del> 0087", "was 0087"),
    ],
)
def test_shows(raw: str, shown: str) -> None:
    assert clean_line(raw) == shown


@pytest.mark.parametrize(
    ("raw", "shown", "tags"),
    [
        ("Rain all day. #oncall", "Rain all day.", ["oncall"]),
        ("#daily #family", "", ["daily", "family"]),
        ("#work Deploys are frozen", "Deploys are frozen", ["work"]),
        ("Went begging in #reviews.", "Went begging in reviews.", ["reviews"]),
        ("Wrote it up in #shipped today", "Wrote it up in shipped today", ["shipped"]),
        ("Talk in #reviews", "Talk in reviews", ["reviews"]),
        ("tag #a/b, #c", "tag", ["a/b", "c"]),
        ("#[[two words]] here", "here", ["two words"]),
        ("room #42 and C#", "room #42 and C#", []),
        ("https://a.b/#frag", "https://a.b/#frag", []),
    ],
)
def test_tags(raw: str, shown: str, tags: list[str]) -> None:
    inline = clean(raw)
    assert " ".join(inline.text.split()) == shown
    assert inline.tags == tags


def test_bracketed_fields_are_taken_out() -> None:
    inline = clean("paid [amount:: 40 [[euro]]] to (who:: Jo) today")
    assert " ".join(inline.text.split()) == "paid to today"
    assert [(key, value) for key, value, _, _ in inline.fields] == [("amount", "40 euro"), ("who", "Jo")]


def test_code_with_colons_is_no_field() -> None:
    assert clean_line("use `std::vector` there") == "use std::vector there"
    assert clean("use std::vector there").text == "use std::vector there"


def test_struck_whole() -> None:
    inline = clean("~~The code is 4411.~~")
    assert seen(inline, 0, len(inline.text)) == ("The code is 4411.", True)


def test_line_breaks_survive_whatever_is_dropped() -> None:
    raw = "a ![alt](x.png)\nb `co\nde` [[N]]\n~~c~~ d"
    assert clean(raw).text.count("\n") == raw.count("\n")


def test_positions_lead_back_to_the_source() -> None:
    raw = "**Decision.** rater *no longer* goes. [[Redis|It]] is gone."
    inline = clean(raw)
    assert raw[inline.raw_offset(inline.text.index("rater")) :].startswith("rater *no")
    assert raw[inline.raw_offset(inline.text.index("It is")) :].startswith("[[Redis|It]]")
    assert inline.raw_offset(0) == 0


def test_stops_inside_code_and_links_are_hidden_from_the_splitter() -> None:
    inline = clean("Press `.` Then [[St. Mary. Church]] ok")
    assert "." not in inline.shape
    assert len(inline.shape) == len(inline.text)
