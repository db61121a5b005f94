"""Which models are there: carried along, pulled, or named by the person; and which are in use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app import places
from app.models.files import (
    ADAPTERS,
    EMBEDDER_NAME,
    LARGE_NAME,
    JudgeFiles,
    adapter_for,
    default_embedder,
    default_llama,
    judge_folder,
    llama_file,
    pulled_large,
)
from app.models.setup import Setup

Role = Literal["embedder", "judge", "llama", "adapter"]
Origin = Literal["carried", "pulled", "own"]


@dataclass(frozen=True, slots=True)
class Model:
    role: Role
    name: str
    path: Path
    origin: Origin
    used: bool
    """The settings ask for it, or it is the default where they ask for none."""
    size: int | None
    """Bytes; None where it is not there."""


def pulled() -> list[Path]:
    try:
        files = places.models_dir().iterdir()
        return sorted(file for file in files if file.suffix == ".gguf" and file.is_file())
    except OSError:
        return []


def models(setup: Setup | None) -> list[Model]:
    """Everything known, by role; `setup` None where the rules read alone."""
    used = setup is not None
    setup = setup or Setup()
    found: list[Model] = []

    def add(role: Role, name: str, path: Path | None, origin: Origin, chosen: bool) -> None:
        if path is not None:
            found.append(Model(role, name, path, origin, used and chosen, _size(path)))

    embedder = default_embedder()
    add("embedder", EMBEDDER_NAME, embedder, "carried", setup.embedder is None)
    if setup.embedder is not None:
        own = Path(setup.embedder).expanduser()
        add("embedder", own.name, own, "own", True)
    judge = judge_folder(Setup())
    large = judge == pulled_large()
    add("judge", LARGE_NAME if large else "judge", JudgeFiles.within(judge).model,
        "pulled" if large else "carried", setup.judge is None)  # fmt: skip
    if setup.judge is not None:
        own = Path(setup.judge).expanduser()
        add("judge", own.name, own, "own", True)
    default = default_llama()
    add("llama", default.stem if default else "", default, "carried", setup.llama is None)
    in_use = llama_file(setup)
    for file in pulled():
        add("llama", file.name, file, "pulled", file == in_use)
    if in_use is not None and setup.llama is not None and in_use not in pulled():
        add("llama", in_use.name, in_use, "own", True)
    for adapter in ADAPTERS.values() if default is not None else ():
        if adapter.is_file():
            add("adapter", adapter.stem, adapter, "carried", in_use == default)
    if setup.lora is not None and in_use is not None:
        add("adapter", Path(setup.lora).name, adapter_for(in_use, setup, "statements"), "own", True)
    return found


def _size(path: Path) -> int | None:
    try:
        if path.is_dir():
            return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
        return path.stat().st_size
    except OSError:
        return None
