"""What a statement says is over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detective.endings import Switch, read_endings, read_switch
from app.detective.story_words import stems


@pytest.mark.parametrize(
    ("text", "was", "now"),
    [
        ("We moved the orchard rota from Basecamp to Trello.", "basecamp", "trello"),
        ("Moved off Hetzner, the new boxes are in Graz.", "hetzner", ""),
        ("Replaced Munin with Zabbix on all hosts.", "munin", "zabbix"),
        ("Munin was replaced by Zabbix.", "munin", "zabbix"),
        ("Left Vattnet for Elgiganten in May.", "vattnet", "elgiganten"),
        ("Munin out, Zabbix in.", "munin", "zabbix"),
        ("The Trello board is dead.", "board", ""),
        ("Cancelled Trello, nobody looked at it.", "trello", ""),
        ("We let Olga go.", "olga", ""),
        ("Rehearsal moved Tue to Fri.", "weekday:1", "weekday:4"),
        ("Oil tank 2 -> tank 3.", "2", "3"),
        ("Gave up on sourdough.", "sourdough", ""),
        ("Rye instead of wheat.", "wheat", "rye"),
        ("Owner: Ines (was Rob)", "rob", ""),
        ("So that's Munin finished.", "munin", ""),
        ("That’s the Trello board finished, at last.", "board", ""),
        ("Mail leaves through Postmark instead of SES.", "ses", "postmark"),
        ("Parcels go via Rhenus rather than Matkahuolto.", "matkahuolto", "rhenus"),
    ],
)
def test_what_is_over_and_what_came_instead(text: str, was: str, now: str) -> None:
    found = [e for e in read_endings(text) if was in e.was and was in e.head]
    assert found
    assert not now or any(now in e.now for e in found)


@pytest.mark.parametrize(
    "text",
    [
        "The orchard rota is in Trello.",
        "Moved to Anna's over winter, the church is unheated.",
        "Cancelled Trello for the summer.",
        "The train goes to Graz.",
        "Good bread, not Nonna's.",
        "First tooth out 3 May.",
    ],
)
def test_what_is_not_an_ending(text: str) -> None:
    assert not list(read_endings(text))


def test_a_switch_may_leave_unsaid_what_it_replaced() -> None:
    whatever = Switch(frozenset({"graphql"}), frozenset())
    for text in ("We switched to GraphQL.", "The team switched to GraphQL.", "Switched to GraphQL"):
        assert read_switch(text) == whatever
    of = read_switch("We switched the portal to GraphQL.")
    assert of is not None and (of.now, of.of) == ({"graphql"}, stems("portal"))
    for text in ("We switched to GraphQL for now.", "They switched to GraphQL.", "Moved to Graz."):
        assert read_switch(text) is None


def test_words_that_mean_one_thing_are_one_token() -> None:
    assert stems("Tues") == stems("tuesday") == stems("Tuesdays")
    assert "5" in stems("wash 5x") & stems("wash five times")
    assert "rest" in stems("REST-based") & stems("REST/JSON")


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for ending in read_endings(text):
        assert ending.was
        assert ending.head <= ending.was
        assert not ending.was & ending.now


def test_what_came_is_named_without_the_way_it_works() -> None:
    (found,) = read_endings("Mail leaves through Postmark instead of SES.")
    assert found.now == stems("Postmark")
    (found,) = read_endings("Rye instead of wheat.")
    assert found.now == stems("Rye")
