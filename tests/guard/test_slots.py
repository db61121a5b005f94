"""The slot a claim fills, and what the person is asked about it."""

from __future__ import annotations

from app.guard.entry import entries
from app.guard.slots import conflict_slot, slot_of
from tests.guard.building import claims, entry, pair, says


def test_a_memory_slot_is_its_subject_and_kind_of_answer() -> None:
    slot = slot_of(entry("The door code is 4411."))
    assert (slot.kind, slot.subject) == ("memory_slot", "door code")
    assert slot.key == slot_of(entry("Door code: 9310")).key


def test_how_long_and_whether_are_two_slots() -> None:
    long = slot_of(entry("The code freeze is 3 weeks."))
    may = slot_of(entry("The code freeze is allowed."))
    assert long.key != may.key


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
