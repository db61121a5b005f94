"""`python -m tests.campaign.fuzz [N]`: N inputs (1,000,000) for everything that reads what others wrote.

Each input is one of the kinds below, made of pieces that matter to its reader and then mutated. A reader may
refuse it in the way it says; anything else it raises, and any input that takes more processor time than
allowed, is a failure and is kept as a file.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.time_budget import OutOfTime, time_budget
from tests.campaign.inputs import mutate
from tests.campaign.readers import READERS

LIMIT = 2.0
"""Seconds of processor time that one input may take; nearly all take thousandths."""


@dataclass
class Figures:
    inputs: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


def campaign(wanted: int, seed: int, folder: Path, *, limit: float = LIMIT) -> int:
    """Feeds the readers; prints the figures, and returns how many inputs failed."""
    chance = random.Random(seed)
    figures = {reader.name: Figures() for reader in READERS}
    failures: Counter[str] = Counter()
    weights = [reader.share for reader in READERS]
    began = time.monotonic()
    for number in range(1, wanted + 1):
        (reader,) = chance.choices(READERS, weights)
        data = mutate(reader.make, chance)
        spent, wrong = tried(reader.read, data, limit)
        figure = figures[reader.name]
        figure.inputs += 1
        figure.seconds += spent
        figure.slowest = max(figure.slowest, spent)
        if wrong:
            failures[reader.name] += 1
            kept = folder / f"{reader.name}-{number}"
            kept.write_bytes(data)
            print(f"FAILED {reader.name}, input {number} ({len(data)} bytes, {kept}): {wrong}", flush=True)
        if number % 50_000 == 0:
            print(f"{number:,} inputs, {time.monotonic() - began:,.0f} s", flush=True)
    print(f"{wanted:,} inputs in {time.monotonic() - began:,.0f} s, at most {limit:g} s for each")
    for name, figure in figures.items():
        mean = figure.seconds / max(figure.inputs, 1)
        print(
            f"  {name:<18} {figure.inputs:>9,} inputs, {mean * 1000:8.3f} ms each,"
            f" slowest {figure.slowest * 1000:8.1f} ms, {failures[name]} failed"
        )
    print(f"{sum(failures.values())} failed")
    return sum(failures.values())


def tried(read: Callable[[bytes], None], data: bytes, limit: float) -> tuple[float, str]:
    """The processor time it took, and what went wrong."""
    began = time.process_time()
    wrong = ""
    try:
        with time_budget(limit):
            read(data)
    except OutOfTime:
        wrong = f"not read within {limit:g} s"
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    return time.process_time() - began, wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("inputs", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds of processor time for one input")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="belie-fuzz-"))
    os.environ["BELIE_HOME"] = str(folder / "home")
    print(f"seed {options.seed}")
    return 1 if campaign(options.inputs, options.seed, folder, limit=options.limit) else 0


if __name__ == "__main__":
    sys.exit(main())
