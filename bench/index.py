"""Cold index and warm start of a vault, rules only, as ratios.

    python -m bench.index FOLDER [--repeat N]

Cold: walk, read, normalize, store, guard and detective into a new store file, against merely parsing the
same files with the same Markdown parser (markdown-it-py, blocks and inline), and with blocks only.
Warm: a run in which nothing changed, against a bare stat walk of the same folder. One process, one run.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt

from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import vault_settings


def timed(work: Callable[[], object], repeat: int = 1) -> float:
    """The best of some rounds; machines are noisy."""
    best = float("inf")
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def stat_walk(root: Path) -> int:
    """The least a start has to do: look at every file's size and time."""
    count, stack = 0, [str(root)]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                elif entry.name.endswith(".md"):
                    entry.stat(follow_symlinks=False)
                    count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    root = options.folder.resolve()
    texts = [
        p.read_bytes().decode("utf-8", "replace") for p in sorted(root.rglob("*.md")) if not p.is_symlink()
    ]
    whole = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    blocks = MarkdownIt("commonmark").enable("table").disable("inline")
    parse = timed(lambda: [whole.parse(t) for t in texts])
    parse_blocks = timed(lambda: [blocks.parse(t) for t in texts])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store" / "bench.db"
        with Store.open(path) as store:
            pipeline = Pipeline(root, store, vault_settings(root))
            began = time.perf_counter()
            run = pipeline.run()
            cold = time.perf_counter() - began
            counts = store.counts()
        with Store.open(path) as store:
            settings = vault_settings(root)
            warm = timed(lambda: Pipeline(root, store, settings).run(), options.repeat)
    walk = timed(lambda: stat_walk(root), options.repeat)
    print(f"{counts.notes:,} notes, {counts.claims:,} claims, {counts.open} open conflicts")
    stages = {name: round(seconds, 2) for name, seconds in run.seconds.items()}
    print(f"parse {parse:.2f} s, blocks only {parse_blocks:.2f} s; cold index {cold:.2f} s {stages}")
    print(f"cold index / parse        {cold / parse:.2f}   (aim 3)")
    print(f"cold index / block parse  {cold / parse_blocks:.2f}")
    print(f"warm start {warm * 1000:.0f} ms, stat walk {walk * 1000:.0f} ms")
    print(f"warm start / stat walk    {warm / walk:.2f}   (aim 2)")


if __name__ == "__main__":
    main()
