"""Capture on a real vault and a real store: guarded, written, read, and on record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.capture import capture as module
from app.capture.capture import capture
from app.capture.outcomes import CaptureError, InboxChanged, Outcome, Wanted
from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import VaultSettings
from tests.robust.building import contents, found_afresh, open_sets, write

TODAY = "2026-11-16"
RULE = {"Rules.md": "Never deploy on Fridays.\n", "Garage.md": "The garage door code is 4411.\n"}
AGAINST = "Friday deploys are fine."


class Desk:
    """A vault with its store, and capture on it."""

    def __init__(self, root: Path, store: Store) -> None:
        self.root, self.store = root, store

    def __call__(
        self, verb: str, text: str, *, settings: VaultSettings | None = None, **more: str
    ) -> Outcome:
        pipeline = Pipeline(self.root, self.store, settings or VaultSettings())
        return capture(Wanted(verb, text, **more), pipeline, "Inbox.md", TODAY)  # type: ignore[arg-type]

    @property
    def inbox(self) -> str:
        return (self.root / "Inbox.md").read_text()

    def id(self, text: str) -> str:
        (claim,) = [c for c in self.store.claims.all() if c.statement.text == text]
        return claim.id


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store.open(tmp_path / "store.db") as store:
        yield Desk(write(tmp_path / "vault", RULE), store)
        assert store.verify() == []


def test_a_clean_statement_becomes_an_active_claim_of_today(desk: Desk) -> None:
    outcome = desk("remember", "The attic has 3 windows.")
    assert (outcome.status, outcome.verdict.tier) == ("stored", "clean")
    (claim,) = outcome.claims
    assert desk.store.claims.get(claim.id) == claim
    assert (claim.status, claim.statement.date, claim.statement.path) == ("active", TODAY, "Inbox.md")
    event = desk.store.ledger.history(claim.id)[-1]
    assert (event.seq, event.action, event.who) == (outcome.event, "remembered", "person")
    assert desk.store.progress.compared


def test_a_block_refuses_and_writes_nothing(desk: Desk) -> None:
    Pipeline(desk.root, desk.store, VaultSettings()).run()
    before, events = contents(desk.root), desk.store.ledger.last_event()
    outcome = desk("remember", AGAINST)
    assert (outcome.status, outcome.verdict.tier, outcome.event) == ("blocked", "block", None)
    assert [c.id for c in outcome.verdict.against] == [desk.id("Never deploy on Fridays.")]
    assert outcome.verdict.findings[0].reasons[0].detail == "must not against may"
    assert contents(desk.root) == before
    assert desk.store.ledger.last_event() == events


def test_two_captures_of_one_day_are_held_against_each_other(desk: Desk) -> None:
    desk("remember", "Guests must register at the front desk.")
    assert desk("remember", "Guests must not register at the front desk.").status == "blocked"


def test_a_warning_is_stored_and_stands_in_the_queue(desk: Desk) -> None:
    outcome = desk("learn", "The garage door code is 0087.", source="the landlord")
    assert (outcome.status, outcome.verdict.tier) == ("stored", "warn")
    assert "The garage door code is 0087. [source:: the landlord]" in desk.inbox
    expected = frozenset(
        {("Garage.md", "The garage door code is 4411."), ("Inbox.md", "The garage door code is 0087.")}
    )
    assert open_sets(desk.store) == {expected} == found_afresh(desk.root)
    event = desk.store.ledger.history(outcome.claims[0].id)[-1]
    assert (event.action, event.payload["against"]) == ("learned", [desk.id("The garage door code is 4411.")])


def test_an_exception_is_stored_with_its_reason_and_not_asked_about_again(desk: Desk) -> None:
    outcome = desk("remember", AGAINST, exception="documentation only")
    assert (outcome.status, outcome.verdict.tier) == ("stored", "block")
    event = next(e for e in desk.store.ledger.history(outcome.claims[0].id) if e.action == "remembered")
    assert (event.why, event.payload["exception"]) == ("documentation only", True)
    (conflict,) = desk.store.conflicts.with_status("dismissed")
    assert desk.store.ledger.history(conflict.id)[-1].why == "exception: documentation only"
    assert desk.store.conflicts.open() == []


def test_a_reason_for_an_exception_that_none_needed_excepts_nothing(desk: Desk) -> None:
    outcome = desk("remember", "The attic has 3 windows.", exception="just in case")
    event = desk.store.ledger.history(outcome.claims[0].id)[-1]
    assert (event.why, "exception" in event.payload) == ("", False)


def test_an_exception_leaves_a_conflict_of_others_open(desk: Desk) -> None:
    write(desk.root, {"More.md": "Deploying on Fridays is allowed.\n"})
    desk("remember", AGAINST, exception="documentation only")
    assert len(desk.store.conflicts.open()) == 1


def test_superseding_puts_the_new_in_the_place_of_the_old(desk: Desk) -> None:
    Pipeline(desk.root, desk.store, VaultSettings()).run()
    old = desk.id("Never deploy on Fridays.")
    outcome = desk("supersede", AGAINST, replaces=old, reason="the pipeline is safe now")
    assert (outcome.status, outcome.verdict.tier) == ("stored", "clean")
    claim = desk.store.claims.get(old)
    assert claim is not None
    assert (claim.status, claim.superseded_by) == ("superseded", outcome.claims[0].id)
    assert desk.store.conflicts.open() == []
    event = desk.store.ledger.events(decisions=True)[0]
    assert (event.seq, event.action, event.why) == (outcome.event, "replaced", "the pipeline is safe now")
    desk.store.ledger.undo()
    Pipeline(desk.root, desk.store, VaultSettings()).run()
    assert len(desk.store.conflicts.open()) == 1


def test_superseding_one_claim_is_still_guarded_against_the_others(desk: Desk) -> None:
    write(desk.root, {"Also.md": "Deploying on Fridays is forbidden.\n"})
    Pipeline(desk.root, desk.store, VaultSettings()).run()
    old = desk.id("Never deploy on Fridays.")
    assert desk("supersede", AGAINST, replaces=old, reason="safe").status == "blocked"
    assert desk.store.claims.get(old).status == "active"  # type: ignore[union-attr]
    forced = desk("supersede", AGAINST, replaces=old, reason="safe", exception="on the record")
    assert forced.status == "stored"
    assert "excepted" in {e.action for e in desk.store.ledger.history(forced.claims[0].id)}
    assert desk.store.claims.get(old).status == "superseded"  # type: ignore[union-attr]


def test_what_cannot_be_superseded(desk: Desk) -> None:
    desk("remember", "The attic has 3 windows.")
    old = desk.id("The attic has 3 windows.")
    with pytest.raises(CaptureError, match="no claim nobody"):
        desk("supersede", "The attic has 4 windows.", replaces="nobody", reason="counted")
    with pytest.raises(CaptureError, match="itself"):
        desk("supersede", "The attic has 3 windows.", replaces=old, reason="counted")
    desk("supersede", "The attic has 4 windows.", replaces=old, reason="counted")
    with pytest.raises(CaptureError, match="is superseded"):
        desk("supersede", "The attic has 5 windows.", replaces=old, reason="counted")
    assert "5 windows" not in desk.inbox


def test_several_are_superseded_at_once(desk: Desk) -> None:
    desk("remember", "The attic has 3 windows.")
    desk("ingest", "The attic has 5 windows.")
    three, five = desk.id("The attic has 3 windows."), desk.id("The attic has 5 windows.")
    done = desk("supersede", "The attic has 4 windows.", replaces=three, also=(five,), reason="counted")
    assert done.status == "stored"
    with pytest.raises(CaptureError, match="is superseded"):
        desk(
            "supersede", "The attic has 6 windows.", replaces=done.claims[0].id, also=(five,), reason="again"
        )
    assert "6 windows" not in desk.inbox


def test_a_claim_named_twice_is_superseded_once(desk: Desk) -> None:
    desk("remember", "The attic has 3 windows.")
    old = desk.id("The attic has 3 windows.")
    done = desk("supersede", "The attic has 4 windows.", replaces=old, also=(old,), reason="counted")
    assert done.superseded == (old,)


def test_superseding_what_nobody_disputes_leaves_no_conflict_behind(desk: Desk) -> None:
    desk("remember", "The attic has 3 windows.")
    desk(
        "supersede",
        "The attic has 4 windows.",
        replaces=desk.id("The attic has 3 windows."),
        reason="counted",
    )
    assert desk.store.conflicts.all() == []


MASSES = {
    "D1.md": "---\ntype: decision\n---\nThe baffle mass is 4 kg.\n",
    "D2.md": "---\ntype: decision\n---\nThe baffle mass is 6 kg.\n",
}


@pytest.fixture
def masses(desk: Desk) -> Desk:
    """A conflict: 4 kg against 6 kg."""
    write(desk.root, MASSES)
    Pipeline(desk.root, desk.store, VaultSettings()).run()
    return desk


@pytest.mark.parametrize("more", [{}, {"D3.md": MASSES["D2.md"]}])
def test_a_conflict_that_superseding_ends_says_who_lost_and_to_what(
    masses: Desk, more: dict[str, str]
) -> None:
    write(masses.root, more)
    old, other = masses.id("The baffle mass is 4 kg."), "The baffle mass is 6 kg."
    done = masses("supersede", other, replaces=old, reason="weighed")
    (conflict,) = masses.store.conflicts.all()
    assert (conflict.status, conflict.resolution, conflict.winner) == (
        "resolved",
        "superseded",
        done.claims[0].id,
    )
    assert {old, done.claims[0].id} < set(conflict.members)
    assert len(conflict.members) == 3 + len(more)
    assert masses.store.ledger.history(conflict.id)[-1].why == "weighed"
    masses.store.ledger.undo()
    assert masses.store.claims.get(old).status == "active"  # type: ignore[union-attr]
    (again,) = masses.store.conflicts.open()
    assert (again.id, again.members) == (conflict.id, conflict.members)
    Pipeline(masses.root, masses.store, VaultSettings()).run()
    assert [c.id for c in masses.store.conflicts.open()] == [conflict.id]


def test_a_conflict_that_goes_on_after_superseding_stays_open_without_the_loser(masses: Desk) -> None:
    old = masses.id("The baffle mass is 4 kg.")
    done = masses("supersede", "The baffle mass is 5 kg.", replaces=old, reason="w", exception="for now")
    (conflict,) = masses.store.conflicts.all()
    assert old not in conflict.members and done.claims[0].id in conflict.members


def test_superseding_can_be_taken_back_after_the_conflict_came_up_again(masses: Desk) -> None:
    old = masses.id("The baffle mass is 4 kg.")
    done = masses("supersede", "The baffle mass is 6 kg.", replaces=old, reason="weighed")
    write(masses.root, {"D3.md": "---\ntype: decision\n---\nThe baffle mass is 9 kg.\n"})
    line = Pipeline(masses.root, masses.store, VaultSettings())
    line.run()
    assert len(masses.store.conflicts.open()) == 1
    masses.store.ledger.undo(done.event)
    line.run()
    (conflict,) = masses.store.conflicts.open()
    assert len(conflict.members) == 4


def test_ingest_asks_nobody_and_holds_a_fact_once(desk: Desk) -> None:
    assert desk("ingest", AGAINST).status == "stored"
    before = desk.inbox
    again = desk("ingest", AGAINST)
    assert (again.status, [c.id for c in again.claims]) == ("known", [desk.id(AGAINST)])
    assert desk.inbox == before


OBAN, SKYE = "The tide table datum is Oban.", "The tide table datum is Skye."


def test_a_newer_reference_fact_takes_the_place_of_the_older(desk: Desk) -> None:
    first, second = desk("ingest", OBAN), desk("ingest", SKYE)
    old, new = first.claims[0].id, second.claims[0].id
    assert (second.status, second.superseded) == ("stored", (old,))
    claim = desk.store.claims.get(old)
    assert claim is not None
    assert (claim.status, claim.superseded_by) == ("superseded", new)
    assert desk.store.conflicts.all() == []
    event = desk.store.ledger.events(decisions=True)[0]
    assert (event.action, event.target_id, event.who) == ("replaced", old, "person")
    back = desk("ingest", OBAN)
    assert (back.status, back.superseded) == ("stored", (new,))


def test_a_reference_fact_leaves_alone_what_came_in_another_way_or_can_hold_beside_it(desk: Desk) -> None:
    desk("remember", OBAN)
    desk("ingest", "The session timeout is 30 seconds in production.")
    beside = desk("ingest", "The session timeout is 60 seconds in staging.")
    assert desk("ingest", SKYE).superseded == beside.superseded == ()
    assert len(desk.store.conflicts.open()) == 1


def test_each_of_several_reference_facts_takes_its_own_place(desk: Desk) -> None:
    old = desk("ingest", f"{OBAN} The attic has 3 windows.")
    new = desk("ingest", f"The attic has 4 windows. {SKYE}")
    assert {c.id: c.superseded_by for c in desk.store.claims.with_status("superseded")} == {
        old.claims[0].id: new.claims[1].id,
        old.claims[1].id: new.claims[0].id,
    }


def test_a_reference_fact_that_became_canon_is_not_superseded_by_itself(desk: Desk) -> None:
    desk("ingest", OBAN)
    write(desk.root, {"Inbox.md": "", "Canon.md": f"---\ntrust: canon\n---\n{OBAN}\n"})
    assert desk("ingest", SKYE).superseded == ()
    assert len(desk.store.conflicts.open()) == 1


def test_who_captures_into_a_canon_inbox_is_told_what_is_disputed(desk: Desk) -> None:
    write(desk.root, {"Inbox.md": "---\ntrust: canon\n---\n", "Tide.md": f"{SKYE}\n", "Old.md": f"{OBAN}\n"})
    assert desk("remember", "The attic has 3 windows.").canon == ()
    told = desk("remember", OBAN, exception="the harbour master says so")
    assert [c.id for c in told.canon] == [c.id for c in desk.store.conflicts.open()] != []
    assert desk("remember", "The cellar has 2 lamps.").canon == ()


def test_the_same_statement_on_the_same_day_is_written_once(desk: Desk) -> None:
    desk("remember", "The attic has 3 windows.")
    before = desk.inbox
    assert desk("remember", "The attic has 3 windows.").status == "known"
    assert desk.inbox == before


def test_several_sentences_are_several_claims(desk: Desk) -> None:
    outcome = desk("remember", "The attic has 3 windows. The cellar has a lamp.")
    assert [c.statement.text for c in outcome.claims] == [
        "The attic has 3 windows.",
        "The cellar has a lamp.",
    ]
    assert desk.store.ledger.history(outcome.claims[0].id)[-1].payload["claims"] == [
        c.id for c in outcome.claims
    ]


@pytest.mark.parametrize("text", ["…", "---", "https://example.org/"])
def test_a_text_without_a_claim_is_refused(desk: Desk, text: str) -> None:
    with pytest.raises(CaptureError):
        desk("remember", text)
    assert not (desk.root / "Inbox.md").exists()


def test_a_draft_inbox_keeps_candidates(desk: Desk) -> None:
    write(desk.root, {"Inbox.md": "---\nstatus: draft\n---\n"})
    outcome = desk("remember", AGAINST)
    assert (outcome.status, outcome.claims[0].status) == ("stored", "candidate")


def test_notes_are_read_before_the_guard_speaks(desk: Desk) -> None:
    Pipeline(desk.root, desk.store, VaultSettings()).run()
    write(desk.root, {"Rules.md": "Deploys need a review.\n"})
    assert desk("remember", AGAINST).status == "stored"


def test_a_save_in_between_is_read_and_judged_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    real, saves = module.write_inbox, iter([b"Guests must register at the front desk.\n"])

    def beaten(root: Path, path: str, before: bytes | None, after: bytes, most: int) -> None:
        for theirs in saves:
            (root / path).write_bytes(theirs)
            raise InboxChanged
        real(root, path, before, after, most)

    monkeypatch.setattr(module, "write_inbox", beaten)
    assert desk("remember", "Guests must not register at the front desk.").status == "blocked"
    assert desk.inbox == "Guests must register at the front desk.\n"


def test_an_inbox_that_never_holds_still_is_given_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def beaten(*_: object) -> None:
        raise InboxChanged

    monkeypatch.setattr(module, "write_inbox", beaten)
    with pytest.raises(CaptureError, match="nothing was stored"):
        desk("remember", "The attic has 3 windows.")


def test_an_inbox_that_is_a_link_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("theirs\n")
    (desk.root / "Inbox.md").symlink_to(tmp_path / "outside.md")
    with pytest.raises(CaptureError, match="link"):
        desk("remember", "The attic has 3 windows.")
    assert (tmp_path / "outside.md").read_text() == "theirs\n"
