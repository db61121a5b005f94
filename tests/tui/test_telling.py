"""What is typed in the search, read as a filter."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.store.rows import Facets, StoryFilter
from app.tui.screens.filter import picks
from app.tui.story_view import WHOLE, StoryView, parse, with_field
from app.tui.widgets.completion import Completion


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("", {}),
        ("north jetty", {"text": "north jetty"}),
        ("tag:boat", {"tag": "boat"}),
        ("TAG:boat trust:trusted", {"tag": "boat", "layer": "state"}),
        ("trust:record", {"layer": "entity"}),
        ("layer:canon kind:rev", {"layer": "state", "kind": "reversal"}),
        ("kind:disagreement keypad", {"kind": "disagreement", "text": "keypad"}),
        ('subject:"door code" new', {"subject": "door code", "text": "new"}),
        ('subject:"door co', {"subject": "door co"}),
        ("project:atlas", {"project": "atlas"}),
        ("http://x at 10:30", {"text": "http://x at 10:30"}),
        ("tag: trust:zzz", {}),
    ],
)
def test_fields_and_words(query: str, fields: dict[str, Any]) -> None:
    assert parse(query) == StoryFilter(**fields)


def test_a_day_by_the_notes_and_by_belie() -> None:
    assert StoryView("x", "2026-05-01").filter == StoryFilter(text="x", as_of="2026-05-01")
    assert StoryView("x", "2026-05-01").known_at is None
    record = StoryView("x", "2026-05-01", "belie")
    assert record.filter == StoryFilter(text="x")
    assert record.known_at == "2026-05-01T23:59:59.999999+00:00"
    assert WHOLE.whole and not record.whole


@pytest.mark.parametrize(
    ("query", "field", "value", "after"),
    [
        ("", "tag", "boat", "tag:boat"),
        ("north tag:old jetty", "tag", "boat", "north jetty tag:boat"),
        ("tag:old", "subject", "door code", 'tag:old subject:"door code"'),
        ("", "subject", 'say "no" now', 'subject:"say no now"'),
    ],
)
def test_a_field_takes_the_place_of_its_like(query: str, field: str, value: str, after: str) -> None:
    assert with_field(query, field, value) == after


@given(some.text(alphabet=some.characters(exclude_characters='"'), min_size=1, max_size=40).filter(str.strip))
def test_a_subject_is_read_back_as_it_was_put_in(subject: str) -> None:
    found = parse(with_field("", "subject", subject)).subject
    assert found == subject or subject.split() != [subject]


FACETS = Facets(projects=(("atlas", 3),), tags=(("boat", 9), ("boathouse", 2)), layers=(("state", 4),),
                kinds=(("stale", 2),), subjects=(("door code", 2), ("engine", 2)))  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "completed"),
    [("ta", "tag:"), ("north tag:bo", "north tag:boat"), ("trust:tr", "trust:trusted"),
     ("kind:s", "kind:stale"),
     ("subject:e", "subject:engine"), ("subject:d", None), ("tag:zz", None), ("t", None), ("other:b", None),
     ("", None)],
)  # fmt: skip
async def test_completing_a_field(typed: str, completed: str | None) -> None:
    completion = Completion()
    completion.learn(FACETS)
    assert await completion.get_suggestion(typed) == completed


def test_what_can_be_filtered_by_is_listed_with_how_many_there_are() -> None:
    assert [(pick.kind, pick.words, pick.aside) for pick in picks(FACETS)] == [
        ("kind", "stale", "2"),
        ("trust", "trusted", "4"),
        ("project", "atlas", "3"),
        ("tag", "boat", "9"),
        ("tag", "boathouse", "2"),
        ("subject", "door code", "2"),
        ("subject", "engine", "2"),
    ]
