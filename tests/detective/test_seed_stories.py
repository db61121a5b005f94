"""Outdated versions and rival rates: what newer notes imply, and two limits that both stand."""

from __future__ import annotations

import pytest

from tests.support.claims_of_notes import Said, claims, detect, says, shown

OLD = says("Postgres 14 is our database version.", "Overview", "2025-09-05")
WORK = says("The Postgres 17 migration scripts live in the ops folder.", "Ops", "2026-03-05")
MORE = says("Rewrote the slow report for the Postgres 17 optimiser.", "Reports", "2026-05-05")


def found(*notes: Said) -> list[tuple[str, list[str]]]:
    held = claims(*notes)
    return shown(held, detect(held))


def test_an_old_version_while_newer_notes_live_with_a_later_one() -> None:
    assert found(OLD, WORK, MORE) == [("stale", [OLD.body, WORK.body, MORE.body])]


@pytest.mark.parametrize(
    "notes",
    [
        pytest.param((OLD, WORK), id="one mention may be a look ahead"),
        pytest.param(
            (OLD, says("Planning the Postgres 17 upgrade.", "A", "2026-03-05"), MORE),
            id="a plan is no witness",
        ),
        pytest.param(
            (OLD, WORK, MORE, says("Upgraded from Postgres 14 to Postgres 17.", "B", "2026-02-05")),
            id="the story says how one became the other",
        ),
        pytest.param(
            (OLD, WORK, MORE, says("Postgres 14 runs the archive.", "C", "2026-06-01")),
            id="the old one goes on",
        ),
        pytest.param(
            (
                says("Room 14 is our meeting room.", "A", "2025-09-05"),
                says("The projector hangs in Room 17.", "B", "2026-03-05"),
                says("The heating of Room 17 hums.", "C", "2026-05-05"),
            ),
            id="rooms are counted, not released",
        ),
    ],
)
def test_versions_that_stay_silent(notes: tuple[Said, ...]) -> None:
    assert [kind for kind, _ in found(*notes) if kind == "stale"] == []


LIMIT = says("The rate limit is 1,000 req/s.", "Auth", "2026-01-05")


def test_two_rates_for_one_thing_in_two_notes() -> None:
    other = says("Auth allows 5,000 req/s per IP.", "Infra", "2026-02-05")
    assert found(LIMIT, other) == [("disagreement", [LIMIT.body, other.body])]


@pytest.mark.parametrize(
    "text",
    [
        "Auth allows 1,000 req/s per IP.",
        "Search allows 5,000 req/s per IP.",
        "Auth allows 5,000 req/s for the reset endpoint.",
        "In staging auth allows 5,000 req/s.",
        "As of February auth allows 5,000 req/s.",
        "Could auth allow 5,000 req/s?",
        "Auth writes 5,000 rows/s.",
    ],
)
def test_rates_that_stay_silent(text: str) -> None:
    held = (
        says("The rate limit is 1,000 req/s in production.", "Auth", "2026-01-05")
        if "staging" in text
        else LIMIT
    )
    assert found(held, says(text, "Infra", "2026-02-05")) == []
