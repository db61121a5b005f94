"""A scope in front of its sentence: "In production, the timeout is 30 s"."""

from __future__ import annotations

import pytest

from app.reading.main_clause import main_clause
from tests.support.claims_of_notes import norm, pair, says


@pytest.mark.parametrize(
    ("text", "subject", "scope"),
    [
        ("In production, the request timeout is 30 s.", "production request timeout", ("env", "production")),
        ("In prod, the request timeout is 30 s.", "prod request timeout", ("env", "production")),
        ("On staging, the request timeout is 30 s.", "staging request timeout", ("env", "staging")),
        ("For the sales team, the review limit is 30 s.", "sales team review limit", ("team", "sales")),
        ("For tenant Acme, the data retention is 30 days.", "tenant Acme data retention", ("tenant", "acme")),
        ("In New York, the office rent is 900 EUR.", "New York office rent", ("place", "new")),
        ("In version 2.1, the request timeout is 30 s.", "version 2.1 request timeout", ("version", "2.1")),
    ],
)  # fmt: skip
def test_the_sentence_behind_it_is_read(text: str, subject: str, scope: tuple[str, str]) -> None:
    found = norm(text)
    assert (found.subject, found.subject_kind, found.single) == (subject, "PRESENT", True)
    assert scope in found.scope


def test_two_values_in_one_scope_disagree_and_in_two_coexist() -> None:
    timeout = "In {}, the request timeout is {} s."
    assert pair(timeout.format("production", 30), timeout.format("production", 40)).conflict
    assert pair(timeout.format("production", 30), "In prod the request timeout is 40 s.").conflict
    assert not pair(timeout.format("production", 30), timeout.format("staging", 40)).conflict


def test_an_aspect_in_a_scope_still_needs_its_thing() -> None:
    first = says("In production, the timeout is 30 s.", "Billing service")
    assert norm(first).subject == "production Billing service timeout"
    assert not pair(first, says("In production, the timeout is 40 s.", "Search service")).conflict


@pytest.mark.parametrize(
    "text",
    [
        "In most production systems, the request timeout is 30 s.",
        "In practice, the request timeout is 30 s.",
        "In the long run, the request timeout is 30 s.",
        "On Monday, the request timeout is 30 s.",
    ],
)
def test_other_openings_are_no_scope(text: str) -> None:
    assert norm(text).value is None


def test_the_main_clause_is_what_the_scope_is_said_of() -> None:
    assert main_clause("In production, the code is 30, which is new") == "In production, the code is 30"
    assert main_clause("In practice, the code is 30") == "In practice"
    assert (
        main_clause("The power supply unit (PSU) is new (and loud)") == "The power supply unit (PSU) is new"
    )
