"""One thing by several names: aliases, links and abbreviations, whatever order the notes come in."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detection.claim_index import ClaimIndex
from app.detection.norm_entry import Entry
from app.words import Claim
from tests.support.claims_of_notes import Said, claims, guard, says

CLUSTER = says("We keep it small.", "Postgres cluster", aliases="main db")
PORT = says("The Postgres cluster port is 5432.", "Network")


def disagree(*notes: Said) -> bool:
    """Is something found, and the same whatever note comes first?"""
    held = claims(*notes)
    found = [
        {finding.members for finding in guard([held[n] for n in order])}
        for order in [range(len(held)), range(len(held))[::-1]]
    ]
    assert found[0] == found[1]
    return bool(found[0])


def test_an_alias_is_the_note_it_belongs_to() -> None:
    assert disagree(CLUSTER, PORT, says("The main db port is 5433.", "Ops"))
    assert disagree(
        says("Port: 5432", "Postgres cluster", aliases="main db"), says("The main db port is 5433.", "Ops")
    )
    assert not disagree(PORT, says("The main db port is 5433.", "Ops"))


@pytest.mark.parametrize(
    "other",
    [
        says("We keep it large.", "MySQL cluster", aliases="main db"),
        says("We keep it large.", "Main db"),
        says("We keep it large.", "main db port"),
    ],
    ids=["alias of two", "a title", "within a title"],
)
def test_a_name_that_is_not_unique_stands_for_itself(other: Said) -> None:
    assert not disagree(CLUSTER, PORT, says("The main db port is 5433.", "Ops"), other)


@pytest.mark.parametrize(
    ("alias", "text", "meant"),
    [
        ("PGmain", "The PGmain port is 5433.", True),
        ("Pluto", "Pluto's port is 5433.", True),
        ("Pluto", "The port of Pluto is 5433.", True),
        ("Pluto", "The port of Pluto Beta is 5433.", False),
        ("database", "The database port is 5433.", False),
        ("Database", "Database port is 5433.", False),
        ("the host name", "The host name port is 5433.", False),
        ("Postgres cluster disk", "The Postgres cluster disk port is 5433.", False),
    ],
)
def test_one_word_counts_where_it_is_written_as_a_name(alias: str, text: str, meant: bool) -> None:
    note = says("We keep it small.", "Postgres cluster", aliases=alias)
    assert disagree(note, PORT, says(text, "Ops")) is meant


@pytest.mark.parametrize(
    "text",
    [
        "[[Postgres cluster|database]] port is 5433.",
        "The [[infra/Postgres cluster.md|database]] port is 5433.",
        "The [database](../infra/Postgres%20cluster.md) port is 5433.",
    ],
)
def test_a_link_names_its_note_whatever_it_shows(text: str) -> None:
    assert disagree(says(text, "Ops"), PORT)


def test_a_file_goes_by_its_title() -> None:
    note = Said("We keep it small.", path="infra/pg.md", front=(("title", "Postgres cluster"),))
    assert disagree(note, says("The [[pg]] port is 5433.", "Ops"), PORT)
    assert not disagree(says("The [[pg]] port is 5433.", "Ops"), PORT)


@pytest.mark.parametrize(
    "notes",
    [
        (says("The [[Trip|hotel]] price is 90 EUR.", "A1"), says("The [[Trip|taxi]] price is 20 EUR.", "A2")),
        (says("[[Guide|Colour]] is red.", "A1"), says("[[Guide|Size]] is blue.", "A2")),
        (says("The [[Attic|attic door]] code is 4411.", "A1"), says("The attic code is 0087.", "A2")),
        (says("The [[Postgres cluster#Backups|backup]] port is 5433.", "A1"), PORT),
        (says("The [[Postgres cluster|port]] number is 5433.", "A1"), PORT),
        (says("The [[2026-03-01|door]] code is 4411.", "A1"), says("The 2026-03-01 code is 0087.", "A2")),
    ],
    ids=["two things of a note", "only the link", "more than its note", "a part", "an aspect", "a day"],
)  # fmt: skip
def test_what_a_link_shows_may_be_something_else(notes: tuple[Said, ...]) -> None:
    assert not disagree(*notes)


def test_an_abbreviation_introduced_in_brackets() -> None:
    short = says("The PSU delivers 600 W.", "Rack")
    assert disagree(says("The power supply unit (PSU) delivers 400 W.", "Parts"), short)
    assert disagree(says("The power supply unit (PSU) delivers 400 W.", "PSU"), short)
    assert disagree(
        says("We bought a PSU (power supply unit).", "Parts"),
        says("The power supply unit output is 400 W.", "Bench"),
        says("The PSU output is 600 W.", "Rack"),
    )
    assert not disagree(says("The power unit (PSU) delivers 400 W.", "Parts"), short)


@pytest.mark.parametrize(
    "other",
    [
        says("The Pacific Sailing Union (PSU) meets on Mondays.", "Club"),
        says("It meets on Mondays.", "PSU"),
    ],
    ids=["two meanings", "a note of that name"],
)
def test_an_abbreviation_of_two_things_is_none(other: Said) -> None:
    long = says("The power supply unit (PSU) delivers 400 W.", "Parts")
    assert not disagree(long, says("The PSU delivers 600 W.", "Rack"), other)


def test_a_long_name_for_a_short_one_does_not_make_a_subject_tell_more() -> None:
    spelt = says("The application programming interface (API) is stable.", "Terms")
    assert not disagree(spelt, says("API owner: Anna", "Billing"), says("API owner: Bram", "Search"))


def test_whoever_shares_the_words_is_still_found_by_them() -> None:
    plain = says("The database port is 5433.", "Ops")
    assert disagree(says("The [[Postgres cluster|database]] port is 5434.", "Plan"), plain)
    anna = says("She rows.", "Anna Berg", aliases="Anna")
    assert disagree(
        anna, says("Anna has 3 cats.", "Pets"), says("The number of cats of Anna is 4.", "Census")
    )


def test_a_denial_in_the_same_words_stays_one() -> None:
    said = says("The main db is encrypted at rest.", "Ops")
    assert disagree(CLUSTER, said, says("The main db is not encrypted at rest.", "Audit"))


HELD = claims(
    CLUSTER,
    PORT,
    says("The main db port is 5433.\n\nThe main db is encrypted.", "Ops"),
    says("The power supply unit (PSU) delivers 400 W.", "Parts"),
    says("The PSU delivers 600 W.", "Rack"),
    says("The Pacific Sailing Union (PSU) meets on Mondays.", "Club"),
    says("We keep it large.", "MySQL cluster", aliases="main db"),
    says("It is a number.", "main db port"),
    Said("We keep it safe.", path="infra/pg.md", front=(("title", "Postgres cluster"),)),
    says("The [[pg|store]] port is 5434.", "Plan"),
)


def everything(index: ClaimIndex) -> dict[str, tuple[Entry, ...]]:
    return {id: index.entries_of(id) for id in sorted(index.ids())}


@given(st.permutations(HELD), st.sets(st.sampled_from(HELD)), st.booleans())
def test_only_what_is_held_decides_not_how_it_came(order: list[Claim], gone: set[Claim], look: bool) -> None:
    index = ClaimIndex()
    for claim in order:
        index.add(claim)
        if look:
            index.ids()
    for claim in gone:
        index.remove(claim.id)
    kept = [claim for claim in HELD if claim not in gone]
    assert everything(index) == everything(ClaimIndex(kept))


def test_a_name_that_changes_its_meaning_says_who_is_to_be_compared_anew() -> None:
    note, *others = claims(CLUSTER, PORT, says("The main db port is 5433.", "Ops"))
    for first in permutations(others):
        index = ClaimIndex(first)
        index.take_moved()
        assert index.take_renamed() == set()
        user = next(claim for claim in others if "main db" in claim.statement.text)
        index.add(note)
        assert index.take_renamed() == {user.id}
        assert index.take_moved() == {note.id, user.id}
        index.remove(note.id)
        assert index.take_renamed() == {claim.id for claim in others}  # who was near is, too
