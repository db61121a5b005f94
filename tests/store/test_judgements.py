"""What the judge said is kept by claim, per judge, and goes when it is told to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store.judgements import Alarm
from app.store.store import Store
from app.words import Opinion

SAID = Opinion(0.9, 0.05, 0.02, 0.02, 0.01)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store
        assert store.verify() == []


def test_alarms_and_seen_claims_come_back(store: Store) -> None:
    store.caches.judgements.put("judge-1", [Alarm("a", "b", "k", SAID, 0.5)], ["a", "b", "c"])
    assert store.caches.judgements.alarms("judge-1") == [Alarm("a", "b", "k", SAID, 0.5)]
    assert store.caches.judgements.judged("judge-1") == {"a", "b", "c"}
    assert (
        store.caches.judgements.alarms("judge-2") == [] and store.caches.judgements.judged("judge-2") == set()
    )


def test_how_likely_a_pair_is_comes_back(store: Store) -> None:
    said = [Alarm("a", "b", "k", SAID, 0.8125), Alarm("a", "c", "k", SAID, 0.0)]
    store.caches.judgements.put("judge-1", said, ["a"])
    assert store.caches.judgements.alarms("judge-1") == said


def test_a_second_word_replaces_the_first(store: Store) -> None:
    store.caches.judgements.put("judge-1", [Alarm("a", "b", "k", SAID, 0.5)], ["a"])
    store.caches.judgements.put("judge-1", [Alarm("a", "b", "l", Opinion(*SAID[4::-1]), 0.5)], ["a"])
    assert store.caches.judgements.alarms("judge-1") == [Alarm("a", "b", "l", Opinion(*SAID[4::-1]), 0.5)]


def test_forgetting_a_claim_forgets_it_on_both_sides(store: Store) -> None:
    pairs = [
        Alarm("a", "b", "k", SAID, 0.5),
        Alarm("b", "c", "k", SAID, 0.5),
        Alarm("c", "d", "k", SAID, 0.5),
    ]
    store.caches.judgements.put("judge-1", pairs, ["a", "b", "c", "d"])
    store.caches.judgements.forget(["b"])
    assert [(one.a, one.b) for one in store.caches.judgements.alarms("judge-1")] == [("c", "d")]
    assert store.caches.judgements.judged("judge-1") == {"a", "c", "d"}


def test_who_has_seen_everything_is_remembered_and_taken_back(store: Store) -> None:
    assert store.caches.judgements.complete_by == ""
    store.caches.judgements.mark_complete("judge-1")
    assert store.caches.judgements.complete_by == "judge-1"
    store.caches.judgements.mark_complete("")
    assert store.caches.judgements.complete_by == ""
