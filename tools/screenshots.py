"""Pictures of the workspace for the README, from the sample vault; `--check` tells if they are current."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app import places  # noqa: E402
from app.pipeline.around import Around  # noqa: E402
from app.pipeline.index_vault import Pipeline  # noqa: E402
from app.pipeline.messages import Indexed, Watching  # noqa: E402
from app.store.store import Store  # noqa: E402
from app.tui.app import Workspace  # noqa: E402
from app.tui.screens.capture import Capture  # noqa: E402
from app.vault.settings import vault_settings  # noqa: E402

IMAGES = ROOT / "docs" / "images"
TODAY = "2026-06-30"
_KEYS = {" ": "space", ".": "full_stop"}
TYPED = "The shore shed keypad code is 9999."
SHOTS: dict[str, tuple[tuple[int, int], str, tuple[str, ...]]] = {
    "workspace": ((160, 45), "dark", ()),
    "paper": ((120, 36), "paper", ("j", "j")),
    "narrow": ((60, 26), "dark", ("enter",)),
    "help": ((100, 34), "dark", ("question_mark",)),
    "capture": ((120, 34), "dark", ("c", *(_KEYS.get(letter, letter) for letter in TYPED))),
    "writeback": ((120, 34), "dark", ("w",)),
    "asof": ((120, 34), "dark", ("a", *["left"] * 12)),
    "mirror": ((120, 34), "dark", ("m", "h")),
    "history": ((120, 34), "dark", ("1", "x", "b", "u", "H")),
    "trends": ((120, 40), "dark", ("1", "x", "b", "p")),
    "settings": ((120, 34), "light", ("comma",)),
    "jump": ((120, 34), "dark", ("apostrophe",)),
    "welcome": ((100, 26), "dark", ()),
}
"""By file name: the terminal's size, the theme, and the keys pressed before the picture is taken."""


class AtRest:
    """The index has run already; nothing more will be said."""

    alive = True

    def start(self, on_message) -> None:
        on_message(Watching("watching"))
        on_message(Indexed(0, 0, 0, 0))

    def rescan(self) -> None: ...

    def models(self, wish) -> None: ...

    def stop(self) -> None: ...


def index(vault: Path, path: Path) -> None:
    around = Around(clock=lambda: f"{TODAY}T09:00:00.000000+00:00")
    with Store.open(path) as store:
        Pipeline(vault, store, vault_settings(vault), around=around).run()


async def take(
    vault: Path | None, store: Path | None, size: tuple[int, int], theme: str, keys: tuple[str, ...]
) -> str:
    """One picture as SVG, without the ids that differ from run to run."""
    app = Workspace(vault, store, lambda *_: AtRest(), now=TODAY, theme=theme)
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        await at_rest(app, pilot)
        for place, key in enumerate(keys, start=1):
            await pilot.press(key)
            if len(key) > 1 or not key.isalnum() or place == len(keys) or not app.screen.is_modal:
                await at_rest(app, pilot)  # within a word that is typed nothing needs to be waited for
        picture = app.export_screenshot(title="Belie")
    await asyncio.to_thread(app.close_vault)
    return re.sub(r"\bterminal-\d+-", "terminal-", picture)


async def at_rest(app: Workspace, pilot) -> None:
    """Until two rounds in a row have left nothing to do."""
    if not app.opened:
        await app.workers.wait_for_complete()
        await pilot.pause()
        return
    quiet = 0
    while quiet < 2:
        before = [hand.done for hand in app.session.threads]
        await pilot.pause()
        for hand in app.session.threads:
            await asyncio.to_thread(hand.wait)
        await pilot.pause()
        quiet = quiet + 1 if before == [hand.done for hand in app.session.threads] and any(before) else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; end with 1 if one is out of date"
    )
    parser.add_argument("names", nargs="*", choices=[[], *SHOTS], help="only these pictures")
    asked = parser.parse_args()
    stale = []
    with tempfile.TemporaryDirectory() as folder:
        # Nothing of this machine may be in a picture: its settings, its zone, its folders.
        os.environ |= {"BELIE_HOME": folder, "HOME": folder, "TZ": "UTC"}
        time.tzset()
        Capture.PAUSE = 0
        vault, store = places.sample_vault(), Path(folder) / "state" / "sample.db"
        index(vault, store)
        os.chdir(folder)
        for name in asked.names or SHOTS:
            size, theme, keys = SHOTS[name]
            # Some keys decide; each picture begins with nothing decided.
            own = Path(folder) / "state" / f"{name}.db"
            shutil.copy(store, own)
            picture = asyncio.run(
                take(None, None, size, theme, keys)
                if name == "welcome"
                else take(vault, own, size, theme, keys)
            )
            file = IMAGES / f"{name}.svg"
            if not file.exists() or file.read_text() != picture:
                stale.append(file.relative_to(ROOT))
                if not asked.check:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(picture)
    for path in stale:
        print(f"{path} {'is out of date' if asked.check else 'written'}")
    return 1 if asked.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
