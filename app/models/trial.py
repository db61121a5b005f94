"""A short try of the models in a process of their own: what answers, how fast, and what mends the others."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.models.export import converted_path
from app.models.files import (
    ADAPTERS,
    OWN_UNUSABLE,
    Tuned,
    Unusable,
    adapter_for,
    embedder_folder,
    llama_file,
    package_folder,
)
from app.models.gguf_header import fits, read_model
from app.models.health import own_parts, repair
from app.models.host import ModelHost
from app.models.requests import COMPONENTS, Component, Failed
from app.models.sentence_folder import read_folder
from app.models.setup import Setup
from app.reading.norm_prompt import Asked

_SECONDS = 20.0
_LOADING_SECONDS = 60.0
"""One of the person's own may be far larger than ours, and is read from the disk first."""
_TOKENS = 12
_TRIED = [
    "The garage door code is 4411.",
    "The code of the garage door was changed to 0087.",
    "Never deploy on a Friday.",
    "Friday deploys are fine when two people watch.",
    "The boiler is serviced every March.",
    "Backups are kept for 30 days.",
    "Rent is due on the first of the month.",
    "The staging database runs Postgres 17.",
]
_PAIRS = list(zip(_TRIED, _TRIED[1:] + _TRIED[:1], strict=True))
Rate = dict[str, float]


def tried(setup: Setup) -> dict[Component, dict[str, Any]]:
    """Eight sentences through embedder and judge, and a line written by the language model. Looking leaves
    nothing behind: a model not converted yet is converted into a folder that goes again."""
    kept = converted(setup)
    keeps = kept is not None and kept.is_file()
    trouble = _llama_trouble(setup)
    with _apart(setup, keeps=keeps) as host:
        answers: dict[Component, Rate | Failed] = {"embedder": _embed(host), "judge": _judge(host)}
        if trouble is None:
            answers["llama"] = _write(host)
        parts = host.status().parts
    found: dict[Component, dict[str, Any]] = {}
    for name in COMPONENTS:
        part, answer = parts[name], answers.get(name, {})
        row: dict[str, Any] = {
            "state": part.state,
            "name": part.name,
            "reason": part.reason,
            "repair": part.repair,
        }
        if isinstance(answer, dict):
            row |= answer
        elif part.state not in ("absent", "failed"):  # it can be loaded, or is being, and yet says nothing
            row |= _unanswered(name, answer, setup)
        found[name] = row
    found["llama"] |= trouble or {}
    if kept is not None and not keeps and (unwritable := _unwritable(setup.cache_dir)):
        for key, said in unwritable.items():
            found["embedder"][key] = "; ".join(filter(None, (found["embedder"][key], said)))
    return found


def judge_trouble(setup: Setup) -> str:
    """Why the judge that the person names cannot be used; empty where it can, or did not say in time."""
    with _apart(setup, keeps=True) as host:
        host.judge(_PAIRS[:1], timeout=_LOADING_SECONDS)
        part = host.status().parts["judge"]
    if part.state != "failed" and not part.reason.startswith(OWN_UNUSABLE):
        return ""
    reason = part.reason.removesuffix("; the default goes on")  # here nothing goes on: it is not chosen
    return reason.removeprefix(f"{OWN_UNUSABLE} judge cannot be used: ")


def converted(setup: Setup) -> Path | None:
    """Where the embedder is kept as it runs; None where there is none, or it is not converted."""
    folder = embedder_folder(setup)
    with contextlib.suppress(Unusable, OSError):
        return converted_path(read_folder(folder), setup.cache_dir) if folder is not None else None
    return None


@contextlib.contextmanager
def _apart(setup: Setup, *, keeps: bool) -> Iterator[ModelHost]:
    """A host whose errors are not those of the models' log: they came of looking."""
    with tempfile.TemporaryDirectory(prefix="belie-") as folder:
        cache = setup.cache if keeps else folder
        with ModelHost(replace(setup, cache=cache), log=Path(folder) / "log") as host:
            yield host


def _embed(host: ModelHost) -> Rate | Failed:
    start = time.monotonic()
    answer = host.embed(_TRIED[:1], timeout=_SECONDS)
    first = time.monotonic() - start
    if not isinstance(answer, Failed):
        start = time.monotonic()
        answer = host.embed(_TRIED, timeout=_SECONDS)
    if isinstance(answer, Failed):
        return answer
    return {"first_seconds": round(first, 2), "per_second": _rate(len(_TRIED), start)}


def _judge(host: ModelHost) -> Rate | Failed:
    answer = host.judge(_PAIRS[:1], timeout=_SECONDS)
    start = time.monotonic()
    if not isinstance(answer, Failed):
        answer = host.judge(_PAIRS, timeout=_SECONDS)
    return answer if isinstance(answer, Failed) else {"per_second": _rate(len(_PAIRS), start)}


def _write(host: ModelHost) -> Rate | Failed:
    """The first token is loading; the speed is that of the others. With the adapter, where there is one: it
    is what reads statements."""
    path = llama_file(host.setup)
    tuned: Tuned | None = "statements" if path and adapter_for(path, host.setup, "statements") else None
    prompt = Asked(_TRIED[0]).prompt(tuned=True)  # without examples, which a large model is long over
    start = time.monotonic()
    answer = host.complete(prompt, max_tokens=1, tuned=tuned, timeout=_LOADING_SECONDS)
    first = time.monotonic() - start
    if not isinstance(answer, Failed):
        start = time.monotonic()
        answer = host.complete(prompt, max_tokens=_TOKENS, tuned=tuned, timeout=_LOADING_SECONDS)
    if isinstance(answer, Failed):
        return answer
    return {"first_seconds": round(first, 2), "tokens_per_second": _rate(answer.tokens, start)}


def _rate(count: int, start: float) -> float:
    return round(count / (time.monotonic() - start), 1)


def _unanswered(name: Component, failed: Failed, setup: Setup) -> dict[str, str]:
    if failed.why == "timeout":  # slow, or busy: nothing that a repair would mend
        seconds = _LOADING_SECONDS if name == "llama" else _SECONDS
        return {"reason": f"it gave no answer within {seconds:.0f} seconds"}
    mends = repair(name, failed.why, own=name in own_parts(setup), limited=setup.memory_mb > 0)
    return {"state": "failed", "reason": failed.reason, "repair": mends}


def _llama_trouble(setup: Setup) -> dict[str, str] | None:
    """What is wrong with the language model before anything is loaded, if anything is; empty where there is
    none at all, which the host says."""
    path = llama_file(setup)
    if path is None:
        return {}
    if package_folder("llama_cpp") is None:
        return {"state": "absent", "reason": "llama.cpp is not built", "repair": repair("llama", "absent")}
    try:
        read_model(path)
        for job in ADAPTERS:
            if adapter := adapter_for(path, setup, job):
                fits(adapter, path)
    except Unusable as error:
        mends = repair("llama", "broken", own="llama" in own_parts(setup))
        return {"state": "failed", "reason": str(error), "repair": mends}
    return None


def _unwritable(folder: Path) -> dict[str, str]:
    """Why nothing can be kept there, and what helps; nothing is made to find out."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return {}
    helps = f"see to the rights of {there}" if there.is_dir() else f"move the file {there} away"
    return {
        "reason": f"the converted model cannot be kept in {folder}, so it is converted at every start",
        "repair": f"{helps}, or choose another place with BELIE_HOME",
    }
