"""The slot a claim fills, and what the person is asked about it."""

from __future__ import annotations

import pytest

from app.detection.norm_entry import Entry, entries
from app.detection.slots import conflict_slot, one_named_slot, slot_of
from tests.support.claims_of_notes import claims, entry, pair, says


def test_a_memory_slot_is_its_subject_and_kind_of_answer() -> None:
    slot = slot_of(entry("The door code is 4411."))
    assert (slot.kind, slot.subject) == ("memory_slot", "door code")
    assert slot.key == slot_of(entry("Door code: 9310")).key


def test_how_long_and_whether_are_two_slots() -> None:
    long = slot_of(entry("The code freeze is 3 weeks."))
    may = slot_of(entry("The code freeze is allowed."))
    assert long.key != may.key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Until 31 March 2026 the door code is 1111.", "From 1 April 2026 the door code is 3333."),
        ("From 1 April 2026 the door code is 1111.", "The door code is 3333."),
        ("Version 2: the lamp driver voltage is 2 V.", "Version 3: the lamp driver voltage is 3 V."),
        ("The request timeout is 30 s in staging.", "The request timeout is 60 s in production."),
        ("The ticket price for Noa is 30 euros.", "The ticket price is 60 euros."),
    ],
)
def test_where_and_when_it_holds_belongs_to_a_slot(one: str, other: str) -> None:
    assert slot_of(entry(one)).key != slot_of(entry(other)).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Until 31 March 2026 the door code is 1111.", "The door code is 2222 until 2026-03-31."),
        ("Version 2: the lamp driver voltage is 2 V.", "Version 2: the lamp driver voltage is 3 V."),
        ("The request timeout is 30 s in prod.", "The request timeout is 60 s in production."),
        ("The bike shop is in Gent.", "The bike shop is in Brugge."),
        ("The billing gateway runs on v2.", "The billing gateway runs on v3."),
    ],
)
def test_another_value_there_and_then_fills_the_same_slot(one: str, other: str) -> None:
    assert slot_of(entry(one)).key == slot_of(entry(other)).key


def test_a_slot_is_named_by_two_entities_only_where_each_field_is() -> None:
    full = {"decision_target": "Lateral support", "decision_field": "Material"}

    def decided(type: str = "decision", **front: str) -> Entry:
        said = says("The support material is PEEK.", "Decision 19", type=type, **front)
        (claim,) = [c for c in claims(said) if c.statement.form == "sentence"]
        return entries(claim)[0]

    assert one_named_slot(decided(**full), decided(**full | {"decision_field": "material"}))
    assert not one_named_slot(decided(**full), decided(**full | {"decision_field": "Finish"}))
    assert not one_named_slot(decided(decision_target="Support"), decided(decision_target="Support"))
    assert not one_named_slot(decided(**full), decided("constraint", **full))
    assert not one_named_slot(entry("The door code is 4411."), entry("The door code is 4411."))


def test_an_entity_slot_takes_its_fields_from_the_note() -> None:
    said = says(
        "The lateral support material is PEEK.", "Decision 19", type="decision", project="p05",
        decision_target="Lateral support", decision_field="Material",
    )  # fmt: skip
    (claim,) = [c for c in claims(said) if c.statement.form == "sentence"]
    slot = slot_of(entries(claim)[0])
    assert (slot.kind, slot.project) == ("entity_slot", "p05")
    assert slot.key[:4] == ("decision", "p05", "lateral support", "material")


def test_an_entity_note_without_fields_is_named_by_its_title() -> None:
    slot = slot_of(entry(says("The baffle mass is 4 kg.", "Baffle", type="component", project="p05")))
    assert "baffle" in slot.key


def test_members_of_two_layers_make_a_cross_layer_slot() -> None:
    a, b = entry("The door code is 4411."), entry(says("The door code is 0087.", trust="canon"))
    assert conflict_slot([a.claim, b.claim], a).kind == "cross_layer"
    assert conflict_slot([a.claim, a.claim], a).kind == "memory_slot"


def test_the_question_names_the_thing_and_the_disputed_value() -> None:
    old = says("The door code is 4411.", "Overview", "2025-01-05")
    for date in ("2025-02-01", "2026-02-01"):
        (found,) = pair(old, says("The door code is 0087.", "Log", date)).findings
        assert found.question.endswith("?")
        assert "door code" in found.question.lower()
        assert "4411" in found.question


def test_different_trust_or_a_rule_broken_blocks() -> None:
    assert pair("The door code is 4411.", "The door code is 0087.").findings[0].tier == "warn"
    assert (
        pair("The door code is 4411.", says("The door code is 0087.", trust="canon")).findings[0].tier
        == "block"
    )
    assert pair("Never deploy on Fridays.", "Friday deploys are fine.").findings[0].tier == "block"
