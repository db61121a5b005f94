"""llama.cpp in the child: any GGUF, constrained by a grammar. The only module that imports llama_cpp."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.models.files import OWN_UNUSABLE, Absent, Unusable, adapter_for, default_llama, llama_name
from app.models.gguf_header import fits, read_header
from app.models.onnx_run import first_line
from app.models.prefixes import Prefixes
from app.models.setup import Setup
from app.models.weighing import Shares, Stopped, Weigher

_SMALL = 256 * 1024 * 1024
"""Bytes. A model below this gains little from a second thread, and loses half its speed by it where other
programs work too: llama.cpp's threads wait for each other without rest."""
_MOST_GRAMMARS = 16
"""Kept parsed: a grammar that holds for one statement alone is of no use for the next."""


@dataclass(frozen=True, slots=True)
class Written:
    text: str
    whole: bool
    tokens: int


class LlamaModel:
    """One model; a beginning that a prompt shares with the one before is not evaluated again."""

    def __init__(self, path: Path, setup: Setup) -> None:
        read_header(path)
        try:
            import llama_cpp
        except (ImportError, OSError, RuntimeError) as error:
            raise Unusable(f"llama.cpp cannot be loaded: {first_line(error)}") from error
        self._library: Any = llama_cpp
        self._grammars: dict[str, Any] = {}
        threads = 1 if path.stat().st_size < _SMALL else setup.threads
        try:
            self._llama = llama_cpp.Llama(
                model_path=str(path),
                n_ctx=setup.context,
                n_threads=threads,
                n_threads_batch=threads,
                seed=0,
                verbose=False,
            )
        except MemoryError:
            raise
        except Exception as error:  # it raises ValueError, OSError, RuntimeError and AssertionError alike
            raise Unusable(f"{path} cannot be loaded: {first_line(error)}") from error
        self._path, self._lora = path, adapter_for(path, setup)
        self._adapter: Any = None
        self._tuned = False
        self.plain, self.adapted = llama_name(path, None), llama_name(path, self._lora)
        self._weigher = Weigher(self._llama, llama_cpp)
        self._prefixes = setup.cache_dir / "prefixes"

    @property
    def model(self) -> str:
        """What answered last: with its adapter it is another model."""
        return self.adapted if self._tuned else self.plain

    def complete(self, asked: Mapping[str, Any], stopping: Callable[[], bool]) -> Written:
        """Greedy. Raises ValueError for a grammar that cannot be read or a prompt that is too long, Unusable
        where the adapter is asked for and does not fit."""
        self._tune(bool(asked.get("tuned")))
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
        self._weigher.keep_shared()
        return Written("".join(pieces), finish == "stop", len(pieces))

    def weigh(self, asked: Mapping[str, Any], stopping: Callable[[], bool]) -> Shares:
        """How likely each choice is. Raises as `complete` does."""
        self._tune(bool(asked.get("tuned")))
        kept = Prefixes(self._prefixes, f"{self.model} {self._library.__version__}")
        try:
            return self._weigher.weigh(
                asked["constant"], asked["rest"], asked["choices"], prefixes=kept, stopping=stopping
            )
        except Stopped:
            return Shares((), 0, 0)

    def measure(self, texts: Sequence[str]) -> tuple[int, list[int]]:
        """How many tokens it can look at, as asked for and as it was made for; and how long each text is."""
        made_for = int(self._llama._model.n_ctx_train())
        return min(self._llama.n_ctx(), made_for), [self._weigher.length(text) for text in texts]

    def _tune(self, wanted: bool) -> None:
        """Put the adapter on or off. What was computed without it is of no use with it."""
        if wanted == self._tuned:
            return
        if wanted and self._adapter is None:
            self._adapter = self._load_adapter()
        library = self._library
        one = (library.llama_adapter_lora_p_ctypes * 1)(self._adapter)
        scales = (ctypes.c_float * 1)(1.0)
        if library.llama_set_adapters_lora(self._llama.ctx, one, int(wanted), scales):
            raise Unusable(f"{self._lora} cannot be used with this model")
        self._tuned = wanted
        self._weigher.forget()
        self._llama.reset()  # type: ignore[no-untyped-call]

    def _load_adapter(self) -> Any:
        if self._lora is None:
            raise Unusable("there is no adapter for this model")
        fits(self._lora, self._path)
        made = self._library.llama_adapter_lora_init(self._llama.model, str(self._lora).encode())
        if made is None:
            raise Unusable(f"{self._lora} does not fit this model: it is damaged, or made for another one")
        return made

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
            while len(self._grammars) >= _MOST_GRAMMARS:
                self._grammars.pop(next(iter(self._grammars)))
            self._grammars[key] = made
        return self._grammars[key]


def load_llama(setup: Setup) -> LlamaModel:
    """The model. Raises Unusable when there is none, or the person's own cannot be used: ours is asked in
    another way than theirs, so it does not stand in."""
    if setup.llama:
        try:
            return LlamaModel(Path(setup.llama).expanduser(), setup)
        except Unusable as error:
            raise Unusable(f"{OWN_UNUSABLE} language model cannot be used: {error}") from error
    default = default_llama()
    if default is None:
        raise Absent("no llama.cpp model is installed")
    return LlamaModel(default, setup)
