"""llama.cpp in the child: any GGUF, constrained by a grammar. The only module that imports llama_cpp."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.models.files import Absent, Unusable, default_llama
from app.models.onnx_run import first_line
from app.models.setup import Setup

_MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True)
class Written:
    text: str
    whole: bool
    tokens: int


class LlamaModel:
    """One model; a beginning that a prompt shares with the one before is not evaluated again."""

    def __init__(self, path: Path, setup: Setup) -> None:
        try:
            import llama_cpp
        except (ImportError, OSError, RuntimeError) as error:
            raise Unusable(f"llama.cpp cannot be loaded: {first_line(error)}") from error
        self._library: Any = llama_cpp
        self._grammars: dict[str, Any] = {}
        try:
            self._llama = llama_cpp.Llama(
                model_path=str(path),
                lora_path=setup.lora,
                n_ctx=setup.context,
                n_threads=setup.threads,
                n_threads_batch=setup.threads,
                seed=0,
                verbose=False,
            )
        except MemoryError:
            raise
        except Exception as error:  # it raises ValueError, OSError, RuntimeError and AssertionError alike
            raise Unusable(f"{path} cannot be loaded: {first_line(error)}") from error
        self.model = _name(path, setup.lora)

    def complete(self, asked: Mapping[str, Any], stopping: Callable[[], bool]) -> Written:
        """Greedy. Raises ValueError for a grammar that cannot be read or a prompt that is too long."""
        pieces: list[str] = []
        finish = None
        chunk: Any
        for chunk in self._llama.create_completion(
            asked["prompt"],
            max_tokens=int(asked["max_tokens"]),
            grammar=self._grammar(asked.get("grammar"), asked.get("schema")),
            stop=list(asked.get("stop") or ()),
            temperature=0.0,
            stream=True,
        ):
            choice = chunk["choices"][0]
            pieces.append(choice["text"])
            finish = choice["finish_reason"] or finish
            if stopping():
                break
        return Written("".join(pieces), finish == "stop", len(pieces))

    def _grammar(self, grammar: str | None, schema: Mapping[str, Any] | None) -> Any:
        if grammar is None and schema is None:
            return None
        key = grammar if grammar is not None else json.dumps(schema, sort_keys=True)
        if key not in self._grammars:
            make = self._library.LlamaGrammar
            try:
                made = (
                    make.from_string(grammar, verbose=False)
                    if grammar
                    else make.from_json_schema(key, verbose=False)
                )
            except Exception as error:
                raise ValueError(f"the grammar cannot be read: {first_line(error)}") from error
            self._grammars[key] = made
        return self._grammars[key]


def load_llama(setup: Setup, log: Callable[[str], None]) -> tuple[LlamaModel, str]:
    """The model, and what it had to do without. Raises Unusable when there is none."""
    note = ""
    if setup.llama:
        try:
            return _load(Path(setup.llama).expanduser(), setup), ""
        except Unusable as error:
            note = f"your own model cannot be used: {error}; the default goes on"
            log(f"error llama: {note}")
    default = default_llama()
    if default is None:
        raise Absent(note or "no llama.cpp model is installed")
    return _load(default, setup), note


def _load(path: Path, setup: Setup) -> LlamaModel:
    """A file that is plainly no GGUF is refused here: llama.cpp may crash on it."""
    for file in filter(None, (path, Path(setup.lora) if setup.lora else None)):
        try:
            with file.open("rb") as stream:
                start = stream.read(4)
        except OSError as error:
            raise Unusable(f"{file} cannot be read: {error.strerror}") from error
        if start != _MAGIC:
            raise Unusable(f"{file} is not a GGUF file")
    return LlamaModel(path, setup)


def _name(path: Path, lora: str | None) -> str:
    """Names what is cached: the file's name and size, and the adapter's content."""
    adapter = hashlib.blake2b(Path(lora).read_bytes(), digest_size=4).hexdigest() if lora else ""
    return "+".join(filter(None, (f"{path.stem}-{path.stat().st_size:x}", adapter)))
