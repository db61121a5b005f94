"""A small vault read by the real pipeline, for screens whose answers come from guard and rules."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import vault_settings
from tests.tui.world import AT, World

NOTES = {
    "Farm/Access codes.md": "---\ndate: 2026-02-11\nproject: Farm\ntrust: canon\n---\n# Access codes\n\n"
    "The shore shed keypad code is 5830.\n\nThe office alarm code is 1902.\n",
    "Farm/Farm rules.md": "---\ndate: 2025-11-03\nproject: Farm\ntrust: canon\n---\n# Rules\n\n"
    "Never grade on a falling tide.\n\nBoots are washed in the blue tub.\n",
    "Farm/Paperwork.md": "---\ndate: 2026-01-15\nproject: Farm\n---\n# Paperwork\n\n"
    "The shellfish licence expires on 30 September 2026.\n",
    "Boat/Puffin.md": "---\ndate: 2026-03-01\nproject: Boat\n---\n# Puffin\n\n"
    "Puffin is moored at the north jetty.\n\nThe engine is a Yanmar.\n",
    "Daily/2026-05-12.md": "- The shore shed keypad code is 5380.\n",
    "Daily/2026-06-08.md": "- The shellfish licence expires on 30 November 2026.\n",
    "Home/Mother.md": "# Mother\n\nMother's blood group is A positive.\n",
}


UNDATED = {
    "Boat/Puffin.md": "# Puffin\n\nThe engine is a Yanmar. ~~The mooring is at the old quay.~~ "
    "The mooring is at the north jetty.\n",
    "Daily/2026-05-12.md": "Painted the shed. Rain by noon. The kettle died.\n",
    "Home/Mother.md": "# Mother\n\nMother's blood group is A positive.\n\nShe likes the blue chair.\n",
    "Home/Tank.md": "# Tank\n\nThe oil tank holds 1,200 litres.\n",
}


def undated_world(folder: Path) -> World:
    """Notes without a date, whose files have one."""
    for path, month in (("Boat/Puffin.md", 3), ("Home/Mother.md", 1), ("Home/Tank.md", 6)):
        file = folder / "Skerrow" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(UNDATED[path], encoding="utf-8")
        noon = datetime(2026, month, 4, 12).astimezone().timestamp()
        os.utime(file, (noon, noon))
    return real_world(folder, {"Daily/2026-05-12.md": UNDATED["Daily/2026-05-12.md"]})


def real_world(folder: Path, notes: dict[str, str] | None = None) -> World:
    root = folder / "Skerrow"
    for path, text in (NOTES if notes is None else notes).items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    world = World(root, folder / "state" / "skerrow.db")
    index(world)
    return world


def index(world: World, at: str = AT) -> None:
    """Read the vault as it is now."""
    with Store.open(world.store_path) as store:
        Pipeline(world.root, store, vault_settings(world.root), around=Around(clock=lambda: at)).run()
