"""From a saved note to its conflict's row in the store, at 1,000, 10,000 and 100,000 claims.

    python -m bench.latency [SIZE...] [--rounds N] [--judge FOLDER] [--keep FOLDER]

A vault of varied sentences is written to disk and indexed by the real pipeline. Then a line that contradicts
another note is added to one, and the pipeline told of it as the watcher tells it; the clock stops when the
conflict is in the store. The line is taken out again, which ends the conflict. Ratios are of processor time,
since machines are shared: to merely parsing the saved note in the same run, and to the smallest vault.

With a judge (the one that ships, or --judge FOLDER) the time until the saved line's neighbours are judged is
given too. The vectors of all other claims are made up then: what they cost is paid once, not at a save.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Self

import numpy

from app.detection.judge_stage import JudgeStage
from app.detection.pair_gates import worth_judging
from app.models.cache import model_id
from app.models.files import lacking
from app.models.host import ModelHost
from app.models.setup import Setup
from app.pipeline.index_vault import Pipeline
from app.pipeline.stage_list import Models
from app.store.changes import EDITED, ConflictChange
from app.store.store import Store
from app.vault.note import read_note
from app.vault.settings import VaultSettings, vault_settings
from app.words import Claim

SIZES = (1_000, 10_000, 100_000)
PER_NOTE = 13
PLANTED = 400
"""One pair of claims in so many disagrees before anything is saved."""
WIDTH = 384

_ONSETS = "b br d dr f g gr h j k kl l m n p pr r s sk st t tr v w".split()
_VOWELS = "a e i o u ei ou".split()
_CODAS = "l m n r s x nd rk lt".split()
_THINGS = """
door code|alarm code|garden gate|boiler pressure|water bill|rent|phone number|standup|backup window|deploy day
mailing list|meeting room|parking space|main contact|insurance number|spare key|review slot|print shop|rota
""".strip().replace("\n", "|").split("|")  # fmt: skip
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_COLOURS = "red blue green white black yellow grey".split()
Line = Callable[[random.Random, str, str], str]
_LINES: tuple[Line, ...] = (
    lambda r, who, what: f"The {what} of {who} is {r.randrange(1000, 9999)}.",
    lambda r, who, what: f"The {what} for {who} is on {r.choice(_DAYS)}.",
    lambda r, who, what: f"{who} keeps the {what} list in the {r.choice(_COLOURS)} folder.",
    lambda r, who, what: f"- {who} must confirm the {what} before {r.choice(_DAYS)}.",
    lambda r, who, what: f"- [ ] ask {who} about the {what}",
    lambda r, who, what: f"Maybe {who} should look at the {what} again next month.",
    lambda r, who, what: f"{who} said the {what} was fine, and that nobody had complained so far.",
    lambda r, who, what: f"We moved the {what} of {who} from {r.choice(_DAYS)} to {r.choice(_DAYS)}.",
    lambda r, who, what: f"{who} runs version {r.randrange(2, 40)} on the {r.choice(_COLOURS)} machine.",
    lambda r, who, what: f"- {r.randrange(7, 22):02}:{r.randrange(60):02} talked to {who}, {what} still open",
    lambda r, who, what: f"The {what} costs {r.randrange(10, 900)} euros a month at {who}.",
    lambda r, who, what: f"{who} never takes the {what} without a receipt.",
    lambda r, who, what: f"Why does the {what} need {who}?",
    lambda r, who, what: f"{who}: {r.randrange(1, 60)} min for the {what}, {r.choice(_COLOURS)} label",
    lambda r, who, what: f"{who} has been with us since {r.randrange(1998, 2026)}; the {what} came with it.",
    lambda r, who, what: f"We no longer use {who} for the {what}.",
    lambda r, who, what: f"The path along the river near {who} floods when the {what} is due.",
    lambda r, who, what: f"{who} prefers the {r.choice(_COLOURS)} one.",
)


def name(number: int) -> str:
    """An invented name; there are as many as a vault needs, as there are in life."""
    said, left = "", number + 37
    while left:
        left, one = divmod(left, len(_ONSETS))
        said += _ONSETS[one] + _VOWELS[(one + left) % len(_VOWELS)]
    return (said + _CODAS[number % len(_CODAS)]).capitalize()


def notes(claims: int) -> Iterator[tuple[str, str]]:
    """(path, text) of about so many claims. Names come back, as people do: few often, most now and then."""
    chance = random.Random(7)
    known = max(20, claims // 12)
    planted = max(2, claims // PLANTED)
    count = claims // PER_NOTE
    for number in range(count):
        said = []
        for _ in range(PER_NOTE - 1):
            often = chance.random() < 0.1
            who = name(min(int(chance.paretovariate(0.6)), known) if often else chance.randrange(known))
            said.append(chance.choice(_LINES)(chance, who, chance.choice(_THINGS)))
        house = number // 2 if number < 2 * planted else number
        said.append(f"The safe code of house {name(900_000 + house)} is {4000 + number % 4000}.")
        front = ""
        if number % 3:
            front = f"---\ndate: {2019 + number % 7}-{number % 12 + 1:02}-{number % 28 + 1:02}\n---\n"
        body = "\n\n".join(said)
        title = name(50_000 + number)
        yield f"{name(number % 40)}/{title}.md", f"{front}# {title}\n\n{body}\n"


def write(root: Path, claims: int) -> None:
    for path, text in notes(claims):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


class Save(NamedTuple):
    """Milliseconds, from the save on."""

    row: float
    row_cpu: float
    """Of the processor alone, until the conflict is in the store."""
    ended: float
    back: float


class Figures(NamedTuple):
    """Of one vault; medians."""

    claims: int
    notes: int
    open: int
    save: Save
    worst: float
    parse: float
    ready: float
    judged: bool


def measure(folder: Path, claims: int, rounds: int, host: ModelHost | None) -> Figures:
    root, path = folder / "vault", folder / "store.db"
    if not root.exists():
        write(root, claims)
    settings = vault_settings(root)
    with Store.open(path) as store:
        began = time.perf_counter()
        live = Pipeline(root, store, settings)
        live.run()
        if host is not None:
            pretend_judged(store, host)
            live = Pipeline(root, store, settings, models=Models(JudgeStage(host, store)))
            live.run()
        live.get_ready()
        ready = time.perf_counter() - began
        chance = random.Random(3)
        chosen = chance.sample(sorted(store.notes.known()), rounds)
        disputed = {m for c in store.conflicts.open() for m in c.members}
        codes = [c for c in store.claims.active() if "safe code" in c.statement.text and c.id not in disputed]
        told = chance.sample(codes, rounds)
        took = [save(live, store, root, *one) for one in zip(chosen, told, strict=True)]
        parse = min(timed(partial(parsed, root, p, settings)) for p in chosen for _ in range(3))
        counts = store.counts()
    median = Save(*(statistics.median(column) for column in zip(*took, strict=True)))
    worst = max(one.row for one in took)
    return Figures(counts.claims, counts.notes, counts.open, median, worst, parse, ready, host is not None)


def save(live: Pipeline, store: Store, root: Path, path: str, other: Claim) -> Save:
    """A line added that contradicts a line of another note, and taken out again."""
    file = root / path
    before = file.read_text(encoding="utf-8")
    line = other.statement.text.rpartition(" ")[0] + " 9310."
    file.write_text(f"{before}\n{line}\n", encoding="utf-8")
    with Clock(store) as clock:
        live.run({path}, saved=True)
        ended = clock.now()
    (mine,) = store.conflicts.touching([other.id])
    assert clock.row is not None and mine.status == "open", f"“{line}” is in no conflict"
    file.write_text(before, encoding="utf-8")
    with Clock(store) as again:
        live.run({path}, saved=True)
        back = again.now()
    (mine,) = store.conflicts.touching([other.id])
    assert mine.resolution == EDITED, f"“{line}” is still in a conflict"
    return Save(*clock.row, ended[0], back[0])


class Clock:
    """Runs from when it is made, and notes when conflicts were first written."""

    def __init__(self, store: Store) -> None:
        self._store, self._write = store, store.conflicts.apply
        self.row: tuple[float, float] | None = None
        self._began, self._cpu = time.perf_counter(), time.process_time()

    def now(self) -> tuple[float, float]:
        """Milliseconds gone, and those of the processor."""
        return (time.perf_counter() - self._began) * 1e3, (time.process_time() - self._cpu) * 1e3

    def __enter__(self) -> Self:
        def written(changes: Sequence[ConflictChange], at: str) -> None:
            self._write(changes, at)
            if changes and self.row is None:
                self.row = self.now()

        self._store.conflicts.apply = written  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        self._store.conflicts.apply = self._write  # type: ignore[method-assign]


def parsed(root: Path, path: str, settings: VaultSettings) -> object:
    return read_note(path, (root / path).read_bytes(), settings)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of the processor."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1e3


def pretend_judged(store: Store, host: ModelHost) -> None:
    """As if every claim had been embedded and judged before."""
    embedder, judge = model_id(host.setup), JudgeStage(host, store).judge
    assert embedder is not None
    chance = numpy.random.default_rng(5)
    held = [c for c in store.claims.active() if worth_judging(c)]
    for start in range(0, len(held), 5_000):
        some = held[start : start + 5_000]
        rows = chance.normal(size=(len(some), WIDTH)).astype(numpy.float32)
        rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
        vectors = (row.astype(numpy.float16).tobytes() for row in rows)
        hashes = (c.statement.content_hash for c in some)
        store.caches.embeddings.put(dict(zip(hashes, vectors, strict=True)), embedder)
    store.caches.judgements.put(judge, [], [c.id for c in held])
    store.caches.judgements.mark_complete(judge)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--judge", help="a folder with another judge than the one that ships")
    parser.add_argument("--rules", action="store_true", help="without a judge, though there is one")
    parser.add_argument("--keep", type=Path, help="where vaults and stores stay, to be used again")
    options = parser.parse_args()
    setup = Setup(judge=options.judge)
    host = None if options.rules or lacking(setup) else ModelHost(setup)
    heads = "claims notes open saved→row worst processor /parse /smallest put-right judged ready".split()
    print(" ".join(f"{head:>9}" for head in heads))
    first: Figures | None = None
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (options.keep or Path(temporary)) / str(size)
            folder.mkdir(parents=True, exist_ok=True)
            found = measure(folder, size, options.rounds, host)
        first = first or found
        cpu = found.save.row_cpu
        cells = (
            f"{found.claims:,}", f"{found.notes:,}", f"{found.open:,}", f"{found.save.row:.0f} ms",
            f"{found.worst:.0f} ms", f"{cpu:.1f} ms", f"{cpu / found.parse:.1f}",
            f"{cpu / first.save.row_cpu:.2f}", f"{found.save.back:.0f} ms",
            f"{found.save.ended:.0f} ms" if found.judged else "–", f"{found.ready:.1f} s",
        )  # fmt: skip
        print(" ".join(f"{cell:>9}" for cell in cells), flush=True)
    if host is not None:
        host.close()


if __name__ == "__main__":
    main()
