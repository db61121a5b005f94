"""What one more claim costs in a story that the model has read, as a ratio to reading it cold.

    python bench/prefix.py [--claims 200] [--model FILE.gguf]

A made-up story is read up to its end, then with one more line, in three ways: in the same process, which
holds what it has read; in a process that has only the constant beginning on disk; and with nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from app.detective.asking import END, FEW_SHOT, NO, YES, written
from app.guard.written import Said
from app.models.host import ModelHost
from app.models.setup import Setup
from app.models.words import Failed, Weighed

_THINGS = (
    "the tank pump",
    "staging",
    "the north gate",
    "Ines",
    "the choir",
    "invoice run",
    "the van",
    "bay 4",
)
_SAYS = (
    "runs every {n} minutes now", "is {n} metres from the yard", "needs {n} new filters",
    "was checked again, all fine at {n}", "moves to slot {n} from next week", "takes {n} people at most",
)  # fmt: skip
AIM = 0.15


def story(claims: int) -> list[Said]:
    """Lines as long as a person's, a few days apart."""
    made = []
    for n in range(claims):
        says = _SAYS[n * 5 % len(_SAYS)].format(n=n * 7 % 90 + 10)
        when = f"2025-{n * 12 // claims + 1:02d}-{n % 28 + 1:02d}"
        made.append(Said(f"{_THINGS[n % len(_THINGS)]} {says}, see the list", f"Log {n % 9}", when))
    return made


def ask(host: ModelHost, told: list[Said], constant: str = FEW_SHOT) -> tuple[float, Weighed]:
    began = time.perf_counter()
    answer = host.weigh(constant, written(told) + END, (YES, NO))
    if isinstance(answer, Failed):
        raise SystemExit(answer.reason)
    return time.perf_counter() - began, answer


def line(name: str, seconds: float, answer: Weighed, cold: float) -> None:
    print(
        f"| {name} | {answer.fresh:,} of {answer.tokens:,} | {seconds:.2f} s | {seconds / cold:.3f} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--claims", type=int, default=200)
    parser.add_argument("--model", help="a GGUF file of your own")
    options = parser.parse_args()
    told = story(options.claims + 1)
    short = told[:8]
    with tempfile.TemporaryDirectory() as cache:
        setup = Setup(llama=options.model, context=8192, cache=cache, nice=0)
        print("| read | tokens evaluated | time | ratio |\n|---|---|---|---|")
        with ModelHost(setup) as host:
            ask(host, short[:1], "")  # loads the model
            alone, first = ask(host, short)
            cold, whole = ask(host, told[:-1])
            line(f"a story of {options.claims}, cold", cold, whole, cold)
            more, after = ask(host, told)
            line("one more claim", more, after, cold)
            again, same = ask(host, told)
            line("the same again", again, same, cold)
        with ModelHost(setup) as host:
            ask(host, short[:1], "")
            kept, second = ask(host, short)
        print("\n| a thread of 8 | tokens evaluated | time | ratio |\n|---|---|---|---|")
        line("cold", alone, first, alone)
        line("examples from disk", kept, second, alone)
        size = sum(file.stat().st_size for file in Path(cache, "prefixes").iterdir())
        print(f"\n{size / 1e6:.1f} MB on disk; the answers agree: {first.odds == second.odds}")
    print(f"one more claim costs {more / cold:.3f} of the story (aim: {AIM} or less)")


if __name__ == "__main__":
    main()
