"""Which member each strategy keeps, and where it leaves the choice to the person."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.strategies.api import Resolution, Unusable, answer
from app.strategies.decide import (
    MARGIN,
    agreed,
    decide,
    highest_trust,
    last_write_wins,
    resolved,
    suggestion,
)
from app.strategies.decide import Suggestion as Said
from app.strategies.rules import MANUAL, Rule
from app.words import TRUST
from tests.strategies.building import contradiction, member

OLD, NEW = member("old", "2026-01-01"), member("new", "2026-05-01")
CANON = member("canon", "2025-01-01", "state")


def kept(found: Said | None) -> str | None:
    return None if found is None else found.claim


def test_the_last_write_wins_by_date_alone() -> None:
    found = last_write_wins(contradiction(OLD, NEW, CANON))
    assert found == Said("new", "newest, 2026-05-01", "last_write_wins")


@pytest.mark.parametrize("dates", [("2026-01-01", "2026-01-01"), (None, None)])
def test_without_a_newest_the_person_decides(dates: tuple[str | None, str | None]) -> None:
    assert last_write_wins(contradiction(member("a", dates[0]), member("b", dates[1]))) is None


def test_the_higher_layer_is_trusted_before_anything_learned() -> None:
    loved = member("loved", "2026-06-01", learned=0.99)
    canon = member("canon", "2025-01-01", "state", learned=0.01)
    assert highest_trust(contradiction(loved, canon)) == Said(
        "canon", "from the most trusted note", "highest_trust"
    )


def test_within_a_layer_verdicts_speak_when_well_ahead() -> None:
    a, b = member("a", learned=0.5 + 2 * MARGIN), member("b", learned=0.5)
    assert kept(highest_trust(contradiction(a, b))) == "a"
    assert highest_trust(contradiction(a, member("c", learned=0.5 + 1.5 * MARGIN))) is None


def test_what_is_learned_of_a_lower_layer_does_not_break_a_tie_above() -> None:
    tie = (member("x", layer="entity"), member("y", layer="entity"))
    assert highest_trust(contradiction(*tie, member("z", learned=0.95))) is None


def test_by_hand_a_newer_date_alone_proposes_nothing() -> None:
    assert agreed(contradiction(OLD, NEW)) is None
    assert agreed(contradiction(NEW, CANON)) is None
    both = agreed(contradiction(OLD, member("late", "2026-06-01", "state")))
    assert both == Said("late", "newest and most trusted", "manual")


def test_a_resolver_keeps_escalates_or_falls_back() -> None:
    given = contradiction(OLD, NEW)
    assert kept(resolved(Resolution.keep_existing(given), given)) == "old"
    assert kept(resolved(Resolution.accept_new(given), given)) == "new"
    assert kept(resolved(Resolution.keep(OLD, "I know"), given)) == "old"
    assert kept(resolved(Resolution.fallback_to("last_write_wins"), given)) == "new"
    assert resolved(Resolution.fallback_to("manual"), given) is None
    assert resolved(Resolution.escalate(given), given) is None


def test_a_callback_may_answer_with_a_word() -> None:
    given = contradiction(OLD, NEW)
    assert answer("keep_existing", given).claim == "old"
    assert answer("accept_new", given).claim == "new"


@pytest.mark.parametrize(
    "returned",
    [None, "yes", 3, Resolution.keep("stranger"), Resolution("fallback", strategy="custom")],  # type: ignore[arg-type]
)
def test_anything_else_is_no_answer(returned: object) -> None:
    with pytest.raises(Unusable):
        answer(returned, contradiction(OLD, NEW))


def test_the_suggestion_is_the_rule_s_unless_a_resolver_has_spoken() -> None:
    given = contradiction(NEW, CANON)
    assert kept(suggestion(given, Rule("last_write_wins"))) == "new"
    assert kept(suggestion(given, Rule("highest_trust"))) == "canon"
    assert suggestion(given, MANUAL) is None
    said = Said("canon", "it is canon", "custom")
    assert suggestion(given, Rule("custom"), said) == said
    # A proposal for a member that has left since is none.
    assert suggestion(given, Rule("custom"), Said("gone", "", "custom")) is None


DAYS = st.sampled_from([None, "2025-01-01", "2026-01-01", "2026-02-01"])
MEMBERS = st.lists(
    st.tuples(DAYS, st.sampled_from(list(TRUST)), st.floats(0, 1)), min_size=2, max_size=6
).map(lambda rows: [member(str(n), day, layer, learned=score) for n, (day, layer, score) in enumerate(rows)])


@given(MEMBERS)
def test_trust_never_overrides_the_layers(members: list) -> None:
    found = highest_trust(contradiction(*members))
    if found is not None:
        chosen = next(m for m in members if m.claim == found.claim)
        assert chosen.trust == max(m.trust for m in members)


@given(MEMBERS, st.sampled_from(["manual", "last_write_wins", "highest_trust"]), st.randoms())
def test_the_order_of_members_decides_nothing(members: list, strategy, random) -> None:
    shuffled = list(members)
    random.shuffle(shuffled)
    assert decide(strategy, contradiction(*members)) == decide(strategy, contradiction(*shuffled))
