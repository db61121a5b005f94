"""The judge over what is captured or promoted: it warns, it never blocks, and without it the rules do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.capture import judge_new
from app.capture.capture import capture
from app.capture.judge_new import judge
from app.capture.outcomes import Outcome, Wanted
from app.detection.judge_stage import JudgeStage
from app.models.host import ModelHost
from app.models.setup import Setup
from app.pipeline.index_vault import Pipeline
from app.pipeline.stage_list import Models
from app.store.store import Store
from app.vault.settings import VaultSettings
from tests.models import tiny
from tests.robust.building import members, write

RULE = "Visitors must sign in at the front desk before they enter the lab."
AGAINST = "Guests may walk straight into the lab, nobody has to sign in anywhere."
NOTES = {"Rules.md": f"{RULE}\n", "Trees.md": "The pear tree is pruned in February by Ada.\n"}


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> Setup:
    return tiny.suspicious(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def host(setup: Setup, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelHost]:
    with ModelHost(setup, log=tmp_path_factory.mktemp("log") / "models.log") as host:
        yield host


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", NOTES)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store
        assert store.verify() == []


def recalling(root: Path, store: Store, host: ModelHost) -> Pipeline:
    """As a command has it: what the judge said counts, but nobody reads on."""
    return Pipeline(root, store, VaultSettings(), models=Models(JudgeStage(host, store)), reads_on=False)


def captured(root: Path, store: Store, host: ModelHost, wanted: Wanted) -> Outcome:
    return capture(wanted, recalling(root, store, host), "Inbox.md", "2026-11-16", host)


def read_by_models(root: Path, store: Store, host: ModelHost) -> None:
    Pipeline(root, store, VaultSettings(), models=Models(JudgeStage(host, store))).run()


def test_what_the_judge_finds_is_told_and_stands_in_the_queue(
    root: Path, store: Store, host: ModelHost
) -> None:
    read_by_models(root, store, host)
    outcome = captured(root, store, host, Wanted("remember", AGAINST))
    assert (outcome.status, outcome.verdict.tier, outcome.failed) == ("stored", "warn", None)
    (finding,) = outcome.verdict.findings
    assert "judge" in {reason.stage for reason in finding.reasons}
    assert [claim.statement.text for claim in outcome.verdict.against] == [RULE]
    assert store.ledger.history(outcome.claims[0].id)[-1].payload["against"] == [
        outcome.verdict.against[0].id
    ]
    (conflict,) = store.conflicts.open()
    assert members(store, conflict) == {("Rules.md", RULE), ("Inbox.md", AGAINST)}


def test_what_it_supersedes_is_not_held_against_it(root: Path, store: Store, host: ModelHost) -> None:
    read_by_models(root, store, host)
    (old,) = [claim.id for claim in store.claims.active() if claim.statement.text == RULE]
    outcome = captured(root, store, host, Wanted("supersede", AGAINST, replaces=old, reason="no desk"))
    assert (outcome.verdict.tier, outcome.superseded) == ("clean", (old,))
    assert store.conflicts.open() == []


def test_reference_facts_are_not_judged(root: Path, store: Store, host: ModelHost) -> None:
    read_by_models(root, store, host)
    outcome = captured(root, store, host, Wanted("ingest", AGAINST))
    assert outcome.verdict.findings == ()
    assert outcome.claims[0].id not in store.caches.judgements.judged(JudgeStage(host, store).judge)


def test_a_vault_that_the_models_have_not_read_is_left_to_a_check(
    root: Path, store: Store, host: ModelHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_new, "_UNREAD", 1)
    outcome = captured(root, store, host, Wanted("remember", AGAINST))
    assert (outcome.status, outcome.verdict.tier, outcome.failed) == ("stored", "clean", None)
    read_by_models(root, store, host)
    assert len(store.conflicts.open()) == 1


def test_a_judge_that_cannot_be_asked_costs_nothing_but_its_word(
    root: Path, store: Store, setup: Setup, tmp_path: Path
) -> None:
    host = ModelHost(setup, log=tmp_path / "models.log")
    host.close()
    outcome = captured(root, store, host, Wanted("remember", AGAINST))
    assert (outcome.status, outcome.verdict.tier) == ("stored", "clean")
    assert outcome.failed is not None
    assert AGAINST in (root / "Inbox.md").read_text()


def test_promoted_claims_are_judged_before_they_are_compared(
    root: Path, store: Store, host: ModelHost
) -> None:
    write(root, {"Draft.md": f"---\nstatus: draft\ndate: 2026-03-04\n---\n{AGAINST}\n"})
    read_by_models(root, store, host)
    assert store.conflicts.open() == []
    (draft,) = [claim.id for claim in store.claims.with_status("candidate")]
    store.claims.promote([draft])
    assert len(judge(host, store, [draft]).findings) == 1
    recalling(root, store, host).run()
    assert len(store.conflicts.open()) == 1
