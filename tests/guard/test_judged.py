"""Who is judged, and when the judge's word becomes a finding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.guard.judged import closed, finding, how_held, odds_of, spoken, worth_asking, worth_judging
from app.guard.worth import Opinions
from app.words import Claim
from tests.guard.building import claims, says

SURE = Opinions((0.97, 0.01, 0.01, 0.005, 0.005), (0, 0))
OUTDATED = Opinions((0.05, 0.92, 0.01, 0.01, 0.01), (0, 0))
QUIET = Opinions((0.05, 0.05, 0.1, 0.6, 0.2), (0, 0))


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


def test_a_sure_judge_makes_a_finding() -> None:
    a, b = two(*PAIR)
    found = finding(a, b, SURE)
    assert found is not None
    assert found.kind == "disagreement" and found.members == (a.id, b.id) and found.tier == "warn"
    assert found.reasons[0].stage == "judge"


def test_below_the_threshold_it_stays_silent() -> None:
    a, b = two(*PAIR)
    assert finding(a, b, QUIET) is None
    assert finding(a, b, SURE._replace(ranks=(9, 12))) is None


def test_without_another_value_or_a_denial_the_judge_alone_is_not_believed() -> None:
    a, b = two("The hut by the weir is green.", "They painted the weir cabin red.")
    assert finding(a, b, SURE) is None
    heated = ("The hut by the weir is heated.", "There is no stove in the weir cabin.")
    assert finding(*two(*heated), SURE) is None
    a, b = two(*heated, (None, "2026-02-01"))
    found = finding(a, b, SURE)
    assert found is not None and "one of them denies" in found.reasons[0].detail


def test_a_newer_statement_that_outdates_makes_a_stale_claim() -> None:
    a, b = two(*PAIR, ("2025-01-10", "2025-02-10"))
    found = finding(a, b, OUTDATED)
    assert found is not None and found.kind == "stale" and found.members == (a.id, b.id)


def test_undated_ones_are_never_stale() -> None:
    found = finding(*two(*PAIR), OUTDATED)
    assert found is not None and found.kind == "disagreement"


def test_a_gate_outweighs_the_judge() -> None:
    a, b = two(*PAIR)
    left, right = replace(a, project="Atlas"), replace(b, project="Boreas")
    assert closed(left, right) == ("project", "different project: Atlas / Boreas")
    assert finding(left, right, SURE) is None


def test_an_old_log_line_is_no_claim_but_a_new_one_may_contradict() -> None:
    log = one("Paid 40 at the garage today.", "2025-01-10", "2025-01-10")
    assert how_held(log) in ("logged", "past")
    claim = replace(one("The garage never charges us.", "Car", "2024-01-10"), id="other")
    assert closed(log, claim) is not None
    assert closed(claim, log) is None


def test_what_the_rules_find_consistent_needs_no_judge() -> None:
    a, b = two("The garage code is 4411.", "Our garage code is 4411.")
    assert finding(a, b, SURE) is None


def test_members_of_two_layers_meet_in_a_cross_layer_slot() -> None:
    a, b = two(*PAIR)
    found = finding(a, replace(b, layer="state"), SURE)
    assert found is not None and found.slot.kind == "cross_layer"


def test_both_ways_count_where_no_date_tells_the_order() -> None:
    a, b = two(*PAIR)
    assert odds_of(a, b, (1.0, 0.0), (0.0, 1.0)) == (0.5, 0.5)
    assert odds_of(a, b, None, (0.0, 1.0)) is None
    x, y = two(*PAIR, ("2025-01-10", "2025-02-10"))
    assert odds_of(x, y, (1.0, 0.0), (0.0, 1.0)) == (1.0, 0.0)


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


def test_what_belongs_to_two_persons_is_two_things() -> None:
    a, b = two("Ada's shift starts at 6:00.", "Jun's shift begins at half past nine.")
    assert closed(a, b) == ("scope", "each is somebody else's") == closed(b, a)
    assert closed(*two("Ada's shift starts at 6:00.", "Jun's swap: from now on Ada comes at 9.")) is None


# two readers


FAR = Opinions((0.7, 0.05, 0.1, 0.1, 0.05), (7, 9))
"""The judge alone would not be believed about two so far apart."""


def dated(a: Claim, b: Claim) -> tuple[Claim, Claim]:
    return a, replace(b, statement=replace(b.statement, date="2026-03-04"))


def test_a_second_readers_doubt_brings_two_values_however_far_apart() -> None:
    a, b = dated(*two(*PAIR))
    assert finding(a, b, FAR) is None
    found = finding(a, b, FAR._replace(unsure=0.8))
    assert found is not None and found.tier == "warn" and found.confidence == pytest.approx(0.775)
    assert [reason.stage for reason in found.reasons] == ["judge", "thread"]
    assert "measures the same" in found.reasons[0].detail and "80%" in found.reasons[1].detail


def test_descriptions_that_nobody_dated_need_more_than_two_readers() -> None:
    a, b = two(*PAIR)
    assert finding(a, b, FAR._replace(unsure=0.8)) is None and not worth_asking(a, b, 0.9)


@pytest.mark.parametrize("unsure", [None, 0.0, 0.39])
def test_where_the_second_is_sure_or_silent_it_stays_with_the_judge(unsure: float | None) -> None:
    a, b = dated(*two(*PAIR))
    assert finding(a, b, FAR._replace(unsure=unsure)) is None
    alone = finding(a, b, SURE)
    assert alone is not None and finding(a, b, SURE._replace(unsure=unsure)) == alone


def test_a_gate_outweighs_two_readers() -> None:
    a, b = dated(*two(*PAIR))
    assert (
        finding(replace(a, project="Atlas"), replace(b, project="Boreas"), FAR._replace(unsure=1.0)) is None
    )


def test_a_second_reader_is_asked_about_two_open_values_that_raised_an_alarm() -> None:
    a, b = dated(*two(*PAIR))
    assert worth_asking(a, b, 0.5) and not worth_asking(a, b, 0.49)
    assert not worth_asking(replace(a, project="Atlas"), replace(b, project="Boreas"), 0.9)
    assert not worth_asking(*dated(*two("The hut is heated.", "There is no stove in the weir cabin.")), 0.9)
    assert not worth_asking(*dated(*two("The garage code is 4411.", "Our garage code is 4411.")), 0.9)


def test_the_date_of_an_entry_is_when_and_not_what() -> None:
    (entry,) = claims(says("2026-03-04: the pump stops at 40 °C", "Log"))
    assert entry.statement.dated_by == "inline" and spoken(entry) == "the pump stops at 40 °C"
    (plain,) = claims(says("The lease ends 2026-03-04.", "House", "2026-01-01"))
    assert spoken(plain) == plain.statement.text
