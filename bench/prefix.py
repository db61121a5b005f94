"""What one more claim costs in a story that the model has read, as a ratio to reading it cold.

    python bench/prefix.py [--claims 200] [--model FILE.gguf]

The claims of a made-up vault are told by `story()` and read by `StoryReader`, as the detective does it: with
threads and their answers read in between, which share nothing with a story. Then a claim is saved, and one
that brings in an old claim of its own subject. Last, what the examples kept on disk save another process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from app.detection.claim_index import ClaimIndex
from app.detective.exam import OPEN
from app.detective.reader import StoryReader, ThreadReader, never
from app.detective.story import Line, kin, story
from app.models.files import default_llama
from app.models.host import ModelHost
from app.models.requests import Failed, Weighed
from app.models.setup import Setup
from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import vault_settings

_THINGS = ("tank pump", "staging", "north gate", "choir", "invoice run", "van", "bay 4", "boiler")
_SAYS = (
    "runs every {n} minutes now", "is {n} metres from the yard", "needs {n} new filters",
    "was checked again, all fine at {n}", "moves to slot {n} from next week", "takes {n} people at most",
)  # fmt: skip
_OLD = "The attic ladder is kept in the barn."
_NEW = "The cellar window was left open."
_KIN = "The attic ladder is kept in the garage."
TODAY = "2026-01-03"
AIM = 0.15


class Read(NamedTuple):
    """One reading, without the answer that the model may go on to write."""

    seconds: float
    answer: Weighed


class Counting(ModelHost):
    """Notes what the last reading cost."""

    last: Read

    def weigh(self, *given: Any, **how: Any) -> Weighed | Failed:
        began = time.perf_counter()
        answer = super().weigh(*given, **how)
        if isinstance(answer, Failed):
            raise SystemExit(answer.reason)
        self.last = Read(time.perf_counter() - began, answer)
        return answer


def vault(claims: int) -> dict[str, str]:
    """Lines as long as a person's, a few days apart; then the new ones, which a year lies before."""
    notes = {}
    for n in range(claims):
        says = _SAYS[n * 5 % len(_SAYS)].format(n=n * 7 % 90 + 10)
        text = f"The {_THINGS[n % len(_THINGS)]} {says}."
        date = f"2025-{n * 12 // claims + 1:02d}-{n % 28 + 1:02d}"
        notes[f"Log {n // 28}/{date}.md"] = _note(date, text)
    return notes | {
        "Attic.md": _note("2025-01-30", _OLD),
        "Cellar.md": _note("2026-01-01", _NEW),
        "Garage.md": _note("2026-01-02", _KIN),
    }


def _note(date: str, text: str) -> str:
    return f"---\ndate: {date}\n---\n{text}\n"


def index_of(notes: dict[str, str], folder: Path) -> ClaimIndex:
    for name, text in notes.items():
        path = folder / "vault" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with Store.open(folder / "store.db") as store:
        Pipeline(folder / "vault", store, vault_settings(folder / "vault")).run()
        return ClaimIndex(store.claims.active())


def read(host: Counting, lines: Sequence[Line]) -> Read:
    """The story as the detective has it read, after threads were."""
    threads, reader = ThreadReader(host), StoryReader(host)
    for thread in OPEN[:2]:
        threads.odds(thread)
    host.complete("The pump of the tank", max_tokens=8)
    room = reader.room(lines)
    if isinstance(room, Failed) or sum(room.lines) > room.tokens:
        raise SystemExit("the story does not fit into one batch: give fewer --claims")
    reader.found([line.text for line in lines], never)
    return host.last


def line(name: str, read: Read, cold: Read) -> None:
    fresh, tokens = read.answer.fresh, read.answer.tokens
    ratio = read.seconds / cold.seconds
    print(f"| {name} | {fresh:,} of {tokens:,} | {read.seconds:.2f} s | {ratio:.3f} |", flush=True)


def measure(setup: Setup, index: ClaimIndex, claims: int) -> float:
    """The ratio for one more claim."""
    by_text = {claim.statement.text: id for id, claim in index.claims.items()}
    old, new, other = by_text[_OLD], by_text[_NEW], by_text[_KIN]
    if kin(index, [new]) != {new} or kin(index, [other]) != {old, other}:
        raise SystemExit("the made-up claims are not of the kin they are made to be")
    before = set(index.claims) - {old, new, other}
    held = {id: index.claims[id] for id in (new, other)}
    for id in held:
        index.remove(id)
    print("| read | tokens evaluated | time | ratio |\n|---|---|---|---|")
    with Counting(setup) as host:
        ThreadReader(host).odds(OPEN[0])  # loads the model
        told = [line for line in story(index, TODAY, before=before) if line.id != old]
        cold = read(host, told)
        line(f"a story of {claims}, cold", cold, cold)
        index.add(held[new])
        told = [line for line in story(index, TODAY, triggers=[new], before=before) if line.id != old]
        more = read(host, told)
        line("one more claim", more, cold)
        line("the same again", read(host, told), cold)
        index.add(held[other])
        told = story(index, TODAY, triggers=[other], before=[one.id for one in told])
        line("one that brings in an old one", read(host, told), cold)
    return more.seconds / cold.seconds


def examples(setup: Setup) -> None:
    """A thread with nothing on disk, and in another process with the examples there."""
    made = []
    for _ in range(2):
        with Counting(setup) as host:
            host.complete("The", max_tokens=1)  # loads the model
            ThreadReader(host).odds(OPEN[0])
            made.append(host.last)
    print("\n| a thread | tokens evaluated | time | ratio |\n|---|---|---|---|")
    line("cold", made[0], made[0])
    line("examples from disk", made[1], made[0])
    size = sum(file.stat().st_size for file in (setup.cache_dir / "prefixes").iterdir())
    print(f"\n{size / 1e6:.1f} MB on disk; the answers agree: {made[0].answer.odds == made[1].answer.odds}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--claims", type=int, default=200)
    parser.add_argument("--model", help="a GGUF file of your own")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        index = index_of(vault(options.claims), folder)
        model = options.model or str(default_llama())  # as one of the person's own: only those read stories
        setup = Setup(llama=model, context=8192, cache=str(folder / "story"), nice=0)
        ratio = measure(setup, index, options.claims)
        examples(Setup(llama=model, cache=str(folder / "thread"), nice=0))
    print(f"one more claim costs {ratio:.3f} of the story (aim: {AIM} or less)")


if __name__ == "__main__":
    main()
