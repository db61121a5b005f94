"""The index worker: a pipeline and a watcher in a process of their own, so that a keystroke never waits.

The parent (`handle.py`) starts `python -m app.pipeline.worker` and exchanges lines with it over its pipes.
The child ends on request or when the parent is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import IO, Any

from app.models.files import lacking
from app.models.host import ModelHost
from app.models.requests import Status
from app.models.setup import chosen
from app.pipeline.around import Around
from app.pipeline.handle import encode
from app.pipeline.index_vault import Pipeline
from app.pipeline.messages import Indexed, Message, Progress, Reads, Trouble, Watching, held_back_words
from app.pipeline.reading_schedule import WISHES, ReadingSchedule, ReadingState
from app.pipeline.retry import ModelRetry
from app.pipeline.run import Run
from app.pipeline.stage_list import Models
from app.pipeline.sweep import seconds_until_sweep, sweep
from app.store.errors import StoreError
from app.store.store import Store, now_utc
from app.strategies.rules import Rule
from app.strategies.settle import Where, settle
from app.vault.settings import vault_settings
from app.vault.walk import VaultError
from app.vault.watch import Watcher

NICE = 5
"""Niceness of the worker and the models it starts."""


class _Woken(Enum):
    """A hint without a change in the vault: there is a wish to look at."""

    WISH = auto()


class IndexWorker:
    """Runs in the process: hints queue up, and one run at a time handles them. The models read in quiet
    moments and yield as soon as there is a hint."""

    def __init__(
        self, root: Path, store: Store, overrides: Mapping[str, Any], out: IO[str], host: ModelHost | None,
        rules: Sequence[Rule] = (), config: Path | None = None,
    ) -> None:  # fmt: skip
        self._root, self._store, self._out = root, store, out
        self._rules, self._config = rules, config
        self._lock = threading.Lock()
        self._hints: queue.Queue[frozenset[str] | _Woken | None] = queue.Queue()
        self._stop = threading.Event()
        self._host = host
        self._settings = vault_settings(root, **overrides)
        self._readings = ReadingSchedule()
        self._retry = ModelRetry()
        self._rest: ReadingState = "idle"
        self._around = Around(
            on_progress=self.say,
            stopping=self._stop.is_set,
            interrupted=lambda: not self._hints.empty() or self._readings.must_stop,
            on_found=self._tell_counts,
        )
        self._pipeline = self.new_pipeline()
        self._last: Run | None = None
        """The last look at the vault; None before the first."""
        self._reads = ""
        self._complained: set[str] = set()
        """Complaints already made: each is made once, not at every save."""
        self._saved = False
        """The hints name everything written since the last look."""
        self._caught_up = False
        """The last look was not cut short by an error."""
        self._tried = ""
        """When a sweep was last started: one that fails is not repeated at once."""
        self._watcher = Watcher(
            root, self._settings, self._hints.put, on_mode=lambda mode: self.say(Watching(mode))
        )

    def new_pipeline(self) -> Pipeline:
        """A pipeline without any state."""
        models = Models.of(self._host, self._store)
        self._names = models.names
        return Pipeline(self._root, self._store, self._settings, around=self._around, models=models)

    def say(self, message: Message) -> None:
        with self._lock, contextlib.suppress(OSError, ValueError):
            print(encode(message), file=self._out, flush=True)

    def follow_commands(self, commands: IO[str]) -> None:
        for line in commands:
            word = line.strip()
            if word == "rescan":
                self._retry.request()
                self._readings.ask()
                self._hints.put(None)
            for wish in WISHES:
                if word == wish:
                    self._readings.wish(wish)
                    if wish != "typed":  # a key press need not wake the worker
                        self._hints.put(_Woken.WISH)
        self._stop.set()
        self._hints.put(None)

    def run(self) -> None:
        try:
            self._watcher.start()
        except OSError as error:
            self.say(Trouble(f"Cannot watch the vault: {error.strerror or error}"))
        self.say(Watching(self._watcher.mode))
        try:
            suspects: frozenset[str] | None = frozenset()
            while not self._stop.is_set():
                self.run_and_report(self.read_on if suspects is None else partial(self.look, suspects))
                suspects = self.wait_for_work()
        finally:
            self._watcher.stop()

    def look(self, suspects: frozenset[str]) -> Run:
        """Read what changed and compare it by the rules; the models read later."""
        saved, self._caught_up = self._saved and self._caught_up, False
        run = self._pipeline.run(suspects, saved=saved, models=False)
        self._caught_up = True
        if self._last is not None:  # the first reading covers what the first look finds
            self._readings.saved(run.claims)
        self._last = run
        return run

    def sweep_vault(self) -> Run:
        self._tried = now_utc()
        self._retry.request()
        self._pipeline = self.new_pipeline()
        self._last = sweep(self._pipeline, self._store, self._tried, models=False)
        self._readings.swept()
        return self._last

    def _retry_models(self) -> None:
        """Models that failed may work by now. If their files changed, start over with a new pipeline."""
        if self._host is None or not self._host.another_chance():
            return
        if Models.of(self._host, self._store).names != self._names:
            self._pipeline = self.new_pipeline()

    def read_on(self) -> Run:
        """Let the models read; what they do not reach is left for the next time."""
        assert self._last is not None
        try:
            if self._retry.consume():
                self._retry_models()
            run = self._pipeline.read_on(self._last)
            self._retry.note_failures(run.judge_failed, run.reading_failed)
            return run
        finally:  # what failed is not repeated until something happens
            self._readings.ended(done=not self._around.must_end)

    def wait_for_work(self) -> frozenset[str] | None:
        """Wait for a hint and take all others with it; None if it is the models' turn. Sweeps once a day."""
        while True:
            self._get_ready()
            if self._hints.empty() and self._host is not None and self._last is not None:
                if self._readings.begin() is not None:
                    return None
                self._tell_rest()
            left = seconds_until_sweep(max(self._store.progress.swept, self._tried), now_utc())
            quiet = self._readings.wait if self._host is not None and self._last is not None else None
            soonest = min(wait for wait in (left, quiet, self._retry.wait) if wait is not None)
            try:
                hints = [self._hints.get(timeout=soonest)]
            except queue.Empty:
                if self._retry.become_due():
                    self._readings.try_again()
                elif left == soonest:
                    self.run_and_report(self.sweep_vault)
                continue
            with contextlib.suppress(queue.Empty):
                while True:
                    hints.append(self._hints.get_nowait())
            paths = [hint for hint in hints if not isinstance(hint, _Woken)]
            if paths:
                self._saved = None not in paths
                return frozenset(path for hint in paths for path in hint or ())

    def _get_ready(self) -> None:
        """While nothing waits, do what the next save would have to wait for."""
        if self._hints.empty() and self._last is not None:
            with contextlib.suppress(Exception):  # the next save would report it
                self._pipeline.get_ready()

    def _tell_rest(self) -> None:
        """Report why the models are not reading."""
        state, before = self._readings.state, self._rest
        if state != "idle":
            self.say(Progress(state, 0, 0))
        elif before != "idle":
            self.say(Progress("done", 0, 0))
        self._rest = state

    def run_and_report(self, look: Callable[[], Run]) -> None:
        try:
            run = look()
            if not self._store.progress.swept and not self._stop.is_set():
                self._store.progress.mark_swept(now_utc())  # the first reading looked at everything
            self._tell_counts(run.changed)
            self._settle()
        except (StoreError, VaultError, OSError) as error:
            self.say(Trouble(str(error)))
            return
        except Exception as error:  # a bug of ours: report it, and stay ready for the next save
            self.say(Trouble(f"Indexing stopped at an error ({type(error).__name__}: {error})."))
            return
        if run.held_back:
            self._complain(held_back_words(run))
        for conflict in run.canon:
            self.say(Trouble(f"You wrote to a canon note whose claim is disputed: {conflict.question}"))
        if run.judge_failed is not None:
            self._complain(f"Near pairs are not judged, the rules read alone: {run.judge_failed.reason}.")
        if run.reading_failed is not None:
            self._complain(f"The language model does not read: {run.reading_failed.reason}.")

    def tell_reads(self, status: Status | None) -> None:
        """Report which models read, whenever that changes, and what a model has to do without."""
        by = status.in_use if status is not None else "rules"
        if by != self._reads:
            self._reads = by
            self.say(Reads(by))
        for note in status.notes if status is not None else ():
            self._complain(f"{note}.")

    def _complain(self, text: str) -> None:
        if text not in self._complained:
            self._complained.add(text)
            self.say(Trouble(text))

    def _settle(self) -> None:
        """Apply the person's strategies to the open conflicts."""
        if self._config is None or self._stop.is_set():
            return
        done = settle(self._store, self._rules, Where(self._root, self._config))
        if done.applied:
            self._tell_counts()
        for why in sorted(set(done.failed.values())):
            self.say(Trouble(f"A strategy left the choice to you: {why}."))

    def _tell_counts(self, changed: int = 0) -> None:
        counts = self._store.counts()
        self.say(Indexed(counts.notes, counts.claims, counts.open, changed))


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the workspace's ctrl+c is not ours
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    root, path, overrides = Path(arguments[0]), Path(arguments[1]), json.loads(arguments[2])
    try:
        store = Store.open(path)
    except StoreError as error:
        print(encode(Trouble(str(error), fatal=True)), file=out, flush=True)
        return 0
    wanted = json.loads(arguments[3]) if arguments[3:] else None
    rules = tuple(Rule(**rule) for rule in json.loads(arguments[4])) if arguments[4:] else ()
    config = Path(arguments[5]) if arguments[5:] and arguments[5] else None
    setup = chosen(wanted) if wanted is not None else None
    host: ModelHost | None = None
    if setup is not None and lacking(setup) is None:
        host = ModelHost(setup, on_status=lambda status: child.tell_reads(status))
    with store, host or contextlib.nullcontext():
        child = IndexWorker(root, store, overrides, out, host, rules, config)
        child.tell_reads(host.status() if host is not None else None)
        threading.Thread(target=child.follow_commands, args=(sys.stdin,), daemon=True).start()
        child.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
