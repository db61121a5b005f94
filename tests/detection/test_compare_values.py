"""Two values as written in notes: the same, another, or nothing to compare."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detection.compare_values import compare_values


def both(a: str, b: str, *, field: bool = False) -> str:
    there, back = compare_values(a, b, field=field).relation, compare_values(b, a, field=field).relation
    assert there == back
    return there


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("4411", "4411."), ("0151 234567", "0151-234567"), ("+44 20 7946 0018", "+442079460018"),
        ("Node.js", "NodeJS"),
        ("0.5", "0.50"), ("4.8 kg", "4.82 kg"), ("1000", "1,000"), ("2026-05-03", "03.05.2026"),
        ("2026-05-03", "3 May 2026"),
        ("2026-05", "2026-05-03"), ("Tue, Thu", "Thu, Tue"), ("9:00-17:00", "9 am to 5 pm"),
        ("REST-based", "REST"),
        ("Postgres", "PostgreSQL"), ("Dr Novak", "Elena Novak"), ("Postgres 14", "Postgres"),
        ("the blue one", "blue"),
        ("yes", "Yes."), ("“GF-PTFE”", "GF-PTFE"), ("half past seven", "19:30"),
    ],
)  # fmt: skip
def test_the_same_value_written_twice(a: str, b: str) -> None:
    assert both(a, b) == "equal"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("4411", "0087"), ("0087", "0088"), ("555-0142", "555-0143"), ("1.5 kg", "15 kg"), ("v1.2", "v12"),
        ("10.0.0.1", "10.0.0.2"),
        ("-5 °C", "5 °C"), ("A", "B"), ("plan A", "plan B"), ("supplier A", "supplier B"),
        ("Postgres 14", "Postgres 17"),
        ("Node 18", "Node 20"), ("GF-PTFE", "PEEK"), ("red", "blue"), ("rebase", "merge-commit"),
        ("on", "off"), ("yes", "no"),
        ("enabled", "disabled"), ("not approved", "approved"), ("Ines", "Rob"), ("C++", "C#"),
        ("Tue, Thu", "Tue, Fri"),
        ("9:00-17:00", "9:00-18:00"), ("ines@garden.example", "rob@garden.example"),
        ("/srv/data", "/srv/backup"),
    ],
)  # fmt: skip
def test_another_value(a: str, b: str) -> None:
    assert both(a, b) == "differ"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Tue", "Tue, Thu"), ("Ines (lead)", "Ines Berg"), ("Katarina", "Katharina"),
        ("NYC", "New York City"), ("40 kg", "Ines"),
        ("€40 per month", "€480 per year"), ("at most 4 kg", "3 kg"), ("quiet", "sunny"),
        ("10 %", "ten eggs"), ("blue", "Ines"),
    ],
)  # fmt: skip
def test_values_that_may_both_hold(a: str, b: str) -> None:
    assert both(a, b) == "incomparable"


def test_in_a_field_plain_words_count() -> None:
    assert both("quiet", "sunny", field=True) == "differ"
    assert both("quiet", "sunny and rather warm", field=True) == "incomparable"


def test_the_detail_names_both_values() -> None:
    assert compare_values("4411", "0087").detail == "4411 ≠ 0087"


_VALUES = st.one_of(
    st.text(max_size=20),
    st.lists(
        st.sampled_from(
            """A B red blue not yes no Ines Rob 14 4411 0087 3 kg g 19:30 Monday Tue , - at most about €40 . /
            REST-based""".split()
        ),
        max_size=5,
    ).map(" ".join),
)


@given(_VALUES, _VALUES, st.booleans())
def test_comparing_is_symmetric_and_never_fails(a: str, b: str, field: bool) -> None:
    both(a, b, field=field)


@given(_VALUES)
def test_a_value_never_differs_from_itself(value: str) -> None:
    assert both(value, value) != "differ"
