"""Two quantities: the same in other units and words, something else, or nothing to compare."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.reading.quantities import Quantity, quantities, relate
from app.reading.units import UNITS


def related(a: str, b: str) -> str:
    (left,), (right,) = quantities(a), quantities(b)
    assert relate(left, right) == relate(right, left)
    return relate(left, right)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("60 s", "1 minute"), ("1k", "1,000"), ("3 million", "3,000,000"), ("90 min", "1 h 30 min"),
        ("half past seven", "19:30"),
        ("half past seven", "7:30"), ("7 pm", "19:00"), ("noon", "12:00"), ("midnight", "24:00"),
        ("3 May", "2026-05-03"),
        ("May 2026", "3 May"), ("Mon-Fri", "Monday to Friday"), ("68 °F", "20 °C"), ("1 month", "30 days"),
        ("1 month", "4 weeks"),
        ("365 days", "1 year"), ("12 months", "1 year"), ("90 days", "3 months"),
        ("monthly", "every 4 weeks"),
        ("monthly", "every 30 days"), ("3 times a day", "every 8 hours"), ("twice a week", "every 3 days"),
        ("daily", "every morning"),
        ("52 per year", "1 per week"), ("€40 monthly", "€40 per month"), ("4", "3–5"), ("about 40", "43"),
        ("around 5pm", "5:20 pm"),
        ("at most 10", "max 10"), ("at most 10", "10"), ("10 MB per second", "10 MB/s"),
        ("1/2 cup", "0.5 cups"),
    ],
)  # fmt: skip
def test_the_same_in_other_words_or_units(a: str, b: str) -> None:
    assert related(a, b) == "equal"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("60 s", "2 minutes"), ("1.5 kg", "15 kg"), ("19:30", "20:30"), ("half past seven", "20:00"),
        ("3 May", "4 May"),
        ("3 May 2025", "3 May 2026"), ("May 2026", "June 2026"), ("Monday", "Tuesday"),
        ("Mon-Wed", "Thu-Fri"), ("12 months", "13 months"),
        ("1 month", "6 weeks"), ("14 days", "1 month"), ("weekly", "twice a week"),
        ("every 12 days", "every 13 days"),
        ("10 MB/s", "10 GB/s"), ("€40", "€45"), ("3–5", "7"), ("about 40", "60"), ("around 5pm", "7 pm"),
        ("at most 10", "12"),
        ("at least 10", "7"), ("at most 10", "at most 12"), ("at most 10", "at least 12"),
        ("-5 °C", "5 °C"), ("1/2 cup", "1/4 cup"),
        ("the 3rd of each month", "the 5th of each month"),
    ],
)  # fmt: skip
def test_something_else(a: str, b: str) -> None:
    assert related(a, b) == "differ"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("5 kg", "5 km"), ("€40", "$40"), ("5 days", "every 5 days"), ("at most 10", "7"),
        ("at least 10", "12"),
        ("at most 10", "at least 3"), ("Mon-Fri", "Wednesday"), ("3–5", "4–6"),
        ("€40 per month", "€480 a year"), ("20 %", "20"),
    ],
)  # fmt: skip
def test_nothing_to_compare(a: str, b: str) -> None:
    assert related(a, b) == "incomparable"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [("4.8 kg", "4.82 kg", True), ("4.8 kg", "4.9 kg", False), ("5 kg", "4.82 kg", True),
     ("12 kg", "12.3 kg", True), ("2 bar", "2.3 bar", False), ("€12", "€12.50", False),
     ("12 kg", "13 kg", False),
     ("2.30 bar", "2.3 bar", True),
     ("33.4 psi", "2.3 bar", True), ("0.1 s", "149 ms", True), ("0.10 s", "149 ms", False)],
)  # fmt: skip
def test_rounding_hides_half_the_last_written_digit(a: str, b: str, same: bool) -> None:
    assert related(a, b) == ("equal" if same else "differ")


_WRITTEN = st.one_of(
    st.builds(
        lambda lead, n, unit: f"{lead}{n}{unit}",
        st.sampled_from(["", "about ", "at most ", "at least ", "€", "-"]),
        st.one_of(st.integers(0, 5000), st.decimals(0, 50, places=2)),
        st.sampled_from(
            [
                "",
                " kg",
                " g",
                " min",
                " h",
                " days",
                " months",
                " %",
                " °C",
                "k",
                " per day",
                " €",
                "-9000 kg",
            ]
        ),
    ),
    st.sampled_from(
        "7pm,19:00,half past seven,noon,Monday,Mon-Fri,Fri-Mon,3 May,May 2026,daily".split(",")
        + "twice a week,every 3 days,monthly,the 3rd".split(",")
    ),
)


@given(_WRITTEN, _WRITTEN)
def test_relating_is_symmetric(a: str, b: str) -> None:
    for x in quantities(a):
        for y in quantities(b):
            assert relate(x, y) == relate(y, x)


@given(_WRITTEN)
def test_everything_is_equal_to_itself(text: str) -> None:
    assert all(relate(q, q) == "equal" for q in quantities(text))


_BY_DIMENSION: dict[str, list[str]] = defaultdict(list)
for _name, (_dimension, _) in UNITS.items():
    if len(_name) > 1 and "_" not in _name and _name not in ("mi", "pt", "cal", "gr", "mo"):
        _BY_DIMENSION[_dimension].append(_name)
_PAIRS = [(a, b) for names in _BY_DIMENSION.values() for a in names for b in names]


@given(st.sampled_from(_PAIRS), st.integers(1, 9999))
def test_a_measure_equals_itself_converted_to_any_unit_of_its_dimension(
    pair: tuple[str, str], n: int
) -> None:
    a, b = pair
    converted = n * UNITS[a][1] / UNITS[b][1]
    there = Quantity(0, 1, UNITS[b][0], converted * UNITS[b][1], converted * UNITS[b][1], unit=UNITS[b][1])
    (here,) = quantities(f"{n} {a}")
    assert relate(here, there) == relate(there, here) == "equal"


@given(st.sampled_from([p for p in _PAIRS if UNITS[p[0]] != UNITS[p[1]]]), st.integers(2, 9999))
def test_a_measure_differs_from_its_double_in_any_unit(pair: tuple[str, str], n: int) -> None:
    a, b = pair
    (here,) = quantities(f"{n} {a}")
    doubled = 2 * here.low
    assert relate(here, Quantity(0, 1, here.dimension, doubled, doubled, unit=UNITS[b][1])) == "differ"
