"""Who is worth comparing, and the gates between two claims."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.detection.pair_gates import closed, how_held, spoken, worth_judging
from app.words import Claim
from tests.support.claims_of_notes import claims, says


def one(body: str, title: str = "", date: str | None = None, **front: str) -> Claim:
    (claim,) = claims(says(body, title, date, **front))
    return claim


def two(a: str, b: str, dates: tuple[str | None, str | None] = (None, None)) -> tuple[Claim, Claim]:
    x, y = claims(says(a, "Attic", dates[0]), says(b, "Barn", dates[1]))
    return x, y


PAIR = ("The night bus leaves at 23:10.", "We always board the late coach at 22:45.")


def test_a_plain_statement_is_worth_judging() -> None:
    assert worth_judging(one("The spare key hangs behind the boiler."))


@pytest.mark.parametrize(
    "body",
    [
        "Is the spare key behind the boiler?",
        "We might move the spare key to the shed.",
        "- [ ] hang the spare key behind the boiler",
        "> The spare key hangs behind the boiler.",
        "~~The spare key hangs behind the boiler.~~",
        "Key: 7",
        "Jonas says the spare key is behind the boiler.",
    ],
)
def test_what_claims_nothing_of_its_own_is_not(body: str) -> None:
    made = claims(says(body, "House"))
    assert not any(worth_judging(c) for c in made)


def test_a_retracted_or_silent_claim_and_an_artifact_are_not() -> None:
    claim = one("The spare key hangs behind the boiler.")
    assert not worth_judging(replace(claim, status="retracted"))
    assert not worth_judging(replace(claim, silent="archive folder"))
    assert not worth_judging(replace(claim, entity="artifact"))


def test_an_old_log_line_is_no_claim_but_a_new_one_may_contradict() -> None:
    log = one("Paid 40 at the garage today.", "2025-01-10", "2025-01-10")
    assert how_held(log) in ("logged", "past")
    claim = replace(one("The garage never charges us.", "Car", "2024-01-10"), id="other")
    assert closed(log, claim) is not None
    assert closed(claim, log) is None


def test_values_noted_on_two_days_are_a_series() -> None:
    texts = ("Beans from the market, €14.50 for the kilo.", "Beans were €16.20 for the kilo at the market.")
    x, y = claims(says(texts[0], "2026-02-10", "2026-02-10"), says(texts[1], "2026-05-30", "2026-05-30"))
    assert closed(x, y) == ("series", "values noted on different days")
    x, y = claims(says(texts[0], "Market", "2026-02-10"), says(texts[1], "2026-05-30", "2026-05-30"))
    assert closed(x, y) is None


def test_what_ends_makes_room_for_what_begins() -> None:
    a, b = two(
        "Until 31 May 2026 the desk is staffed from 8 to 6.", "Since 1 June the desk is staffed 7 to 7."
    )
    assert closed(a, b) == ("time", "one ends where the other begins") == closed(b, a)


def test_a_part_is_not_the_whole() -> None:
    a, b = two("The packing shed is 48 m².", "The cold room in the packing shed is 9 m².")
    assert closed(a, b) == ("subject", "one speaks of a part of the other") == closed(b, a)


def dated(a: Claim, b: Claim) -> tuple[Claim, Claim]:
    return a, replace(b, statement=replace(b.statement, date="2026-03-04"))


def test_the_date_of_an_entry_is_when_and_not_what() -> None:
    (entry,) = claims(says("2026-03-04: the pump stops at 40 °C", "Log"))
    assert entry.statement.dated_by == "inline" and spoken(entry) == "the pump stops at 40 °C"
    (plain,) = claims(says("The lease ends 2026-03-04.", "House", "2026-01-01"))
    assert spoken(plain) == plain.statement.text
