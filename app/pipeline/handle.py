"""The parent's side of the index worker: starts its process, talks to it, stops it.

Kept apart from the worker so that whoever starts it does not import its code: the workspace's first paint
would wait for a parser, a watcher and a database.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.pipeline.messages import Indexed, Message, Progress, Reads, Trouble, Watching

if TYPE_CHECKING:
    from app.pipeline.reading_schedule import Wish
    from app.strategies.rules import Rule

_KINDS: dict[str, type[Message]] = {
    kind.__name__: kind for kind in (Progress, Watching, Indexed, Trouble, Reads)
}


def encode(message: Message) -> str:
    return json.dumps({"kind": type(message).__name__, **asdict(message)})


def decode(line: str) -> Message:
    fields: dict[str, Any] = json.loads(line)
    if not isinstance(fields, dict):
        raise ValueError("not a message")
    return _KINDS[fields.pop("kind")](**fields)


PATIENCE = 30.0
"""After this many seconds of silence a process that is working or was asked something counts as stuck. Large
jobs get more."""
_MUCH_WORK = 3000
_AT_WORK = frozenset({"looking", "reading", "comparing"})


class Worker:
    """Starts the process, passes on its messages, stops it."""

    def __init__(
        self,
        root: Path,
        store: Path,
        *,
        overrides: Mapping[str, object] | None = None,
        models: Mapping[str, object] | None = None,
        strategies: Sequence[Rule] = (),
        config: Path | None = None,
        patience: float = PATIENCE,
    ) -> None:
        """`models` are the person's model settings; None for the rules alone. `strategies` are their rules
        for settling, `config` is the folder of the resolvers named there."""
        self._root, self._store, self._overrides = root, store, dict(overrides or {})
        self._models, self._strategies, self._config = models, strategies, config
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._patience = patience
        self._on_message: Callable[[Message], None] = lambda _: None
        self._due: float | None = None
        """When its next message is due at the latest; None if none is expected."""

    def start(self, on_message: Callable[[Message], None]) -> None:
        self._on_message, self._due = on_message, None
        # -P keeps the current folder (it may be the vault) out of the import path.
        command = [
            sys.executable,
            "-P",
            "-m",
            "app.pipeline.worker",
            str(self._root),
            str(self._store),
            json.dumps(self._overrides),
            json.dumps(self._models),
            json.dumps([asdict(rule) for rule in self._strategies]),
            str(self._config or ""),
        ]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._reader = threading.Thread(
            target=self.listen, args=(self._process, on_message), name="index worker", daemon=True
        )
        self._reader.start()

    def listen(self, process: subprocess.Popen[str], on_message: Callable[[Message], None]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                message = decode(line)
                self._due = None
                if isinstance(message, Progress) and message.stage in _AT_WORK:
                    self._due = self._latest(message.total)
                on_message(message)
        if process.wait() != 0 and self._process is process:
            on_message(
                Trouble(
                    "The index process ended unexpectedly; look at every note again to restart it.",
                    fatal=True,
                )
            )

    def rescan(self) -> None:
        """Look at every note, and let the models read at once. A stuck process is replaced by a new one,
        which starts with that."""
        due = self._due
        if due is not None and time.monotonic() >= due:
            self._replace()
            return
        self._due = due or self._latest(0)
        self._tell("rescan")

    def _latest(self, work: int) -> float:
        return time.monotonic() + self._patience * (1 + work / _MUCH_WORK)

    def _replace(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
        self.start(self._on_message)
        self._on_message(Trouble("The index process was stuck and has been started anew."))

    def models(self, wish: Wish) -> None:
        """Pause or resume the models, stop them, or report that a key was pressed."""
        self._tell(wish)

    def _tell(self, word: str) -> None:
        process = self._process
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):
                process.stdin.write(word + "\n")
                process.stdin.flush()

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._reader is not None:
            self._reader.join(5)

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None
