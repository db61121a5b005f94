"""A version spoken of as the current one, while newer notes live with a later one."""

from __future__ import annotations

import pytest

from app.detection.claim_index import ClaimIndex
from app.detective import arcs
from tests.support.claims_of_notes import Said, claims, detect, says

HELD = says("Django 3 is our framework version.", "Overview", "2025-01-05")
ONE = says("The Django 5 templates live in the theme folder.", "Themes", "2025-08-05")
TWO = says("Fixed the slow admin list of Django 5.", "Fixes", "2025-09-20")


def kinds(*notes: Said) -> list[str]:
    return [f.kind for f in detect(claims(*notes))]


def later(text: str, day: str = "2025-06-01") -> Said:
    return says(text, "Journal", day)


def test_two_notes_live_with_a_later_one() -> None:
    assert kinds(HELD, ONE, TWO) == ["stale"]
    assert kinds(HELD, ONE) == []


@pytest.mark.parametrize(
    "told",
    [
        "Framework upgraded to 5.",
        "The framework is on version 5 as of May.",
        "Framework is now on 5.",
        "Django: upgraded to 5.",
        "Moved the framework from 3 to 5.",
        "Framework bumped to v5.1",
    ],
)
def test_a_change_of_the_thing_told_by_its_number_settles_it(told: str) -> None:
    assert kinds(HELD, ONE, TWO, later(told)) == []


@pytest.mark.parametrize(
    "told",
    [
        "Ticket office upgraded to 5.",
        "Framework upgraded to 7.",
        "Should the framework be upgraded to 5?",
        "The framework has 5 maintainers.",
    ],
)
def test_other_things_and_other_numbers_settle_nothing(told: str) -> None:
    assert kinds(HELD, ONE, TWO, later(told)) == ["stale"]


def test_majors_are_compared() -> None:
    assert kinds(HELD, ONE, says("Fixed the admin list of Django 5.2.", "Fixes", "2025-09-20")) == ["stale"]
    old = says("Django 3.2 is our framework version.", "Overview", "2025-01-05")
    assert kinds(old, ONE, TWO) == ["stale"]


def test_a_third_version_in_passing_changes_nothing() -> None:
    assert kinds(HELD, later("Tried the Django 4 beta on a spare laptop."), ONE, TWO) == ["stale"]
    assert kinds(later("The Django 2 book is on the shelf.", "2024-06-01"), HELD, ONE, TWO) == ["stale"]


def test_both_in_use_is_no_outdated_claim() -> None:
    assert kinds(HELD, ONE, TWO, later("The Django 3 docs are pinned in the channel.", "2025-08-20")) == []


def test_minor_versions_of_one_major_tell_where_there_are_two() -> None:
    def minor(*numbers: str) -> list[str]:
        return kinds(
            says(f"Kubernetes {numbers[0]} is our cluster version.", "Overview", "2025-01-05"),
            says(f"The Kubernetes {numbers[1]} manifests live in the ops folder.", "Ops", "2025-08-05"),
            says(f"Fixed the Kubernetes {numbers[2]} probes.", "Fixes", "2025-09-20"),
        )

    assert minor("1.26", "1.31", "1.31") == ["stale"]
    assert minor("1.26", "1.30", "1.31") == []


@pytest.mark.parametrize("told", ["Framework upgraded to 5.", "Framework is now on 5."])
def test_what_settles_it_may_come_and_go(told: str) -> None:
    held = claims(HELD, ONE, TWO, later(told))
    index = ClaimIndex(held[:3])
    assert len(arcs.findings(index)) == 1
    index.add(held[3])
    assert arcs.findings(index) == []
    index.remove(held[3].id)
    assert len(arcs.findings(index)) == 1
