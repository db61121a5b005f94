"""Takes every picture of the tests again and again, and says which ones came out otherwise."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ("tests/tui/test_looks.py", "tests/tui/test_place_looks.py", "tests/tui/test_first_looks.py")


def once(report: Path, workers: str) -> tuple[int, list[str]]:
    """One run in a process of its own: how many pictures, and those that differ."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider",
               f"--junitxml={report}", *PICTURES]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"the tests did not run:\n{done.stdout}{done.stderr}")
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    failed = [
        case.get("name", "")
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]
    return len(cases), failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="?", type=int, default=20)
    parser.add_argument("--workers", default="auto", help="how many processes take pictures at once")
    asked = parser.parse_args()
    differing: Counter[str] = Counter()
    count = 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for run in range(1, asked.runs + 1):
            count, failed = once(Path(folder) / "report.xml", asked.workers)
            differing.update(failed)
            print(f"run {run}: {count} pictures, {len(failed)} differ", flush=True)
    minutes = (time.monotonic() - start) / 60
    for name, times in differing.most_common():
        print(f"{name}: otherwise in {times} of {asked.runs} runs")
    print(f"{asked.runs} runs of {count} pictures in {minutes:.0f} minutes: {differing.total()} differences")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
