"""Statements to norms: modality, subject, value, scope, validity, change, in prose, fields and rows."""

from __future__ import annotations

import pytest

from app.words import Change, Norm
from tests.support.claims_of_notes import Said, norms, says


def read(text: str, title: str = "2026-03-02") -> Norm:
    (only,) = norms(says(text, title))
    return only


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("Visitors must sign the register.", "must"),
        ("Visitors have to sign the register.", "must"),
        ("Always lock the side door.", "must"),
        ("Visitors must not use the lift.", "must_not"),
        ("Visitors mustn't use the lift.", "must_not"),
        ("Never leave the kiln alone.", "must_not"),
        ("Don't feed the neighbour's cat.", "must_not"),
        ("No smoking in the workshop.", "must_not"),
        ("Nobody may enter the vault alone.", "must_not"),
        ("Dogs are not allowed in the kitchen.", "must_not"),
        ("Photography is forbidden in the crypt.", "must_not"),
        ("Bikes may not stand in the hall.", "must_not"),
        ("Guests should wear slippers.", "should"),
        ("Guests should not wear shoes.", "should_not"),
        ("You shouldn't run the dryer at night.", "should_not"),
        ("Dogs are allowed in the garden.", "may"),
        ("Parking on the lawn is fine.", "may"),
        ("Bikes may stand in the hall.", "may"),
        ("You don't have to book a table.", "is_not"),
        ("The kiln is not hot.", "is_not"),
        ("Oskar has no allergies.", "is_not"),
        ("The kiln is hot.", "is"),
    ],
)
def test_modality(text: str, modality: str) -> None:
    assert read(text).modality == modality


@pytest.mark.parametrize(
    ("text", "subject", "value"),
    [
        ("The door code is 4411.", "door code", "4411"),
        ("Ines owns the billing service.", "billing service owner", "Ines"),
        ("The billing service is owned by Ines.", "billing service owner", "Ines"),
        ("The office is in Gent.", "office", "Gent"),
        ("Redis is our queue.", "queue", "Redis"),
        ("We use Redis for the queue.", "queue", "Redis"),
        ("The tyre pressure must be 2.3 bar.", "tyre pressure", "2.3 bar"),
        ("The queue needs 3 workers.", "queue workers", "3"),
        ("Mira prefers small diffs.", "Mira diffs preference", "small"),
        ("The alarm is set to 06:45.", "alarm", "06:45"),
        ("Rent: 950 euros", "Rent", "950 euros"),
        ("Noa is allergic to penicillin.", "Noa allergic", "penicillin"),
    ],
)
def test_subject_and_value(text: str, subject: str, value: str) -> None:
    assert (read(text).subject, read(text).value) == (subject, value)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("The pump is enabled.", "enabled"),
        ("The pump is off.", "disabled"),
        ("The side gate is locked.", "closed"),
        ("The grant application is approved.", "approved"),
        ("The grant application is denied.", "rejected"),
        ("Ines owns the billing service.", "owned"),
        ("The office is in Gent.", "located"),
        ("The workshop rent is 400 euros.", "costs"),
        ("Choir practice is on Monday.", "scheduled"),
        ("Mira prefers small diffs.", "prefers"),
    ],
)
def test_object(text: str, state: str) -> None:
    assert read(text).object == state


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("In production the timeout is 30 s.", {"env": "production"}),
        ("The prod timeout is 30 s.", {"env": "production"}),
        ("On staging the timeout is 60 s.", {"env": "staging"}),
        ("The data team must review migrations.", {"team": "data"}),
        ("The quota for tenant Acme is 50 GB.", {"tenant": "acme"}),
        ("In v2.1 the flag is on.", {"version": "2.1"}),
        ("The wifi password at the cabin is otter42.", {"place": "cabin"}),
        ("The dose for Noa is 5 ml.", {"person": "noa"}),
        ("The drawing revision is B.", {}),
    ],
)
def test_scope(text: str, scope: dict[str, str]) -> None:
    assert dict(read(text).scope) == scope


def test_the_project_of_a_note_is_part_of_the_scope() -> None:
    (found,) = norms(says("The lens mount is brass.", "Mounts", project="p05"))
    assert dict(found.scope) == {"project": "p05"}


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("The fee is 40 euros until 31 March 2026.", None, "2026-03-31"),
        ("From 1 June 2026 the fee is 40 euros.", "2026-06-01", None),
        ("As of May 2026 the fee is 40 euros.", "2026-05-01", None),
        ("In 2025 the fee was 30 euros.", "2025-01-01", "2025-12-31"),
        ("The fee is 40 euros in Q3 2026.", "2026-07-01", "2026-09-30"),
        ("Since 2024-02 the fee is 40 euros.", "2024-02-01", None),
        ("The fee is 40 euros through February 2028.", None, "2028-02-29"),
        ("The fee is 40 euros.", None, None),
    ],
)
def test_validity_windows(text: str, since: str | None, until: str | None) -> None:
    assert (read(text).valid_from, read(text).valid_until) == (since, until)
    assert read(text).value in ("40 euros", "30 euros")


def test_a_window_without_a_year_takes_that_of_its_note() -> None:
    (dated,) = norms(says("The fee is 40 euros until 31 March.", "Fees", "2027-01-05"))
    (undated,) = norms(says("The fee is 40 euros until 31 March.", "Fees"))
    assert (dated.valid_until, undated.valid_until) == ("2027-03-31", None)


@pytest.mark.parametrize(
    ("text", "subject", "change"),
    [
        ("We moved the wiki from Confluence to Obsidian.", "wiki", Change("Confluence", "Obsidian")),
        ("The deposit was raised from 500 to 700 euros.", "deposit", Change("500", "700 euros")),
        ("We switched the router to Fritzbox.", "router", Change(None, "Fritzbox")),
        ("Standup renamed from Daily to Sync", "Standup", Change("Daily", "Sync")),
        ("As of May 2026 the fee is 40 euros.", "fee", Change(None, "40 euros")),
        ("Correction: the alarm code is 7719.", "alarm code", Change(None, "7719")),
    ],
)
def test_explicit_change(text: str, subject: str, change: Change) -> None:
    assert (read(text).subject, read(text).change) == (subject, change)


@pytest.mark.parametrize(
    "text",
    [
        "The filter is changed every 3 months.",
        "The bins are moved weekly.",
        "The fee is 40 euros.",
    ],
)
def test_habits_and_memories_are_no_change(text: str) -> None:
    assert read(text).change is None


def test_a_property_speaks_of_its_note() -> None:
    (found,) = norms(says("", "Garage", door_code="4411"))
    assert (found.subject, found.value, found.single) == ("Garage door code", "4411", True)


def test_an_inline_field_speaks_of_its_note() -> None:
    (found,) = norms(says("door_code:: 4411", "Garage"))
    assert (found.subject, found.value) == ("Garage door code", "4411")


def test_logseq_properties_are_fields() -> None:
    made = Said("door-code:: 4411\n- The garage is heated.", path="graph/pages/Garage.md", logseq=True)
    assert next((n.subject, n.value) for n in norms(made)) == ("Garage door code", "4411")


def test_a_row_gives_a_norm_per_cell() -> None:
    rows = "| host | ram | owner |\n|---|---|---|\n| atlas | 64 GB | Ines |"
    found = [(n.subject, n.value) for n in norms(says(rows, "Machines"))]
    assert found == [("atlas ram", "64 GB"), ("atlas owner", "Ines")]


def test_a_key_with_several_measures_gives_one_norm_each() -> None:
    found = [(n.subject, n.value) for n in norms(says("- atlas: 64 GB of RAM, 8 cores", "Machines"))]
    assert found == [("atlas RAM", "64 GB"), ("atlas cores", "8")]


@pytest.mark.parametrize("text", ["https://example.org/guide", "[[Garage]]", "12345", "---"])
def test_links_and_scraps_hold_nothing(text: str) -> None:
    assert norms(says(text, "2026-03-02")) == ()


@pytest.mark.parametrize("text", ["They must leave by noon.", "This runs on Redis."])
def test_a_pronoun_leaves_the_subject_fuzzy(text: str) -> None:
    assert read(text).subject_kind == "FUZZY"


@pytest.mark.parametrize("text", ["Done.", "Great!", "Later"])
def test_a_fragment_has_no_subject(text: str) -> None:
    assert all(n.subject_kind == "MISSING" for n in norms(says(text, "2026-03-02")))


@pytest.mark.parametrize("link", ["![[a.png]] ", "![x](a.png) ", "[[a]]", "[x](y) "])
def test_a_row_of_links_before_a_sentence_is_read_in_a_moment(link: str) -> None:
    """It once took as many steps as there are ways to part the brackets."""
    found = norms(says(link * 20 + "The pump is red.", "2026-03-02"))
    assert [norm.value for norm in found if norm.subject_kind == "PRESENT"] == ["red"]
