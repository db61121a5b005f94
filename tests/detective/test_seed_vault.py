"""The three stories the detective was made for, in a vault, read with the models that ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Run, runner
from tests.robust.building import write

NOTES = {
    "API.md": "---\ndate: 2025-01-10\n---\nWe use REST.\n",
    "Decisions.md": "---\ndate: 2025-03-14\n---\nWe switched to GraphQL.\n",
    "Clients.md": "---\ndate: 2025-09-02\n---\nThe API is REST-based.\n",
    "Auth.md": "---\ndate: 2025-02-01\n---\nThe rate limit is 1,000 req/s.\n",
    "Infra.md": "---\ndate: 2025-02-20\n---\nAuth allows 5,000 req/s per IP.\n",
    "Overview.md": "---\ndate: 2025-01-05\n---\nPostgres 14 is our database version.\n",
    "Ops.md": "---\ndate: 2025-08-05\n---\nThe Postgres 17 migration scripts live in the ops folder.\n",
    "Reports.md": "---\ndate: 2025-09-20\n---\nRewrote the slow report for the Postgres 17 optimiser.\n",
    # What a reader today knows: a change told in words, a correction, a log.
    "Queue.md": "---\ndate: 2025-01-08\n---\nJobs run on RabbitMQ.\n",
    "Queue move.md": "---\ndate: 2025-04-08\n---\nJobs moved from RabbitMQ to NATS.\n",
    "Workers.md": "---\ndate: 2025-06-08\n---\nThe workers listen to NATS.\n",
    "2025-05-01.md": "Backup took 41 minutes.\n",
    "2025-05-02.md": "Backup took 44 minutes.\n",
}
ARCS = (
    {"API.md", "Decisions.md", "Clients.md"},
    {"Auth.md", "Infra.md"},
    {"Overview.md", "Ops.md", "Reports.md"},
)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.mark.parametrize("models", ["rules", "embedded"])
def test_each_arc_is_one_conflict_and_the_rest_is_silent(run: Run, tmp_path: Path, models: str) -> None:
    root = write(tmp_path / "vault", NOTES)
    answer = run("check", root, "--json", "--now", "2025-10-01", "--models", models)
    shown = answer.json["conflicts"]
    paths = [{member["path"] for member in conflict["members"]} for conflict in shown]
    assert sorted(map(sorted, paths)) == sorted(map(sorted, ARCS))
    kinds = {frozenset(found): conflict["kind"] for found, conflict in zip(paths, shown, strict=True)}
    assert [kinds[frozenset(arc)] for arc in ARCS] == ["reversal", "disagreement", "stale"]
    assert all(conflict["question"].endswith("?") for conflict in shown)
    assert answer.code == 1
