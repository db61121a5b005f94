"""The process a person's resolver runs in: one question a line comes in, one answer a line goes out.

Started as `python -P -m app.strategies.child FILE FUNCTION SECONDS`. What the resolver prints goes to stderr,
so it cannot be taken for an answer. The parent keeps the time limit; should that be gone, an alarm does here.
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.strategies.api import Unusable, answer, from_json


def load(file: Path, name: str) -> Callable[..., Any]:
    """The function; modules beside its file can be imported from it."""
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise Unusable("it cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not callable(found):
        raise Unusable(f"it has no function {name}")
    function: Callable[..., Any] = found
    return function


def ask(function: Callable[..., Any], told: dict[str, Any]) -> dict[str, Any]:
    """A resolver takes a contradiction and a context, a callback the contradiction alone."""
    contradiction, context = from_json(told)
    takes = sum(
        parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
        for parameter in inspect.signature(function).parameters.values()
    )
    returned = function(*(contradiction, context)[: max(1, takes)])
    if inspect.iscoroutine(returned):
        returned = asyncio.run(returned)
    return asdict(answer(returned, contradiction))


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """The alarm ends the process, a little after the parent would have."""
    if not hasattr(signal, "setitimer"):  # the parent's own limit has to do
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds + 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def problem(error: BaseException, file: Path) -> dict[str, Any]:
    """What went wrong and at which line of the person's own file."""
    if isinstance(error, Unusable):
        return {"problem": str(error)}
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)
    ]
    if not lines and isinstance(error, SyntaxError) and error.filename == str(file):
        lines = [error.lineno]
    where = f", line {lines[-1]}" if lines else ""
    return {"problem": f"{type(error).__name__}: {error}{where}"}


def main(arguments: list[str]) -> int:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    file = Path(arguments[0])

    def say(what: dict[str, Any]) -> None:
        print(json.dumps(what), file=out, flush=True)

    try:
        with limited(float(arguments[2])):
            function = load(file, arguments[1])
    except (Exception, SystemExit) as error:
        say(problem(error, file))
        return 0
    say({"ready": True})
    for line in sys.stdin:
        try:
            told = json.loads(line)
            with limited(told["seconds"]):
                answered = ask(function, told)
            say(answered)
        except (Exception, SystemExit) as error:
            say(problem(error, file))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
