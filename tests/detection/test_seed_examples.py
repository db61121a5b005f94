"""The pairs the four published designs name as conflicts and as none, by the rules alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.conflicts.assemble import assemble
from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import compare
from app.detection.named_slots import NAMINGS
from app.detection.slots import ENTITY_SLOTS
from app.vault.note import ENTITIES
from app.words import SubjectKind
from tests.support.claims_of_notes import Said, claims, detect, entry, guard, judged, pair, says, shown

DECISION = {"type": "decision", "project": "p05"}
CANON = says("", "p05", trust="canon", project="p05", lateral_support_material="GF-PTFE")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Deploys must use a blue canary.", "Deploys must use a red canary."),
        ("Deploys must wait for the smoke test.", "Deploys must not wait for the smoke test."),
        ("Releases should go through staging first.", "Releases should not go through staging first."),
        ("The travel budget request is approved.", "The travel budget request is rejected."),
        (
            "Contractors are granted access to the build server.",
            "Contractors are denied access to the build server.",
        ),
        (
            "We grant contractors access to the build server.",
            "We deny contractors access to the build server.",
        ),
        ("Never deploy on Fridays.", "Friday deploys are fine."),
        ("The metrics port is 9100.", "The metrics port is 9200."),
        ("The door code is 4411.", "Door code: 0087"),
    ],
)
def test_opposed_stances_and_values_contradict(a: str, b: str) -> None:
    made = pair(a, b)
    assert made.verdict is not None
    assert made.verdict.contradicts
    assert made.kinds == ["disagreement"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Prefers rebase workflow.", "Prefers merge-commit workflow."),
        ("Mira prefers rebase workflow.", "Mira prefers merge-commit workflow."),
        ("- prefers rebase workflow", "- prefers merge-commit workflow"),
        ("Mira likes dark mode.", "Mira likes light mode."),
        ("Mira prefers small diffs.", "Mira prefers large diffs."),
    ],
)
def test_two_preferences_in_one_slot_conflict(a: str, b: str) -> None:
    assert pair(a, b).kinds == ["disagreement"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Recommend supplier A.", "Recommend supplier B."),
        ("We recommend supplier A for the castings.", "We recommend supplier B for the castings."),
    ],
)
def test_two_recommendations_on_one_topic_conflict(a: str, b: str) -> None:
    assert pair(a, b).kinds == ["disagreement"]


@pytest.mark.parametrize(
    "text", ["Prefers small diffs.", "Deploys must use a blue canary.", "Recommend supplier A."]
)
def test_the_same_said_twice_is_no_conflict(text: str) -> None:
    assert not pair(text, text).conflict


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Debug logging is enabled in prod.", "Debug logging is disabled in dev."),
        ("Deploys must use a blue canary in prod.", "Deploys must use a red canary in dev."),
        ("The payments team must use Gradle builds.", "The search team must not use Gradle builds."),
        ("Retention for tenant Acme is 30 days.", "Retention for tenant Borealis is 90 days."),
    ],
)
def test_disjoint_scopes_coexist(a: str, b: str) -> None:
    assert not pair(a, b).conflict


def test_one_environment_by_two_names_is_one_scope() -> None:
    assert pair("Debug logging is enabled in prod.", "Debug logging is disabled in production.").conflict


def test_windows_that_do_not_overlap_coexist() -> None:
    assert pair("The code freeze length is 3 weeks.", "The code freeze length is 5 weeks.").conflict
    earlier = "The code freeze length is 3 weeks until 31 March 2026."
    assert not pair(earlier, "The code freeze length is 5 weeks from 1 June 2026.").conflict


def test_without_a_subject_there_is_nothing_to_compare() -> None:
    assert pair("Done.", "Not done.").outcome is None


def test_rounding_is_silent() -> None:
    assert pair("The mirror mass is 4.8 kg.", "The mirror mass is 4.82 kg.").outcome == "consistent"
    assert pair("The mirror mass is 4.8 kg.", "The mirror mass is 5.2 kg.").conflict


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The session timeout is 60 s.", "The session timeout is 1 minute."),
        ("The queue limit is 1k messages.", "The queue limit is 1,000 messages."),
        ("Dinner is at half past seven.", "Dinner is at 19:30."),
    ],
)
def test_other_units_and_words_say_the_same(a: str, b: str) -> None:
    assert not pair(a, b).conflict


def test_two_decisions_with_different_values_for_one_field() -> None:
    made = pair(
        says("The lateral support material is GF-PTFE.", "Lateral support material", **DECISION),
        says("The lateral support material is PEEK.", "Lateral support choice", **DECISION),
    )
    assert made.kinds == ["disagreement"]
    assert made.findings[0].slot.kind == "entity_slot"


def test_two_decisions_about_one_target_and_field() -> None:
    where = {**DECISION, "decision_target": "lateral support", "decision_field": "material"}
    assert pair(
        says("We use GF-PTFE for the lateral support.", "Decision 12", **where),
        says("We use PEEK for the lateral support.", "Decision 19", **where),
    ).kinds == ["disagreement"]


@pytest.mark.parametrize(
    "other",
    [
        says("The lateral support material is PEEK.", "Lateral support", **DECISION),
        says("The lateral support material is PEEK.", "2026-03-02", project="p05"),
    ],
    ids=["decision", "memory"],
)
def test_trusted_state_against_a_lower_layer_is_a_cross_layer_conflict(other: Said) -> None:
    made = pair(CANON, other)
    assert made.kinds == ["disagreement"]
    assert made.findings[0].slot.kind == "cross_layer"
    assert made.findings[0].tier == "block"


def test_another_project_is_another_slot() -> None:
    other = says("The lateral support material is PEEK.", "Lateral support", type="decision", project="p06")
    assert not pair(CANON, other).conflict


@pytest.mark.parametrize(
    "old",
    [
        says("The lateral support material is GF-PTFE.", "Draft", status="draft"),
        says("The lateral support material is GF-PTFE.", "Old decision", status="superseded", **DECISION),
        Said("The lateral support material is GF-PTFE.", "Old decision", superseded=True),
    ],
    ids=["candidate", "superseded note", "superseded claim"],
)
def test_only_active_claims_conflict(old: Said) -> None:
    assert not pair(old, says("The lateral support material is PEEK.", "New decision")).conflict


def test_two_requirements_on_different_fields_of_one_component() -> None:
    mass = says("The mass of the baffle must be at most 4 kg.", "Baffle mass cap", type="requirement")
    heat = says("The heat flux of the baffle must be at most 12 W.", "Baffle heat cap", type="requirement")
    assert not pair(mass, heat).conflict
    assert pair(
        mass, says("The mass of the baffle must be at most 6 kg.", "Baffle limits", type="requirement")
    ).conflict


def test_artifacts_are_additive() -> None:
    assert not pair(
        says("The drawing revision is B.", "Drawing 4", type="artifact"),
        says("The drawing revision is C.", "Drawing list", type="artifact"),
    ).conflict


def test_an_old_version_beside_recent_notes_on_another_is_stale() -> None:
    made = pair(
        says("Postgres 14 is our database version.", "Overview", "2025-09-01"),
        says("The database version is Postgres 17.", "Infra", "2026-05-01"),
    )
    assert made.kinds == ["stale"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The cache backend is Redis.", "Actually the cache backend is Memcached."),
        ("The public API runs on REST.", "We moved the public API from REST to GraphQL."),
        ("The build server is Jenkins.", "Correction: the build server is Buildbot."),
    ],
)
def test_a_later_change_of_mind_settles(a: str, b: str) -> None:
    assert not pair(says(a, "Overview", "2026-01-05"), says(b, "Log", "2026-02-05")).conflict


def test_facts_of_one_working_hour_evolve() -> None:
    held = claims(says("- 09:10 The canary weight is 5%.\n- 09:25 The canary weight is 10%.", "2026-03-02"))
    assert guard(held) == []


def test_a_story_that_turns_back_unsaid_is_a_reversal() -> None:
    held = claims(
        says("The public API uses REST.", "Overview", "2026-01-05"),
        says("We switched the public API from REST to GraphQL.", "Log", "2026-02-05"),
        says("The public API is REST.", "Handover", "2026-03-05"),
    )
    conflicts = assemble(guard(held) + detect(held), ClaimIndex(held).claims)
    assert shown(held, conflicts) == [
        (
            "reversal",
            [
                "The public API uses REST.",
                "We switched the public API from REST to GraphQL.",
                "The public API is REST.",
            ],
        )
    ]


def test_identity_has_one_role() -> None:
    assert pair("My role is tech lead.", "My role is staff engineer.").conflict


@pytest.mark.parametrize(
    ("a", "b", "outcome", "confidence"),
    [
        ("Deploys must wait for tests.", "Deploys must not wait for tests.", "contradiction", "HIGH"),
        ("The metrics port is 9100.", "The metrics port is 9200.", "contradiction (value)", "HIGH"),
        ("Deploys must wait for tests.", "Deploys must wait for tests.", "consistent", "HIGH"),
        ("We use Redis for the job queue.", "We use RabbitMQ for the job queue.", "uncertain", "MED"),
        ("The metrics port is 9100.", "The bicycle is blue.", "unknown", "LOW"),
        (
            "Until 31 March 2026 the door code is 4411.",
            "From 1 April 2026 the door code is 0087.",
            "coexist",
            "HIGH",
        ),
    ],
    ids=["opposing modality", "another value", "same modality", "else uncertain", "unknown", "disjoint time"],
)
def test_each_line_of_the_structural_stage(a: str, b: str, outcome: str, confidence: str) -> None:
    verdict = pair(a, b).verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.confidence) == (outcome, confidence)


@pytest.mark.parametrize(
    ("kind", "outcome", "confidence"),
    [("MISSING", "incomparable", "HIGH"), ("FUZZY", "unknown", "LOW")],
)
def test_a_subject_that_is_missing_or_unclear(kind: SubjectKind, outcome: str, confidence: str) -> None:
    a, b = entry("The metrics port is 9100."), entry("The metrics port is 9200.", 1)
    vague = replace(a, norm=replace(a.norm, subject_kind=kind))
    for verdict in (compare(vague, b), compare(b, vague)):
        assert (verdict.outcome, verdict.confidence) == (outcome, confidence)


def test_a_value_that_is_not_in_the_text_cannot_contradict() -> None:
    a, b = entry("The metrics port is 9100."), entry("The metrics port is 9200.", 1)
    made_up = replace(b, norm=replace(b.norm, value="9300"))
    assert compare(a, b).contradicts
    assert not compare(a, made_up).contradicts


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            "The log levels are debug, info, warning and error.",
            "The log levels are info, warning, error and fatal.",
        ),
        (
            "The deploy steps are build, test and release.",
            "The deploy steps are lint, build, test, sign and ship.",
        ),
    ],
)
def test_enumerations_of_settings_are_no_atomic_values(a: str, b: str) -> None:
    assert not pair(a, b).conflict


@pytest.mark.parametrize(
    ("a", "b", "tier"),
    [
        ("The metrics port is 9100.", "The bicycle is blue.", "clean"),
        ("The metrics port is 9100.", "The metrics port is 9200.", "warn"),
        ("Deploys must wait for tests.", "Deploys must not wait for tests.", "block"),
    ],
)
def test_each_tier(a: str, b: str, tier: str) -> None:
    one, other = claims(a, b)
    assert judged(one, other).tier == tier


def test_near_in_words_but_no_contradiction() -> None:
    """An embedding puts them side by side; that is not enough."""
    assert not pair("The tyre is soft.", "The tyre is firm.").conflict


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("My role is tech lead.", "My role is staff engineer."),
        ("My background is chemistry.", "My background is law."),
    ],
    ids=["role", "background"],
)
def test_each_identity_slot(a: str, b: str) -> None:
    assert pair(a, b).kinds == ["disagreement"]


def test_credentials_are_a_slot_that_holds_several() -> None:
    made = pair("My credentials are a diploma.", "My credentials are a doctorate.")
    assert made.verdict is not None and not made.conflict
    assert "more than one may hold" in made.verdict.detail


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("09:10 met Ravi at the station.", "17:30 met Ines at the station."),
        ("Met Ravi at the station.", "Met Ines at the station."),
        ("Ran 5 km this morning.", "Ran 8 km this morning."),
    ],
)
def test_what_happened_at_a_moment_has_no_slot(a: str, b: str) -> None:
    assert not pair(says(a, "2026-03-02"), says(b, "2026-03-05")).conflict


SLOTS: dict[str, dict[str, str]] = {
    "project": {"project_id": "p05"},
    "subsystem": {"subsystem_name": "Optics"},
    "component": {"subsystem_name": "Optics", "component_name": "Baffle"},
    "requirement": {"requirement_key": "R-12"},
    "constraint": {"constraint_target": "Baffle", "constraint_kind": "mass"},
    "decision": {"decision_target": "Baffle", "decision_field": "mass"},
    "material": {"component_id": "Baffle"},
    "parameter": {"parameter_scope": "Baffle", "parameter_name": "mass"},
    "analysis_model": {"subsystem_id": "Optics", "model_name": "Baffle"},
    "result": {"analysis_model_id": "Optics", "result_key": "mass"},
    "validation_claim": {"claim_key": "V-3"},
}
"""The table of slots; an artifact has none."""


@pytest.mark.parametrize("kind", SLOTS)
def test_each_entity_type_has_its_slot(kind: str) -> None:
    where = {"type": kind, "project": "p05", **SLOTS[kind]}
    made = pair(
        says("The baffle mass is 4 kg.", "Note 12", **where),
        says("The baffle mass is 6 kg.", "Note 19", **where),
    )
    (found,) = [f for f in made.findings if "4 kg" in f.reasons[0].detail]
    assert found.slot.kind == "entity_slot" and found.slot.project == "p05"
    assert found.slot.key[:2] == (kind, "p05")
    named = tuple(value.casefold() for value in SLOTS[kind].values())
    assert found.slot.key[2 : 2 + len(named)] == named


FORMS = [
    ("requirement", "Mass must be at most 4 kg.", "Mass must be at most 6 kg."),
    ("constraint", "At most 4 kg.", "At most 6 kg."),
    ("constraint", "Must be at most 4 kg.", "Limit: 6 kg"),
    ("result", "Result: 40 MPa", "Result: 60 MPa"),
    ("result", "40 MPa", "The mass is 60 MPa."),
    ("parameter", "Value: 4 kg", "Value: 6 kg"),
    ("material", "Material: GF-PTFE", "Material: PEEK"),
    ("decision", "The mass is 4 kg.", "The chosen mass is 6 kg."),
    ("component", "Mass: 4 kg", "The mass is 6 kg."),
    ("analysis_model", "Elements: 400", "Elements: 600"),
]
"""Lines that leave it to the frontmatter what they are about."""


@pytest.mark.parametrize(("kind", "one", "other"), FORMS, ids=[f"{k}: {a} {b}" for k, a, b in FORMS])
def test_a_named_slot_is_the_common_subject(kind: str, one: str, other: str) -> None:
    where = {"type": kind, "project": "p05", **SLOTS[kind]}
    made = pair(says(one, "Note 12", **where), says(other, "Sheet twelve", **where))
    assert made.kinds == ["disagreement"]
    elsewhere = {**where, "project": "p06"}
    assert not pair(says(one, "Note 12", **where), says(other, "Sheet twelve", **elsewhere)).conflict
    unnamed = {"type": kind, "project": "p05"}
    assert not pair(says(one, "Note 12", **unnamed), says(other, "Sheet twelve", **unnamed)).conflict


def test_artifacts_of_one_slot_are_additive() -> None:
    where = {"type": "artifact", "project": "p05", "component_id": "Baffle", "parameter_name": "mass"}
    assert not pair(says("Value: 4 kg", "Note 12", **where), says("Value: 6 kg", "Sheet", **where)).conflict


def test_the_chosen_material_of_a_decision() -> None:
    where = {**DECISION, "decision_target": "lateral support", "decision_field": "material"}
    made = pair(
        says("The material is GF-PTFE.", "Decision 12", **where),
        says("The chosen material is PEEK.", "Choice of March", **where),
    )
    assert made.kinds == ["disagreement"]
    assert made.findings[0].slot.kind == "entity_slot"


def test_trusted_state_against_the_field_of_a_decision() -> None:
    where = {**DECISION, "decision_target": "lateral support", "decision_field": "material"}
    made = pair(CANON, says("The material is PEEK.", "Decision 19", **where))
    assert made.kinds == ["disagreement"]
    assert (made.findings[0].slot.kind, made.findings[0].tier) == ("cross_layer", "block")
    colour = {**where, "decision_field": "colour"}
    assert not pair(CANON, says("The material is PEEK.", "Decision 19", **colour)).conflict


def test_the_table_is_whole() -> None:
    assert set(SLOTS) == set(ENTITY_SLOTS) == ENTITIES - {"artifact"}
    assert {kind: tuple(fields) for kind, fields in SLOTS.items()} == ENTITY_SLOTS
    assert {
        kind: (*naming.things, *([naming.field] if naming.field else [])) for kind, naming in NAMINGS.items()
    } == ENTITY_SLOTS
