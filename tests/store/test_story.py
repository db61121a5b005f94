"""The story: its order, its pages and its filters."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.claims.claim_changes import by_note, diff
from app.pipeline.index_vault import Pipeline
from app.store.changes import Gone, NoteChange
from app.store.order import Order
from app.store.rows import StoryFilter
from app.store.store import Store
from app.vault.settings import VaultSettings
from app.words import Norm, Note
from tests.store.building import AT, note, open_conflict, save, says


def dated(of: Note, *dates: str | None) -> Note:
    statements = (replace(s, date=d) for s, d in zip(of.statements, dates, strict=True))
    return replace(of, statements=tuple(statements))


def save_normed(store: Store, of: Note, *norms: Norm) -> None:
    changes = diff({}, [of], taken=store.claims.ids(), at=AT)
    changes = [replace(c, claim=replace(c.claim, norms=(n,))) for c, n in zip(changes, norms, strict=True)]
    store.notes.apply([NoteChange(of.path, note=of, claims=by_note(changes)[of.path])], AT)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(tmp_path / "store.db", clock=lambda: AT)
    save(store, dated(note("z.md", "Undated and seen first."), None), at="2026-01-01")
    save(
        store,
        dated(
            note("b.md", "Third.", "First.", "Undated below.", "Second in b."),
            "2026-05-01",
            "2025-01-01",
            None,
            "2026-04-01",
        ),
        dated(note("a.md", "Second in a.", "Undated above."), "2026-04-01", None),
        at="2026-02-01",
    )
    return store


ORDER = [
    "First.", "Second in a.", "Second in b.", "Third.",
    "Undated above.", "Undated below.", "Undated and seen first.",
]  # fmt: skip


def texts(store: Store, **asked: Any) -> list[str]:
    return [row.text for row in store.story.rows(0, 100, StoryFilter(**asked))]


def test_oldest_first_and_undated_last(store: Store) -> None:
    assert texts(store) == ORDER


def test_sentences_come_in_the_order_of_their_note(tmp_path: Path) -> None:
    """Also those of one line, and those that were written between others later."""
    vault, lines = tmp_path / "vault", ["Third on it. Zero comes first.", "", "Last of all."]
    vault.mkdir()
    with Store.open(tmp_path / "s.db", clock=lambda: AT) as store:
        for first in ("", "Alpha opens. ", "Zulu opens. Alpha opens. Mike is between. "):
            (vault / "a.md").write_text(first + "\n".join(lines))
            Pipeline(vault, store, VaultSettings()).run(models=False)
        assert texts(store) == [
            "Zulu opens.", "Alpha opens.", "Mike is between.", "Third on it.", "Zero comes first.",
            "Last of all.",
        ]  # fmt: skip
        assert [row.text for row in store.story.known_at("9999")] == texts(store)


def test_a_row_says_what_is_struck_and_when_an_undated_file_was_changed(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "a.md").write_text("~~The code is 4411.~~ The code is 0087.\n\n- 2026-01-02: moved in\n")
    noon = datetime(2026, 3, 14, 12).astimezone().timestamp()
    os.utime(vault / "a.md", (noon, noon))
    with Store.open(tmp_path / "s.db", clock=lambda: AT) as store:
        Pipeline(vault, store, VaultSettings()).run(models=False)
        told = [(row.text, row.struck, row.file_day) for row in store.story.rows(0, 9)]
        assert told == [
            ("2026-01-02: moved in", False, None),
            ("The code is 4411.", True, "2026-03-14"),
            ("The code is 0087.", False, "2026-03-14"),
        ]
        assert [row.file_day for row in store.story.known_at("9999")] == [None, "2026-03-14", "2026-03-14"]


def test_pages_and_ids_agree(store: Store) -> None:
    ids = store.story.ids()
    assert len(ids) == 7
    for offset in range(8):
        assert [row.id for row in store.story.rows(offset, 2)] == ids[offset : offset + 2]


def test_the_order_tells_the_place_of_every_claim(store: Store) -> None:
    ids, order = store.story.ids(), store.story.order()
    assert list(order) == ids and len(order) == 7
    assert [order.place(id) for id in ids] == list(range(7))
    assert order[2:5] == ids[2:5] and order[-1] == ids[-1]
    assert order.place("nothing!") is None and "nothing!" not in order
    assert store.story.order(StoryFilter(text="undated")) != order == store.story.order()
    assert not store.story.order(StoryFilter(text="no such words"))


def test_an_order_knows_ids_of_any_length_and_their_borders() -> None:
    order = Order.of(["ab", "ba", "c", "abab"])
    assert list(order) == ["ab", "ba", "c", "abab"]
    assert [order.place(id) for id in ("ab", "ba", "c", "abab", "b", "abba", "longer")] == [
        0, 1, 2, 3, None, None, None,
    ]  # fmt: skip
    assert Order.of(["xaya", "yaxa"]).place("yaya") is None
    with pytest.raises(IndexError):
        order[4]


def test_rows_come_for_ids_in_their_order(store: Store) -> None:
    ids = store.story.ids()[::-1]
    assert [row.text for row in store.story.rows_of(ids)] == ORDER[::-1]


def test_the_order_is_walked_in_its_index(store: Store) -> None:
    plan = store.connection.raw.execute(
        "EXPLAIN QUERY PLAN SELECT c.id FROM claims c WHERE c.status IN ('active', 'superseded')"
        " ORDER BY c.story_date, c.path, c.line, c.in_line, c.id LIMIT 10 OFFSET 10"
    ).fetchall()
    # One step: nothing is sorted. (Newer SQLite versions find the index covering, older ones do not.)
    assert [row[3].replace("COVERING ", "") for row in plan] == ["SCAN c USING INDEX claims_in_story_order"]


def test_a_row_says_where_and_whether_disputed(store: Store) -> None:
    id = open_conflict(store, "First.", "Third.")
    row = store.story.rows(0, 1)[0]
    claim = says(store, "First.")
    assert (row.id, row.date, row.path, row.line, row.title) == (claim.id, "2025-01-01", "b.md", 2, "b")
    assert (row.heading, row.layer, row.status, row.disputed) == (("Top",), "memory", "active", id)
    assert [r.text for r in store.story.rows(0, 100) if r.disputed] == ["First.", "Third."]
    store.conflicts.keep(id, claim.id)
    rows = {r.text: r for r in store.story.rows(0, 100)}
    assert (rows["Third."].status, rows["Third."].disputed) == ("superseded", None)


def test_retracted_claims_are_no_part_of_it_unless_asked_for(store: Store) -> None:
    save(store, Gone("b.md"))
    assert texts(store) == ["Second in a.", "Undated above.", "Undated and seen first."]
    assert texts(store, statuses=("retracted",)) == ["First.", "Second in b.", "Third.", "Undated below."]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"text": "UNDATED"}, ["Undated above.", "Undated below.", "Undated and seen first."]),
        ({"text": "second in"}, ["Second in a.", "Second in b."]),
        ({"text": "z.md"}, ["Undated and seen first."]),
        ({"text": "%"}, []),
        ({"text": "_"}, []),
        ({"as_of": "2026-04-30"}, [t for t in ORDER if t != "Third."]),
        ({"as_of": "2025-06-01", "text": "d in"}, []),
    ],
)
def test_filters(store: Store, asked: dict[str, Any], found: list[str]) -> None:
    assert texts(store, **asked) == found


def test_case_is_ignored_beyond_ascii(store: Store) -> None:
    save(store, note("c.md", "Die KÜCHE kostet 100 %."))
    assert texts(store, text="küche") == ["Die KÜCHE kostet 100 %."]
    assert texts(store, text="100 %") == ["Die KÜCHE kostet 100 %."]


def test_filters_on_note_and_norm(store: Store) -> None:
    of = note("c.md", "Prod runs 17.", "Staging runs 14.", project="atlas", layer="entity", tags=("db",))
    tagged = replace(of, statements=(replace(of.statements[0], tags=("live",)), of.statements[1]))
    save_normed(
        store,
        tagged,
        Norm("postgres version", scope=(("env", "prod"),), valid_from="2026-03-01"),
        Norm("postgres version", scope=(("env", "staging"),), valid_until="2026-02-28"),
    )
    both = ["Prod runs 17.", "Staging runs 14."]
    assert texts(store, subject="Postgres") == both
    assert texts(store, project="atlas") == both
    assert texts(store, layer="entity") == both
    assert texts(store, tag="#db") == both
    assert texts(store, tag="live") == both[:1]
    assert texts(store, scope=(("env", "staging"),)) == both[1:]
    assert texts(store, subject="postgres", as_of="2026-02-01") == both[1:]
    assert texts(store, subject="postgres", as_of="2026-03-01") == both[:1]
    assert texts(store, subject="postgres", project="other") == []


def test_only_members_of_open_conflicts_of_a_kind(store: Store) -> None:
    open_conflict(store, "First.", "Third.")
    settled = open_conflict(store, "Second in a.", "Second in b.", slot="other")
    store.conflicts.dismiss(settled)
    assert texts(store, kind="disagreement") == ["First.", "Third."]
    assert texts(store, kind="stale") == []
    order = store.story.order()
    first, third = (order.place(says(store, text).id) for text in ("First.", "Third."))
    assert (order.next_disputed(-1, 1), order.next_disputed(first, 1)) == (first, third)
    assert (order.next_disputed(third, 1), order.next_disputed(third, -1)) == (None, first)
    assert order.next_disputed(first, -1) is None


@pytest.mark.parametrize(
    ("day", "place"),
    [("2020-01-01", 0), ("2025-01-01", 0), ("2025-01-02", 1), ("2026-04-01", 1), ("2026-05-01", 3),
     ("2027-01-01", 4)],
)  # fmt: skip
def test_where_a_day_begins(store: Store, day: str, place: int) -> None:
    assert store.story.count_before(day) == place


def test_where_a_day_begins_in_a_part_of_the_story(store: Store) -> None:
    assert store.story.count_before("2026-05-01", StoryFilter(text="b.md")) == 2


def test_the_days_of_the_story_and_of_the_ledger(store: Store) -> None:
    assert store.story.days() == ("2025-01-01", "2026-04-01", "2026-05-01")
    assert store.ledger.days() == ("2026-01-01", "2026-02-01")


def test_what_the_story_can_be_filtered_by(store: Store) -> None:
    of = note("c.md", "Prod runs 17.", "Staging runs 14.", project="atlas", layer="entity", tags=("db",))
    tagged = replace(of, statements=(replace(of.statements[0], tags=("#live", "db")), of.statements[1]))
    save_normed(store, tagged, Norm("postgres version"), Norm("postgres version"))
    open_conflict(store, "First.", "Third.")
    found = store.story.facets()
    assert found.projects == (("atlas", 2),)
    assert found.tags == (("db", 2), ("live", 1)), "a tag of note and line counts once"
    assert found.layers == (("memory", 7), ("entity", 2))
    assert found.kinds == (("disagreement", 2),)
    assert found.subjects == (("postgres version", 2),)
