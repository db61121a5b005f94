"""Values that the judge alone cannot decide are read once more, by the language model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.guard.judged import finding
from app.guard.worth import Opinions
from app.index.judging import Judging, Slice
from app.models.words import Failed
from app.store.store import Store
from app.words import Claim
from tests.guard.building import claims, says
from tests.models.saying import Saying, by_id

FERRY, BOAT = "The ferry to Skarvik takes 40 minutes.", "By boat one is in Skarvik after 55 minutes."
VALUES = frozenset(("40 minutes", "55 minutes"))
ALARM = (0.6, 0.1, 0.1, 0.1, 0.1)
"""Not enough for two so far apart."""
CROWD = [says(f"The quay at {name} is grey and long.", name) for name in "ABCDEFGHIJKLMN"]
NOTES = [says(FERRY, "Boats"), says(BOAT, "Trips", "2026-03-02"), *CROWD]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store
        assert store.verify() == []


@pytest.fixture
def host(tmp_path: Path) -> Saying:
    """The ferry and the boat are far apart: a crowd that measures nothing is nearer to each."""
    made = Saying(tmp_path, own=True)
    made.vectors = {"The ferry": (1.0, 0.0, 0.3), "By boat": (0.0, 1.0, 0.3), "The quay": (1.0, 1.0, 0.5)}
    made.alarms = {VALUES: ALARM}
    made.unsure = {VALUES: 0.9}
    return made


def judging(host: Saying, store: Store, held: list[Claim]) -> Judging:
    made = Judging(host, store)  # type: ignore[arg-type]
    assert made.place(by_id(held), 1000) == 0
    return made


def read(host: Saying, store: Store, held: list[Claim]) -> Slice:
    return judging(host, store, held).read([c.id for c in held], by_id(held), newcomers=False)


def test_its_doubt_brings_a_pair_that_the_judge_alone_would_not(host: Saying, store: Store) -> None:
    held = claims(*NOTES)
    (found,) = read(host, store, held).findings
    assert set(found.members) == {held[0].id, held[1].id}
    assert [reason.stage for reason in found.reasons] == ["judge", "thread"]
    (alarm,) = store.alarms(judging(host, store, held).judge)
    assert alarm.unsure == pytest.approx(0.9) and min(alarm.ranks) > 5
    assert finding(held[0], held[1], Opinions(alarm.odds, alarm.ranks)) is None


def test_it_is_asked_about_these_two_alone_and_once(host: Saying, store: Store) -> None:
    read(host, store, claims(*NOTES))
    ((one, other),) = host.read
    assert FERRY in one and BOAT in other


@pytest.mark.parametrize("said", [0.1, 0.39, None])
def test_where_it_is_sure_or_says_neither_the_pair_stays_silent(
    host: Saying, store: Store, said: float | None
) -> None:
    host.unsure = {VALUES: said}
    made = read(host, store, claims(*NOTES))
    assert (made.findings, made.failed) == ([], None) and len(host.read) == 1


def test_what_raises_no_alarm_is_not_read_again(host: Saying, store: Store) -> None:
    host.alarms = {VALUES: (0.45, 0.04, 0.2, 0.2, 0.11)}
    assert read(host, store, claims(*NOTES)).findings == [] and host.read == []


def test_nor_are_two_that_give_the_same_value_or_none(host: Saying, store: Store) -> None:
    same = "By boat one is in Skarvik after 40 minutes."
    host.alarms = {frozenset(("The ferry", "By boat")): ALARM}
    assert read(host, store, claims(NOTES[0], says(same, "Trips", "2026-03-02"), *CROWD)).findings == []
    denied = says("By boat one is never in Skarvik.", "Trips", "2026-03-02")
    assert read(host, store, claims(NOTES[0], denied, *CROWD)).findings == []
    assert host.read == []


def test_nor_are_two_that_nobody_dated(host: Saying, store: Store) -> None:
    assert read(host, store, claims(says(FERRY, "Boats"), says(BOAT, "Trips"), *CROWD)).findings == []
    assert host.read == []


def test_nor_are_two_of_which_one_has_a_nearer_one_that_measures_the_same(host: Saying, store: Store) -> None:
    nearer = says("The ferry back to Lund lasts 70 minutes.", "Lund")
    host.vectors = {"back to Lund": (1.0, 0.0), "The ferry": (1.0, 0.0), "By boat": (1.0, 0.5)}
    assert read(host, store, claims(*NOTES[:2], nearer)).findings == []
    assert any(FERRY in a and BOAT in b for a, b in host.judged)
    assert not any(FERRY in a and BOAT in b for a, b in host.read)


def test_without_an_adapter_for_it_the_judge_stays_alone(host: Saying, store: Store) -> None:
    host.setup = replace(host.setup, thread_lora=None)
    assert read(host, store, claims(*NOTES)).findings == [] and host.read == []


@pytest.mark.parametrize("why", ["crashed", "refused", "timeout"])
def test_where_it_fails_for_good_the_judge_stays_alone(host: Saying, store: Store, why: str) -> None:
    host.unsure = {VALUES: Failed(why, "not this one")}  # type: ignore[arg-type]
    held = claims(*NOTES)
    made = read(host, store, held)
    assert (made.findings, made.failed) == ([], None)
    again = judging(host, store, held)
    assert again.pending(by_id(held)) == []
    assert [alarm.unsure for alarm in store.alarms(again.judge)] == [None]


def test_where_it_goes_away_nothing_counts_as_judged(host: Saying, store: Store) -> None:
    gone = Failed("broken", "it went away")
    host.unsure = {VALUES: gone}
    held = claims(*NOTES)
    made = read(host, store, held)
    assert (made.findings, made.failed) == ([], gone)
    again = judging(host, store, held)
    assert store.alarms(again.judge) == [] and set(again.pending(by_id(held))) == {c.id for c in held}
    host.unsure = {VALUES: 0.9}
    assert len(read(host, store, held).findings) == 1


def test_what_it_said_is_recalled_without_asking(host: Saying, store: Store) -> None:
    held = claims(*NOTES)
    found = read(host, store, held).findings
    host.read.clear()
    again = Judging(host, store)  # type: ignore[arg-type]
    assert again.remembered(by_id(held)) == found and again.pending(by_id(held)) == []
    assert host.read == []


def test_what_was_judged_without_it_is_judged_anew_once_it_is_there(host: Saying, store: Store) -> None:
    held, with_it = claims(*NOTES), host.setup
    host.setup = replace(with_it, thread_lora=None)
    assert read(host, store, held).findings == []
    host.setup = with_it
    assert len(Judging(host, store).pending(by_id(held))) == len(held)  # type: ignore[arg-type]
    assert len(read(host, store, held).findings) == 1
