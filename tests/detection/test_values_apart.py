"""Which values two texts give differently, and which alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detection.values_apart import values_apart


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ("Bisoprolol: 2.5 mg every morning", "5 mg every morning", "2.5 mg vs 5 mg, both every morning"),
        ("Water stations: 3", "all four water stations", "3 vs 4"),
        ("plate 171-WH-2208", "plate 171-WH-2280", "171-WH-2208 vs 171-WH-2280, both 171"),
        ("we run v14.2", "we run v17.1", "v14.2 vs v17.1"),
        ("ring 0171 442 19 33", "ring 0171 442 19 38", "0171 442 19 33 vs 0171 442 19 38"),
        ("timeout 60 s", "timeout 1 minute", "both 60 s"),
        ("at half past seven", "at 19:30", "both half past seven"),
        ("open on Mondays", "open on Tuesdays", "Mondays vs Tuesdays"),
        ("the hall is blue", "the hall is green", ""),
        ("costs £12", "weighs 3 kg", ""),
    ],
)
def test_what_differs_comes_first_and_then_what_both_say(a: str, b: str, told: str) -> None:
    assert values_apart(a, b).told == told


def test_the_same_code_with_other_separators_is_no_difference() -> None:
    assert not values_apart("ring 0171 442 19 33", "ring 0171-442-1933").codes


def test_codes_of_another_shape_are_not_compared() -> None:
    assert not values_apart("room B12", "plate 171-WH-2208").codes


@given(st.text(max_size=80), st.text(max_size=80))
def test_both_orders_find_as_much(a: str, b: str) -> None:
    there, back = values_apart(a, b), values_apart(b, a)
    assert len(there.codes) == len(back.codes) and len(there.amounts) == len(back.amounts)
    assert bool(there.both) == bool(back.both)


@given(st.text(max_size=120))
def test_a_text_never_differs_from_itself(text: str) -> None:
    values = values_apart(text, text)
    assert not values.codes and not values.amounts


def test_a_line_of_any_length_is_looked_at_in_part() -> None:
    digits = " ".join(str(n) for n in range(5000))
    assert len(values_apart(digits, digits[::-1]).told) < 300
