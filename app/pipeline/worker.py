"""The index worker: a pipeline and a watcher in a process of their own, so a keystroke never waits for them.

The parent (`handle.py`) starts `python -m app.pipeline.worker` and speaks lines of JSON over its pipes. The
child ends when told to, or when the parent is gone.
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
from app.pipeline.messages import Indexed, Message, Progress, Reads, Trouble, Watching
from app.pipeline.reading_schedule import WISHES, ReadingSchedule, State
from app.pipeline.retry import ModelRetry
from app.pipeline.run import Run
from app.pipeline.stage_list import Models
from app.pipeline.sweep import seconds_left, sweep
from app.store.errors import StoreError
from app.store.store import Store, now_utc
from app.strategies.rules import Rule
from app.strategies.settle import Where, settle
from app.vault.settings import vault_settings
from app.vault.walk import VaultError
from app.vault.watch import Watcher

NICE = 5
"""How far the worker, and the models it starts, step back behind what the person is doing."""


class _Woken(Enum):
    """A hint that nothing changed in the vault: there is a wish to look at."""

    WISH = auto()


class _Child:
    """What runs in the process: hints queue up, one run at a time answers them. The models read in between,
    when it is quiet, and stand back as soon as there is a hint."""

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
        self._chances = ModelRetry()
        self._rest: State = "idle"
        self._around = Around(
            on_progress=self.say,
            stopping=self._stop.is_set,
            interrupted=lambda: not self._hints.empty() or self._readings.must_stop,
            on_found=self._tell_counts,
        )
        self._pipeline = self._fresh()
        self._last: Run | None = None
        """What was last seen of the vault; None until it was looked at."""
        self._reads = ""
        self._complained: set[str] = set()
        """What was said to be wrong with the models: once is enough, not at every save."""
        self._saved = False
        """The hints name all that was written since the last look."""
        self._caught_up = False
        """The last look was not cut short by an error."""
        self._tried = ""
        """When a sweep was begun: one that fails is not tried again the next moment."""
        self._watcher = Watcher(
            root, self._settings, self._hints.put, on_mode=lambda mode: self.say(Watching(mode))
        )

    def _fresh(self) -> Pipeline:
        """A pipeline that knows nothing yet."""
        models = Models.of(self._host, self._store)
        self._names = models.names
        return Pipeline(self._root, self._store, self._settings, around=self._around, models=models)

    def say(self, message: Message) -> None:
        with self._lock, contextlib.suppress(OSError, ValueError):
            print(encode(message), file=self._out, flush=True)

    def obey(self, commands: IO[str]) -> None:
        for line in commands:
            word = line.strip()
            if word == "rescan":
                self._chances.ask()
                self._readings.ask()
                self._hints.put(None)
            for wish in WISHES:
                if word == wish:
                    self._readings.wish(wish)
                    if wish != "typed":  # a key is not worth waking anybody
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
                self._once(self._read_on if suspects is None else partial(self._look, suspects))
                suspects = self._next()
        finally:
            self._watcher.stop()

    def _look(self, suspects: frozenset[str]) -> Run:
        """Read what changed and compare it by the rules; the models' turn comes later."""
        saved, self._caught_up = self._saved and self._caught_up, False
        run = self._pipeline.run(suspects, saved=saved, models=False)
        self._caught_up = True
        if self._last is not None:  # what the first look finds, the first reading takes
            self._readings.saved(run.claims)
        self._last = run
        return run

    def _sweep(self) -> Run:
        self._tried = now_utc()
        self._chances.ask()
        self._pipeline = self._fresh()
        self._last = sweep(self._pipeline, self._store, self._tried, models=False)
        self._readings.swept()
        return self._last

    def _give_chance(self) -> None:
        """Models that failed may work by now. Where their files are others, nothing is kept of what was told
        from the ones before."""
        if self._host is None or not self._host.another_chance():
            return
        if Models.of(self._host, self._store).names != self._names:
            self._pipeline = self._fresh()

    def _read_on(self) -> Run:
        """The models' turn; what they do not come to is left for the next."""
        assert self._last is not None
        try:
            if self._chances.take():
                self._give_chance()
            run = self._pipeline.read_on(self._last)
            self._chances.heard(run.judge_failed, run.reading_failed)
            return run
        finally:  # what failed is not tried again before something happens
            self._readings.ended(done=not self._around.must_end)

    def _next(self) -> frozenset[str] | None:
        """Wait for a hint and take all that came meanwhile with it; None when it is the models' turn. Look at
        everything anew once a day."""
        while True:
            self._get_ready()
            if self._hints.empty() and self._host is not None and self._last is not None:
                if self._readings.begin() is not None:
                    return None
                self._tell_rest()
            left = seconds_left(max(self._store.progress.swept, self._tried), now_utc())
            quiet = self._readings.wait if self._host is not None and self._last is not None else None
            soonest = min(wait for wait in (left, quiet, self._chances.wait) if wait is not None)
            try:
                hints = [self._hints.get(timeout=soonest)]
            except queue.Empty:
                if self._chances.come():
                    self._readings.try_again()
                elif left == soonest:
                    self._once(self._sweep)
                continue
            with contextlib.suppress(queue.Empty):
                while True:
                    hints.append(self._hints.get_nowait())
            paths = [hint for hint in hints if not isinstance(hint, _Woken)]
            if paths:
                self._saved = None not in paths
                return frozenset(path for hint in paths for path in hint or ())

    def _get_ready(self) -> None:
        """Nobody waits just now: what the next save would have to wait for is done."""
        if self._hints.empty() and self._last is not None:
            with contextlib.suppress(Exception):  # the save comes to it too, and then it is told
                self._pipeline.get_ready()

    def _tell_rest(self) -> None:
        """Why the models do not read, where somebody may wonder."""
        state, before = self._readings.state, self._rest
        if state != "idle":
            self.say(Progress(state, 0, 0))
        elif before != "idle":
            self.say(Progress("done", 0, 0))
        self._rest = state

    def _once(self, look: Callable[[], Run]) -> None:
        try:
            run = look()
            if not self._store.progress.swept and not self._stop.is_set():
                self._store.progress.mark_swept(now_utc())  # the first reading looked at everything
            self._tell_counts(run.changed)
            self._settle()
        except (StoreError, VaultError, OSError) as error:
            self.say(Trouble(str(error)))
            return
        except Exception as error:  # a mistake of ours: say so, and be there for the next save
            self.say(Trouble(f"Indexing stopped at an error ({type(error).__name__}: {error})."))
            return
        for conflict in run.canon:
            self.say(Trouble(f"You wrote to a canon note whose claim is disputed: {conflict.question}"))
        if run.judge_failed is not None:
            self._complain(f"Near pairs are not judged, the rules read alone: {run.judge_failed.reason}.")
        if run.reading_failed is not None:
            self._complain(f"The language model does not read: {run.reading_failed.reason}.")

    def tell_reads(self, status: Status | None) -> None:
        """What works, whenever that changed; and what a model had to do without."""
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
        """What the person's rules say about what is open now."""
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
        child = _Child(root, store, overrides, out, host, rules, config)
        child.tell_reads(host.status() if host is not None else None)
        threading.Thread(target=child.obey, args=(sys.stdin,), daemon=True).start()
        child.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
