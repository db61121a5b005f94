"""Each reason to stay silent: what closes its gate, and the nearest pair that leaves it open."""

from __future__ import annotations

import pytest

from app.detection import gates
from app.detection.norm_entry import Entry, entries
from app.detection.pair_gates import closed
from app.words import Claim
from tests.support.claims_of_notes import Said, claims, guard, judged, pair, says

CLOSED = [
    ("standing", "The door code is 4411.", "Ravi says the door code is 0087."),
    ("standing", "The door code is 4411.", "The door code was 0087."),
    (
        "project",
        says("The lens mount is brass.", project="p05"),
        says("The lens mount is steel.", project="p06"),
    ),
    ("scope", "The request timeout is 30 s in prod.", "The request timeout is 60 s in staging."),
    ("scope", "The deposit for Noa is 30 euros.", "The deposit for Ines is 60 euros."),
    ("scope", "Version 2: the lamp driver voltage is 2 V.", "Version 3: the lamp driver voltage is 3 V."),
    ("release", says("The metrics port is 9100.", "v1.2"), says("The metrics port is 9200.", "Setup guide")),
    ("time", "Until 31 March 2026 the door code is 4411.", "From 1 April 2026 the door code is 0087."),
    (
        "time",
        says("Until 31 March 2026 the door code is 4411."),
        says("The door code is 0087.", "Log", "2026-05-01"),
    ),
    ("exception", "Never deploy on Fridays except for hotfixes.", "Friday deploys of hotfixes are fine."),
    ("condition", "The boiler pressure is 2 bar when the heating runs.", "The boiler pressure is 1 bar."),
    (
        "condition",
        "The boiler pressure is 2 bar, Mirela decides when, but only during frost.",
        "The boiler pressure is 1 bar.",
    ),
]
OPEN = [
    ("standing", "The door code is 4411.", "The door code is 0087."),
    (
        "project",
        says("The lens mount is brass.", project="p05"),
        says("The lens mount is steel.", project="P05"),
    ),
    ("scope", "The request timeout is 30 s in prod.", "The request timeout is 60 s in production."),
    ("scope", "The billing gateway runs on v2.", "The billing gateway runs on v3."),
    ("scope", "The bike shop is in Gent.", "The bike shop is in Brugge."),
    (
        "release",
        says("The metrics port is 9100.", "Overview"),
        says("The metrics port is 9200.", "Setup guide"),
    ),
    (
        "time",
        "Since 1 March 2026 the door code is 4411.",
        "Since 1 April 2026 the garage door code is 0087.",
    ),
    (
        "time",
        says("The door code is 4411 until 31 March 2026."),
        says("The door code is 0087.", "Log", "2026-03-01"),
    ),
    ("exception", "Never deploy on Fridays except for hotfixes.", "Friday deploys are fine."),
    ("condition", "The boiler pressure is 2 bar.", "The boiler pressure is 1 bar."),
    ("condition", "The door code is 4411; Mirela decides when.", "The door code is 0087."),
    ("condition", "The door code is 4411, that's when they close.", "The door code is 0087."),
    ("condition", "The door code is 4411, nobody knows when it began.", "The door code is 0087."),
]


@pytest.mark.parametrize(("gate", "a", "b"), CLOSED)
def test_a_closed_gate_says_why_and_keeps_the_pair_silent(gate: str, a: Said | str, b: Said | str) -> None:
    x, y = two_entries(a, b)
    assert gates.GATES[gate](x, y)
    assert gates.GATES[gate](y, x) == gates.GATES[gate](x, y) or gate in ("standing", "project", "scope")
    assert not pair(a, b).conflict


@pytest.mark.parametrize(("gate", "a", "b"), OPEN)
def test_the_nearest_pair_leaves_the_gate_open(gate: str, a: Said | str, b: Said | str) -> None:
    x, y = two_entries(a, b)
    assert gates.GATES[gate](x, y) is None
    assert gates.GATES[gate](y, x) is None


@pytest.mark.parametrize(("gate", "a", "b"), [c for c in OPEN if c[0] not in ("time", "exception")])
def test_and_then_it_is_a_conflict(gate: str, a: Said | str, b: Said | str) -> None:
    assert pair(a, b).conflict


@pytest.mark.parametrize(
    ("gate", "a", "b"),
    [
        (
            "project",
            says("The lens mount is brass.", project="p05"),
            says("The lens mount is steel.", project="p06"),
        ),
        ("time", "Until 31 March 2026 the door code is 4411.", "From 1 April 2026 the door code is 0087."),
        (
            "release",
            says("The metrics port is 9100.", "v1.2"),
            says("The metrics port is 9200.", "Setup guide"),
        ),
    ],
)
def test_a_closed_gate_is_certain_and_named(gate: str, a: Said | str, b: Said | str) -> None:
    verdict = pair(a, b).verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.confidence, verdict.gate) == ("coexist", "HIGH", gate)
    assert verdict.reason().stage == f"gate: {gate}"


def two_entries(a: Said | str, b: Said | str) -> tuple[Entry, Entry]:
    (x, y) = (e for claim in claims(a, b) for e in entries(claim))
    return x, y


def alone(*notes: Said | str) -> bool:
    """Do the claims of these notes contradict each other?"""
    return bool(guard(claims(*notes)))


def test_rows_of_one_table_list_things() -> None:
    rows = "| host | ram |\n|---|---|\n| atlas | 64 GB |\n| atlas | 32 GB |"
    assert not alone(says(rows, "Machines"))


def test_neighbours_in_a_list_are_an_enumeration() -> None:
    assert not alone(
        says("- The front tyre pressure is 2.3 bar.\n- The front tyre pressure is 2.6 bar.", "Car")
    )


def test_two_paragraphs_of_one_note_can_contradict() -> None:
    far = "\n\nThe meadow is mown in June.\n\n"
    body = f"The front tyre pressure is 2.3 bar.{far}The front tyre pressure is 2.6 bar."
    assert alone(says(body, "Car"))


def test_a_label_used_twice_in_a_note_is_an_enumeration() -> None:
    body = "## Front\n\nTyre pressure: 2.3 bar\n\n## Back\n\nTyre pressure: 2.6 bar"
    assert not alone(says(body, "Car"))


def test_timed_lines_are_records_of_a_moment() -> None:
    body = "- 09:10 The canary weight is 5%.\n\nSomething else.\n\n- 09:25 The canary weight is 10%."
    assert not alone(says(body, "2026-03-02"))


def log(first: str, second: str, title: str = "Canary") -> list[Claim]:
    """Two decisions noted at these times: what is decided is asserted, also in a log."""
    apart = "\n\nThe meadow is mown.\n\n"
    body = f"{first} Decided: the canary weight is 5%.{apart}{second} Decided: the canary weight is 10%."
    timed = [claim for claim in claims(says(body, title)) if claim.statement.time]
    assert [claim.norms[0].standing for claim in timed] == ["asserted", "asserted"]
    return timed


@pytest.mark.parametrize(("first", "second"), [("09:10", "09:25"), ("09:10", "09:40"), ("09:25", "09:10")])
def test_what_is_decided_anew_within_half_an_hour_is_one_working_session(first: str, second: str) -> None:
    a, b = log(first, second)
    assert closed(a, b) == closed(b, a) == ("session", "one working session")
    because = judged(a, b, SURE).silent_because
    assert because is not None and because.stage == "gate: session"


@pytest.mark.parametrize(("first", "second"), [("09:10", "09:41"), ("09:10", "17:00"), ("10:05", "09:10")])
def test_what_is_decided_hours_later_is_not(first: str, second: str) -> None:
    a, b = log(first, second)
    assert closed(a, b) is None


def test_nor_are_the_same_hours_in_two_notes_or_lines_without_a_time() -> None:
    (morning, _), (_, elsewhere) = log("09:10", "09:25"), log("09:10", "09:25", "Rollout")
    assert closed(morning, elsewhere) is None
    body = "The canary weight is 5%.\n\nThe meadow is mown.\n\nThe canary weight is 10%."
    assert alone(says(body, "2026-03-02"))


def test_labelled_lines_of_a_diary_speak_of_their_day() -> None:
    assert pair(says("Mood: 8", "2026-03-02"), says("Mood: 3", "2026-03-03")).gate in ("series", "standing")
    assert pair(says("Door code: 4411", "2026-03-02"), says("Door code: 0087", "2026-03-03")).gate != "series"


def test_what_says_itself_to_be_one_of_several_coexists() -> None:
    assert pair("The archive disk is Atlas.", "The archive disk is also Borea.").gate == "coexist"
    assert pair("The archive disk is Atlas.", "The archive disk is Borea.").conflict
    assert pair("The limit is 100 requests per second.", "The limit is 50 requests per second.").conflict


def test_a_numbered_thing_is_another_than_the_next() -> None:
    assert not pair("The 4th shelf is oak.", "The 5th shelf is pine.").conflict
    assert pair("The 4th shelf is oak.", "The 4th shelf is pine.").conflict


def test_quotes_strikes_and_archives_take_no_part() -> None:
    current = "The door code is 0087."
    assert not pair("> The door code is 4411.", current).conflict
    assert not pair("~~The door code is 4411.~~", current).conflict
    assert not pair(says("The door code is 4411.", path="Archive/Door.md"), current).conflict
    assert not pair(says("The door code is 4411.", path="Templates/Door.md"), current).conflict
    assert pair(says("The door code is 4411.", path="Doors/Door.md"), current).conflict


TRACED = [
    ("subject", "The boiler pressure is 2 bar.", "The bicycle is blue.", "different subjects"),
    (
        "overlap",
        "The attic lamp is red.",
        "The cellar lamp is blue.",
        "each names something the other does not",
    ),
    (
        "polarity",
        "Guests must register at the front desk.",
        "Guests must register at the front desk.",
        "the same stance",
    ),
    ("units", "The session timeout is 60 s.", "The session timeout is 1 minute.", "60 s = 1 minute"),
    (
        "scope",
        "The request timeout is 30 s in prod.",
        "The request timeout is 60 s in staging.",
        "different env: production / staging",
    ),
    (
        "time",
        "Until 31 March 2026 the door code is 4411.",
        "From 1 April 2026 the door code is 0087.",
        "different time: until 2026-03-31 / from 2026-04-01",
    ),
    ("standing", "The door code is 4411.", "Is the door code 0087?", "asked, not asserted"),
    (
        "exception",
        "Never deploy on Fridays except for hotfixes.",
        "Friday deploys of hotfixes are fine.",
        "a rule and its exception",
    ),
    ("coexist", "The archive disk is Atlas.", "The archive disk is also Borea.", "one of several"),
    ("series", says("Mood: 8", "2026-03-02"), says("Mood: 3", "2026-03-03"), "labelled lines of a diary"),
    (
        "condition",
        "The boiler pressure is 2 bar when the heating runs.",
        "The boiler pressure is 1 bar.",
        "holds under a condition",
    ),
]
"""What the trace of a judged pair says."""


@pytest.mark.parametrize(("gate", "a", "b", "why"), TRACED)
def test_the_trace_says_which_gate_keeps_a_pair_silent_and_why(
    gate: str, a: Said | str, b: Said | str, why: str
) -> None:
    answer = judged(*claims(a, b))
    because = answer.silent_because
    assert because is not None and answer.tier == "clean"
    assert because.stage == f"gate: {gate}" and why in because.detail
    assert because in answer.stages


def test_neighbours_of_one_note_are_traced_as_a_list() -> None:
    answer = judged(
        *claims(says("## Front\n\nTyre pressure: 2.3 bar\n\n## Back\n\nTyre pressure: 2.6 bar", "Car"))
    )
    assert answer.silent_because is not None
    assert (answer.silent_because.stage, answer.silent_because.detail) == (
        "gate: list",
        "one label used twice in a note",
    )


@pytest.mark.parametrize(("a", "b"), [(a, b) for gate, a, b in OPEN if gate == "standing"])
def test_a_pair_that_is_shown_has_no_reason_to_be_silent(a: Said | str, b: Said | str) -> None:
    assert judged(*claims(a, b)).silent_because is None


SURE = (0.9, 0.06, 0.02, 0.01, 0.01)
"""A judge that holds any pair for a conflict."""


@pytest.mark.parametrize(
    ("gate", "a", "b"),
    [
        ("scope", "The request timeout is 30 s in prod.", "The request timeout is 60 s in staging."),
        ("units", "The session timeout is 60 s.", "The session timeout is 1 minute."),
        ("polarity", "Guests must register at the desk.", "Guests must register at the desk."),
        ("standing", "The door code is 4411.", "Is the door code 0087?"),
    ],
)
def test_however_sure_the_judge_is_a_gate_keeps_the_pair_silent(gate: str, a: str, b: str) -> None:
    answer = judged(*claims(a, b), SURE)
    assert answer.tier == "clean"
    assert answer.silent_because is not None and answer.silent_because.stage == f"gate: {gate}"


def test_what_shows_only_in_a_thread_keeps_silent_too() -> None:
    weights = [says(f"The dog's weight is {n} kg.", f"2026-03-{n:02}") for n in range(11, 16)]
    assert not alone(*weights)
    assert among(*weights) == ("series", "5 readings on different days")
    times = [says(f"The cooking time is {n} minutes.", title) for n, title in enumerate(DISHES, 12)]
    assert not alone(*times)
    assert among(*times) == ("own thing", "5 notes say it, each of its own thing")


DISHES = ("Leek pie", "Bean stew", "Fish soup", "Apple cake", "Rye bread")


def among(*notes: Said) -> tuple[str, str] | None:
    """The gate that the thread of the first closes between it and the second."""
    (first, second, *rest) = [e for claim in claims(*notes) for e in entries(claim)]
    return gates.silent_among(first, second, [second, *rest])


def test_many_values_of_one_day_are_no_series() -> None:
    day = "\n\n".join(f"The shed code is {n}000." for n in range(1, 6))
    assert len(guard(claims(says(day, "2026-03-02")))) == 10
    dated = "\n\n".join(f"## 2026-03-02\n\nThe shed code is {n}000." for n in range(1, 6))
    assert len(guard(claims(says(dated, "Inbox")))) == 10


@pytest.mark.parametrize(
    "line",
    [
        "The garage door code is {}111.",
        "The Netflix password is {}sesame.",
        "Elin's birthday is {} May.",
        "The Berlin office rent is {} euros.",
    ],
)
@pytest.mark.parametrize("count", [4, 5, gates.MANY_NOTES])
def test_another_note_about_one_particular_thing_joins_the_conflict(line: str, count: int) -> None:
    notes = [says(line.format(n), f"N{n}") for n in range(1, count + 1)]
    assert len(guard(claims(*notes))) == count * (count - 1) / 2


@pytest.mark.parametrize(
    "line",
    [
        "The oven temperature is {}0 °C.",
        "The resting time of the dough is {} hours.",
        "The original release year is 198{}.",
        "The IMDb rating is {}.1.",
        "The total baking time is {} minutes.",
        "Total battery life: {} h",
        "The rating is {}.",
        "The price is {} euros.",
        "The author is Ada{}.",
        "author:: Ada{}",
    ],
)
def test_an_aspect_that_every_note_has_is_each_ones_own(line: str) -> None:
    assert not alone(*(says(line.format(n), title) for n, title in enumerate(DISHES, 4)))


def test_what_very_many_notes_say_is_each_ones_own_in_whatever_words() -> None:
    notes = [says(f"The pie crust thickness is {n} mm.", f"Pie {n}") for n in range(1, gates.MANY_NOTES + 2)]
    assert not alone(*notes)


def test_what_is_canon_holds_for_the_other_notes_too() -> None:
    canon = says("The door code is 1111.", "House", trust="canon")
    others = [says(f"The door code is {n}222.", f"N{n}") for n in range(1, 5)]
    assert among(canon, *others) is None
    held = {frozenset(f.members) for f in guard(claims(canon, *others))}
    (first, *rest) = claims(canon, *others)
    said = [c for c in (first, *rest) if c.statement.form == "sentence"]
    assert held == {frozenset((said[0].id, c.id)) for c in said[1:]}


def decision(n: int, **front: str) -> Said:
    return says(f"The support material is Alloy{n}.", f"Decision {n}", type="decision", **front)


def test_notes_that_name_one_slot_speak_of_one_thing() -> None:
    slot = {"decision_target": "Lateral support", "decision_field": "Material"}
    told = [c for c in claims(*(decision(n, **slot) for n in range(1, 6))) if c.statement.form == "sentence"]
    assert len(guard(told)) == 10
    apart = [decision(n, **slot | {"decision_target": f"Support {n}"}) for n in range(1, 6)]
    assert not guard([c for c in claims(*apart) if c.statement.form == "sentence"])


def test_every_gate_has_its_test() -> None:
    tested = {gate for gate, *_ in (*CLOSED, *TRACED)} | {"session", "list"}  # these two within one note
    assert tested >= set(gates.GATES)
    assert set(gates.THREAD_GATES) == {"series", "own thing"}


@pytest.mark.parametrize(
    ("condition", "gate"),
    [
        ("if he likes", None),
        ("if he feels like it", None),
        ("whenever they wish", None),
        ("whenever you like, and longer", None),
        ("if he likes the ducks", "condition"),
        ("whenever you like, but only when Ada is in", "condition"),
        ("if it is warm", "condition"),
    ],
)
def test_what_one_does_as_one_likes_is_done_at_all_times(condition: str, gate: str | None) -> None:
    a, b = claims(
        says(f"Rex the dog swims in the pond all day long {condition}.", "Dogs"),
        says("The pond belongs to the ducks: no dogs in there.", "Pond"),
    )
    why = closed(a, b)
    assert why == closed(b, a) and (why[0] if why is not None else None) == gate
