"""A return told in words is a story told to its end, however it is told."""

from __future__ import annotations

import pytest

from app.detection.claim_index import ClaimIndex
from app.detective import arcs
from tests.support.claims_of_notes import Said, claims, detect, says

FIRST = says("The web shop runs on Magento.", "Overview", "2026-01-05")
CHANGE = says("We moved the web shop from Magento to Shopware.", "Log", "2026-02-05")
BACK = says("The web shop runs on Magento.", "Handover", "2026-06-05")
TOLD = (
    "The web shop is back on Magento.",
    "Back to Magento for the web shop",
    "Rolled the web shop back to Magento",
    "Reverted the Shopware move, Magento again",
    "Shopware dropped, Magento it is",
    "Undid the Shopware switch",
    "We returned to Magento after all",
    "Shopware experiment is over, Magento again",
    "The Shopware trial didn't work out.",
    "We dropped Shopware.",
)


def kinds(*notes: Said) -> list[str]:
    return [f.kind for f in detect(claims(*notes))]


def test_untold_it_is_a_reversal() -> None:
    assert kinds(FIRST, CHANGE, BACK) == ["reversal"]


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("day", ["2026-04-01", "2026-07-01"])
def test_a_return_told_in_words_settles_it(told: str, day: str) -> None:
    assert kinds(FIRST, CHANGE, says(told, "Journal", day), BACK) == []


@pytest.mark.parametrize("told", TOLD)
def test_it_settles_an_arc_by_mention_too(told: str) -> None:
    mention = says("Take the price list from the Magento admin page.", "Temp", "2026-06-05")
    first = says("Web shop: Magento", "Overview", "2026-01-05")
    assert kinds(first, CHANGE, mention) == ["reversal"]
    assert kinds(first, CHANGE, says(told, "Journal", "2026-04-01"), mention) == []


@pytest.mark.parametrize(
    "told",
    [
        "Maybe we go back to Magento.",
        "Should the web shop go back to Magento?",
        "Planning to move the web shop back to Magento.",
        "We are not going back to Magento.",
        "Tom wants Magento again.",
        "Rolled the newsletter back to Mailchimp",
        "Undid the Slack switch",
        "Got the Magento invoice, sent the laptop back",
        "We dropped Magento.",
    ],
)
def test_wishes_denials_and_other_returns_settle_nothing(told: str) -> None:
    assert kinds(FIRST, CHANGE, says(told, "Journal", "2026-04-01"), BACK) == ["reversal"]


def test_a_return_before_the_change_settles_nothing() -> None:
    assert kinds(FIRST, says("Back to Magento.", "Journal", "2026-01-20"), CHANGE, BACK) == ["reversal"]


def test_a_number_means_another_thing_in_every_line() -> None:
    story = (
        says("The gate code is 5512.", "Gate", "2026-01-05"),
        says("We changed the gate code to 0930.", "Log", "2026-02-05"),
        says("The gate code is 5512.", "Guests", "2026-06-05"),
    )
    assert kinds(*story) == ["reversal"]
    assert kinds(*story, says("The alarm is back to 5512.", "Shed", "2026-04-01")) == ["reversal"]
    assert kinds(*story, says("The gate is back to 5512.", "Shed", "2026-04-01")) == []


@pytest.mark.parametrize("told", TOLD)
def test_it_settles_and_unsettles_as_it_comes_and_goes(told: str) -> None:
    held = claims(FIRST, CHANGE, BACK, says(told, "Journal", "2026-04-01"))
    index = ClaimIndex(held[:3])
    assert len(arcs.findings(index)) == 1
    index.add(held[3])
    assert arcs.findings(index) == []
    index.remove(held[3].id)
    assert len(arcs.findings(index)) == 1
