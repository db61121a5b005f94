"""Small vaults on a real disk, what is found in them, and the command run on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import VaultSettings, vault_settings
from app.words import Conflict

COMMAND = (sys.executable, "-P", "-m", "app.cli.main")
PROJECT = Path(__file__).resolve().parents[2]

Said = tuple[str, str]
"""(path, text) of a member."""


def write(root: Path, notes: Mapping[str, str | bytes]) -> Path:
    for path, body in notes.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body.encode() if isinstance(body, str) else body)
    return root


DISPUTED = {
    "Garage.md": "The garage door code is 4411.\n",
    "House.md": "# Doors\n\nThe garage door code is 0087.\n",
}
DISPUTED_MEMBERS = frozenset(
    {("Garage.md", "The garage door code is 4411."), ("House.md", "The garage door code is 0087.")}
)


def pipeline(root: Path, store: Store, settings: VaultSettings | None = None) -> Pipeline:
    return Pipeline(root, store, settings or vault_settings(root))


def members(store: Store, conflict: Conflict) -> frozenset[Said]:
    claims = store.claims.all(ids=conflict.members)
    return frozenset((claim.statement.path, claim.statement.text) for claim in claims)


def open_sets(store: Store) -> set[frozenset[Said]]:
    """The open conflicts, each as what its members say and where."""
    return {members(store, conflict) for conflict in store.conflicts.open()}


def found_afresh(root: Path, settings: VaultSettings | None = None) -> set[frozenset[Said]]:
    """What somebody who has never seen the vault finds in it."""
    with Store.open(":memory:") as store:
        pipeline(root, store, settings).run()
        return open_sets(store)


def contents(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below the folder with its time and bytes, to see that nothing was written."""
    return {
        str(path.relative_to(root)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


@dataclass(frozen=True)
class Answer:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def belie(
    *arguments: str | bytes | os.PathLike[str],
    cwd: Path | None = None,
    before: Sequence[str] = (),
    timeout: float = 120,
    **environment: str,
) -> Answer:
    """Run the command as a person does, in a process of its own; stdout is no terminal."""
    done = subprocess.run(
        [*before, *COMMAND, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
    )
    out, err = done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in err, err
    return Answer(done.returncode, out, err)
