"""`python -m tests.campaign.kills [N]`: all commands that write, interrupted N times (1,000) in all."""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.campaign.commands import make_stage, writing_commands
from tests.campaign.interrupt import Broken, moments, strike, undisturbed


def campaign(kills: int, seed: int, number: signal.Signals, folder: Path) -> int:
    """Interrupts the commands in turn; prints the figures, and returns how often something broke."""
    chance = random.Random(seed)
    stage = make_stage(folder)
    commands = writing_commands(stage)
    outcomes = [undisturbed(stage, writing) for writing in commands]
    hit: Counter[str] = Counter()
    early: Counter[str] = Counter()
    broken: list[str] = []
    began = time.monotonic()
    turn = -1
    while sum(hit.values()) < kills:  # a command that had ended before does not count
        turn += 1
        writing, outcome = commands[turn % len(commands)], outcomes[turn % len(commands)]
        try:
            struck = strike(stage, writing, outcome, number, moments(outcome, chance))
            (early if struck.ended.code == outcome.ended.code else hit)[writing.name] += 1
        except Broken as problem:
            hit[writing.name] += 1
            broken.append(str(problem))
            print(f"BROKEN {problem}", flush=True)
    print(
        f"{kills:,} times {number.name} in the middle of {len(commands)} commands,"
        f" {sum(early.values()):,} more when they had ended, in {time.monotonic() - began:,.0f} s"
    )
    for writing in commands:
        print(f"  {writing.name:<24} {hit[writing.name]:>4} interrupted, {early[writing.name]:>3} had ended")
    print(f"{len(broken)} broken")
    return len(broken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--signal", default="SIGKILL", choices=["SIGKILL", "SIGINT", "SIGTERM"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="belie-kills-") as folder:
        number = signal.Signals[options.signal]
        return 1 if campaign(options.kills, options.seed, number, Path(folder)) else 0


if __name__ == "__main__":
    sys.exit(main())
