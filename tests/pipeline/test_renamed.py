"""An alias that comes or goes while the workspace is open: who uses it is compared anew."""

from __future__ import annotations

from pathlib import Path

from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import vault_settings

PLAIN = "Bought second-hand, with two spare disks.\n"
ALIASED = f"---\naliases: [main db]\n---\n{PLAIN}"


def test_an_alias_is_followed_without_a_new_start(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Postgres cluster.md").write_text(PLAIN)
    (vault / "Ports.md").write_text("The Postgres cluster port is 5432.\n")
    (vault / "Deploying.md").write_text("The main db port is 5433.\n")
    with Store.open(tmp_path / "store.db") as store:
        pipeline = Pipeline(vault, store, vault_settings(vault))
        pipeline.run()
        assert store.conflicts.open() == []
        (vault / "Postgres cluster.md").write_text(ALIASED)
        pipeline.run()
        (found,) = store.conflicts.open()
        assert len(found.members) == 2
        (vault / "Postgres cluster.md").write_text(PLAIN)
        pipeline.run()
        assert store.conflicts.open() == []
