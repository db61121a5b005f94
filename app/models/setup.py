"""Which models to use and how much of the machine they may take; the parent hands it to the child as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from app import places


@dataclass(frozen=True, slots=True)
class Setup:
    """None means the default that is carried along."""

    embedder: str | None = None
    """A sentence-transformers folder of the person's own."""
    judge: str | None = None
    """A folder with a judge of the person's own."""
    llama: str | None = None
    """A GGUF file."""
    lora: str | None = None
    """A GGUF adapter of the person's own, for reading statements with the default model or theirs."""
    thread_lora: str | None = None
    """The same for reading threads."""
    cache: str = ""
    """Where converted models are kept; empty: Belie's cache folder."""
    threads: int = 0
    """0: one for each core this process may use, at most four."""
    memory_mb: int = 3072
    """What the child may allocate, mapped files aside."""
    context: int = 2048
    """Tokens llama.cpp can look at."""
    nice: int = 5
    """How far the child stands back behind the workspace."""

    def resolved(self) -> Setup:
        """Every place spelled out, so that the child does not depend on this process's environment."""
        return replace(
            self,
            cache=self.cache or str(places.cache_dir() / "models"),
            threads=self.threads or min(4, cores()),
        )

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Setup:
        fields: dict[str, Any] = json.loads(text)
        return cls(**fields)

    @property
    def cache_dir(self) -> Path:
        return Path(self.cache) if self.cache else places.cache_dir() / "models"


def chosen(stored: Mapping[str, Any], named: str | None = None) -> Setup | None:
    """What is asked for: by name, by BELIE_MODELS, by the person's settings; None for the rules alone. A name
    that is neither `rules` nor `embedded` is a GGUF file's; whether it can be used shows when it is read."""
    asked = named or os.environ.get("BELIE_MODELS") or stored.get("use", "embedded")
    if asked == "rules":
        return None
    setup = Setup(**{key: value for key, value in stored.items() if key != "use"})
    if asked == "embedded":
        return setup
    return replace(setup, llama=str(Path(asked).expanduser().absolute()))


def cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
