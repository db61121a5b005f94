"""What the sample vault's table says, and what a run over the vault finds."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from app.pipeline.index_vault import Pipeline
from app.pipeline.run import Run
from app.pipeline.stage_list import Models
from app.places import sample_vault
from app.store.store import Store
from app.vault.settings import vault_settings
from app.words import Conflict

Place = tuple[str, int]
Found = list[tuple[Conflict, frozenset[Place]]]
TABLE: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("expected.yaml").read_text(encoding="utf-8"))
PLAIN = [row for row in TABLE["conflicts"] if not row.get("hard")]


def found_in(store: Store, models: Models | None = None) -> tuple[Found, Run]:
    """Every open conflict with the lines its members stand on."""
    root = sample_vault()
    run = Pipeline(root, store, vault_settings(root), models=models).run()
    claims = {claim.id: claim.statement for claim in store.claims.all()}
    found = [
        (
            conflict,
            frozenset(
                (claims[m].path, line)
                for m in conflict.members
                for line in range(claims[m].line, claims[m].end_line + 1)
            ),
        )
        for conflict in store.conflicts.open()
    ]
    return found, run


@cache
def place(note: str, quote: str) -> Place:
    lines = (sample_vault() / note).read_text(encoding="utf-8").splitlines()
    return note, next(n for n, line in enumerate(lines, 1) if quote in line)


def places(row: dict[str, Any]) -> set[Place]:
    return {place(m["note"], m["quote"]) for m in row["members"]}
