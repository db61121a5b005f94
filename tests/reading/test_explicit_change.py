"""What a statement says was so before."""

from __future__ import annotations

import pytest

from app.reading.explicit_change import announces_change, former_value, read_change
from tests.support.claims_of_notes import pair, says


@pytest.mark.parametrize(
    ("text", "former"),
    [
        ("owner: Ines (was Rob)", "Rob"),
        ("the rent is 870, up from 840", "840"),
        ("the rent is 870, not 840", "840"),
        ("the rent is 870 (was 840 until May)", "840"),
        ("the rent is 870, before that 840", "840"),
        ("owner: Ines (before: Rob)", "Rob"),
        ("owner: Ines (Rob before)", "Rob"),
        ("the rent is 870, 840 before.", "840"),
    ],
)
def test_a_former_value_in_passing(text: str, former: str) -> None:
    assert former_value(text) == former
    assert announces_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "the gate code is 0087, before noon",
        "the shed is locked, before dark",
        "bins out, before 7",
        "call the vet (before the weekend)",
        "water the ferns, as the week before",
    ],
)
def test_a_time_is_no_former_value(text: str) -> None:
    assert former_value(text) is None
    assert not announces_change(text)


def test_a_code_that_holds_at_a_time_of_day_is_compared() -> None:
    old = says("The gate code is 4411.", "Gate", "2026-01-05")
    assert pair(old, says("The gate code is 0087, before noon.", "Guests", "2026-03-05")).conflict
    assert not pair(old, says("The gate code is 0087, before that 4411.", "Guests", "2026-03-05")).conflict


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The shop moved back from Shopware to Magento.", "shop"),
        ("The shop switched over from Magento to Shopware.", "shop"),
        ("We moved the shop back from Shopware to Magento.", "shop"),
        ("The backup moved from Monday to Friday.", "backup"),
    ],
)
def test_which_way_is_not_what(text: str, subject: str) -> None:
    read = read_change(text)
    assert read is not None and read.subject == subject
