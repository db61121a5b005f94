"""Which numbers decide: those learnt for the judge that spoke, and none for a judge nobody measured."""

from __future__ import annotations

import pytest

from app.detection.decide import SILENCING, calibrated, decide, learnt

NEAR = {"shared": 3.0, "share": 0.9, "cosine": 0.9, "best_near": 0.0, "worst_near": 0.0, "overlap": 3.0}
ALARMED = {"judge_conflict": 0.98, "judge_outdated": 0.01, "judge_alarm": 0.99, "judge_settled": 0.0,
           "judge_compatible": 0.01, "judge_unrelated": 0.0, "judge_bare": 0.99,
           "judge_steady": 0.99}  # fmt: skip
CALM = {"judge_conflict": 0.01, "judge_outdated": 0.0, "judge_alarm": 0.01, "judge_settled": 0.0,
        "judge_compatible": 0.98, "judge_unrelated": 0.01, "judge_bare": 0.01,
        "judge_steady": 0.01}  # fmt: skip
JUDGES = sorted(learnt().judges)


@pytest.mark.parametrize("judge", JUDGES)
def test_the_word_of_a_judge_that_ships_counts(judge: str) -> None:
    alarmed, calm = decide([NEAR | ALARMED, NEAR | CALM], judge)
    assert alarmed.probability > calm.probability + 0.3
    assert calibrated(judge)


def test_a_judge_that_nobody_measured_informs_and_does_not_decide() -> None:
    by_nearness, alarmed, calm = decide([NEAR, NEAR | ALARMED, NEAR | CALM], "somebody's own")
    assert alarmed == calm == by_nearness
    assert not calibrated("somebody's own")


def test_both_judges_that_ship_have_numbers() -> None:
    assert len(JUDGES) == 2


@pytest.mark.parametrize("gate", SILENCING)
def test_a_closed_gate_silences_however_likely_a_pair_is(gate: str) -> None:
    (decision,) = decide([NEAR | ALARMED | {f"gate_{gate}": 1.0, "norms_contradict": 1.0}], JUDGES[0])
    assert not decision.shown


def test_what_is_over_never_disagrees_with_its_like() -> None:
    over = {"old_over": 1.0, "new_over": 1.0}
    sure = NEAR | ALARMED | {"norms_contradict": 1.0}
    shown, silent = decide([sure, sure | over], JUDGES[0])
    assert shown.shown and not silent.shown


def test_the_same_words_with_the_same_amounts_say_the_same_whatever_the_judge_says() -> None:
    same = NEAR | ALARMED | {"norms_agree": 1.0, "aligned": 1.0, "only_more": 0.0, "differences": 0.0}
    (decision,) = decide([same], JUDGES[0])
    assert not decision.shown


def test_no_records_no_decisions() -> None:
    assert decide([]) == []
