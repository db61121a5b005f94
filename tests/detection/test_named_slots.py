"""Which lines of an entity note fill the slot its frontmatter names, and which speak of something else."""

from __future__ import annotations

import pytest

from tests.support.claims_of_notes import Said, pair, says

DECISION = {
    "type": "decision", "project": "p05", "decision_target": "lateral support", "decision_field": "material",
}  # fmt: skip
REQUIREMENT = {"type": "requirement", "project": "p05", "requirement_key": "R-12"}
RESULT = {"type": "result", "project": "p05", "analysis_model_id": "FEM-2", "result_key": "peak stress"}
PARAMETER = {"type": "parameter", "project": "p05", "parameter_scope": "Baffle", "parameter_name": "mass"}
CONSTRAINT = {
    "type": "constraint",
    "project": "p05",
    "constraint_target": "Baffle",
    "constraint_kind": "mass",
}
COMPONENT = {"type": "component", "project": "p05", "subsystem_name": "Optics", "component_name": "Baffle"}


def one(text: str, where: dict[str, str], **other: str) -> Said:
    return says(text, "Sheet 12", **{**where, **other})


def two(text: str, where: dict[str, str], **other: str) -> Said:
    return says(text, "Page of March", **{**where, **other})


@pytest.mark.parametrize(
    ("a", "b", "where"),
    [
        ("The material is PEEK.", "Decision: the material is GF-PTFE.", DECISION),
        ("We use PEEK for the lateral support.", "Material: GF-PTFE", DECISION),
        ("Choice: Titanium", "The chosen material is PEEK.", DECISION),
        ("## Decision\n\nThe material is PEEK.", "The material is GF-PTFE.", DECISION),
        ("At most 4 kg.", "Mass must be at most 6 kg.", CONSTRAINT),
        ("Mass must be at most 4 kg.", "At most 3 kg.", REQUIREMENT),
        ("Result: 40 MPa", "Peak stress: 60 MPa", RESULT),
        ("Value: 4 kg", "The baffle mass is 6 kg.", PARAMETER),
        ("Finish: matte", "Finish: glossy", {**DECISION, "decision_field": "finish"}),
    ],
)
def test_lines_that_fill_one_slot_disagree(a: str, b: str, where: dict[str, str]) -> None:
    assert pair(one(a, where), two(b, where)).kinds == ["disagreement"]


@pytest.mark.parametrize(
    ("a", "b", "where"),
    [
        ("The material is PEEK.", "The supplier is GF-PTFE.", DECISION),
        ("Cost: 40 EUR", "Cost: 50 EUR", DECISION),
        ("The material is PEEK.", "The material is cheap.", DECISION),
        ("The material is PEEK.", "## Alternatives\n\nThe material is GF-PTFE.", DECISION),
        ("The material is PEEK.", "## Bolts\n\nMaterial: GF-PTFE", DECISION),
        ("- Bolts\n  - Material: GF-PTFE", "The material is PEEK.", DECISION),
        ("Load: 12 kg", "At most 4 kg.", REQUIREMENT),
        ("Mass must be at most 4 kg.", "Length must be at most 4 m.", REQUIREMENT),
        ("Result: 40 MPa", "Limit: 60 MPa", RESULT),
        ("Result: 40 MPa", "Result: 60 ksi", RESULT),
        ("Value: 4 kg", "Default: 6 kg", PARAMETER),
        ("Min: 4 kg", "Max: 6 kg", PARAMETER),
        ("At least 2 kg.", "At most 4 kg.", CONSTRAINT),
        ("Mass: 4 kg", "Coating mass: 7 kg", COMPONENT),
        ("Cost: 4 kg", "Amount: 7 kg", COMPONENT),
    ],
)
def test_lines_about_other_aspects_do_not_meet(a: str, b: str, where: dict[str, str]) -> None:
    assert not pair(one(a, where), two(b, where)).conflict


@pytest.mark.parametrize(
    ("where", "other"),
    [
        (DECISION, {"decision_field": "colour"}),
        (DECISION, {"decision_target": "vertical support"}),
        (DECISION, {"project": "p06"}),
        (DECISION, {"type": "parameter"}),
    ],
)
def test_another_slot_is_another_subject(where: dict[str, str], other: dict[str, str]) -> None:
    assert not pair(one("Material: PEEK", where), two("Material: GF-PTFE", where, **other)).conflict


def test_a_component_of_another_subsystem_is_another_one() -> None:
    made = pair(one("Mass: 4 kg", COMPONENT), two("Mass: 6 kg", COMPONENT, subsystem_name="Thermal"))
    assert not made.conflict


def test_what_keeps_track_of_an_entity_does_not_describe_it() -> None:
    first, second = (
        {"revision": "2", "owner": "Anna", "priority": "high"},
        {"revision": "3", "owner": "Bram", "priority": "low"},
    )
    for where in (REQUIREMENT, COMPONENT):
        assert not pair(one("As agreed.", where, **first), two("As agreed.", where, **second)).conflict


def test_the_readings_of_a_parameter_are_a_log() -> None:
    assert not pair(
        one("## 2026-01-01\n\nValue: 4 kg\n\n## 2026-02-01\n\nValue: 5 kg", PARAMETER),
        two("## 2026-03-01\n\nValue: 6 kg", PARAMETER),
    ).conflict


def test_values_by_themselves_are_not_held_against_their_own_note() -> None:
    both = "At most 4 kg.\n\nThe prototype may be heavier.\n\nAt most 6 kg."
    assert not pair(one(both, CONSTRAINT), two("As agreed.", CONSTRAINT)).conflict


def test_the_slot_is_what_the_conflict_is_about() -> None:
    (found,) = pair(one("At most 4 kg.", CONSTRAINT), two("At most 6 kg.", CONSTRAINT)).findings
    assert found.slot.subject == "Baffle mass"
