"""Memory of the workspace's own process with a large vault open, used for a while."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.tui.app import Workspace  # noqa: E402
from bench.made_vault import MadeVault, Still, make  # noqa: E402


def megabytes(field: str) -> float:
    """A field of /proc/self/status: VmRSS is what is held now, VmHWM the most that ever was."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


async def use(vault: MadeVault) -> tuple[float, float]:
    """Go through story and conflicts, search, and see what is held: when all is there, and afterwards."""
    app = Workspace(vault.root, vault.store, lambda *_: Still())
    try:
        async with app.run_test(size=(160, 45)) as pilot:
            main = app.main
            while not (main.story.total and main.queue.total and main.detail.view):
                await pilot.pause(0.1)
            opened = megabytes("VmRSS")
            keys = ["j"] * 20 + ["shift+tab"] + ["pagedown"] * 30 + ["G", "g"]
            for key in [*keys, "slash", *"valve 7", "enter", "escape", "shift+tab"]:
                await pilot.press(key)
                for hand in app.session.threads:
                    await asyncio.to_thread(hand.wait)
            return opened, megabytes("VmRSS")
    finally:
        await asyncio.to_thread(app.close_vault)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--lines", type=int, default=10, help="claims in each note")
    parser.add_argument("--folder", type=Path, help="where the vault is made and kept for the next time")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = (asked.folder or Path(passing)) / f"{asked.notes}x{asked.lines}"
        vault = make(folder, asked.notes * asked.lines, asked.lines)
        opened, used = asyncio.run(use(vault))
    print(
        f"{asked.notes:,} notes, {asked.notes * asked.lines:,} claims: {opened:.0f} MB opened,"
        f" {used:.0f} MB after use (at most {megabytes('VmHWM'):.0f} MB)"
    )


if __name__ == "__main__":
    main()
