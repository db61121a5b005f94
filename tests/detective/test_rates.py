"""Two rates for one thing in two notes."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.support.claims_of_notes import claims, detect, says


def kinds(a: str, b: str) -> list[str]:
    held = claims(says(a, "Handbook", "2026-01-05"), says(b, "Runbook", "2026-01-20"))
    return [f.kind for f in detect(held)]


WRITTEN = ("2,000 req/s", "2,000 requests per second", "2000 rps", "2k requests/s")
OTHER = ("7,000 req/s", "7000 requests per second", "7,000 rps")


@pytest.mark.parametrize("a", WRITTEN)
@pytest.mark.parametrize("b", OTHER)
def test_requests_per_second_are_one_unit_however_written(a: str, b: str) -> None:
    assert kinds(f"The rate limit of the gateway is {a}.", f"The gateway allows {b}.") == ["disagreement"]


@pytest.mark.parametrize(("a", "b"), permutations(WRITTEN, 2))
def test_the_same_rate_in_another_spelling_is_no_conflict(a: str, b: str) -> None:
    assert kinds(f"The rate limit of the gateway is {a}.", f"The gateway allows {b}.") == []


def test_a_second_gateway_is_another_one() -> None:
    assert kinds("The rate limit of the gateway is 2,000 rps.", "A second gateway allows 7,000 rps.") == []
