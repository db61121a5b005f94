"""Writes back and takes back without end, saying so on stdout; its parent kills it."""

from __future__ import annotations

import sys
from pathlib import Path

from app.store.store import Store
from app.words import Conflict, Slot
from app.writeback.conflict_edits import Proposal, take_back, write
from app.writeback.propose import propose
from tests.writeback.building import WINNER, claims


def proposal(data: bytes) -> Proposal:
    loser = claims("Garage.md", data)[0]
    conflict = Conflict("c-00000000", "disagreement", (loser.id, WINNER.id), Slot("memory_slot", "code"),
                        "warn", 1.0, "?", ("guard",), ())  # fmt: skip
    return Proposal(conflict, WINNER, (propose(data, loser, WINNER, "strike"),), ((loser.id,),))


def main(root: Path, store_path: Path, backups: Path) -> None:
    wanted = proposal((root / "Garage.md").read_bytes())
    with Store.open(store_path) as store:
        while True:
            ((seq, _),) = write(store, root, wanted, backups)
            print("written", flush=True)
            take_back(store, root, seq, backups)
            print("taken back", flush=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
