"""llama.cpp in the child: any GGUF, constrained by a grammar. The only module that imports llama_cpp."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.models.files import (
    OWN_UNUSABLE,
    Absent,
    Tuned,
    Unusable,
    adapter_for,
    default_llama,
    llama_name,
)
from app.models.gguf_header import fits, read_header
from app.models.onnx_run import first_line
from app.models.prompt_prefixes import Prefixes
from app.models.setup import Setup
from app.models.token_odds import Shares, Stopped, Weigher

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
        self._path, self._setup = path, setup
        self._adapters: dict[Tuned, Any] = {}
        self._tuned: Tuned | None = None
        self._weigher = Weigher(self._llama, llama_cpp)
        self._prefixes = setup.cache_dir / "prefixes"

    @property
    def model(self) -> str:
        """What answered last: with its adapter it is another model."""
        lora = adapter_for(self._path, self._setup, self._tuned) if self._tuned else None
        return llama_name(self._path, lora)

    def complete(self, asked: Mapping[str, Any], stopping: Callable[[], bool]) -> Written:
        """Greedy. Raises ValueError for a grammar that cannot be read or a prompt that is too long, Unusable
        where the adapter is asked for and does not fit."""
        self._tune(asked.get("tuned"))
        prompt: str | list[int] = asked["prompt"]
        if prompt and not self._tuned:
            # In the weigher's steps, so that an answer does not hang on what was asked before. The adapter
            # reads statement after statement that share nearly all: there a step would cost more than it is.
            try:
                prompt = self._weigher.read(asked["prompt"], stopping)
            except Stopped:
                return Written("", False, 0)
        pieces: list[str] = []
        finish = None
        chunk: Any
        for chunk in self._llama.create_completion(
            prompt,
            max_tokens=int(asked["max_tokens"]),
            grammar=self._grammar(asked.get("grammar")),
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
        self._tune(asked.get("tuned"))
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

    def _tune(self, wanted: Tuned | None) -> None:
        """Put the adapter for this on, or off what is on. What was computed otherwise is of no use then."""
        if wanted == self._tuned:
            return
        library = self._library
        adapter = self._adapter(wanted) if wanted else None
        one = (library.llama_adapter_lora_p_ctypes * 1)(adapter)
        scales = (ctypes.c_float * 1)(1.0)
        if library.llama_set_adapters_lora(self._llama.ctx, one, int(wanted is not None), scales):
            raise Unusable(f"the adapter for reading {wanted} cannot be used with this model")
        self._tuned = wanted
        self._weigher.forget()
        self._llama.reset()  # type: ignore[no-untyped-call]

    def _adapter(self, wanted: Tuned) -> Any:
        """Read once, and kept: the two are changed for each other all the time."""
        if wanted not in self._adapters:
            lora = adapter_for(self._path, self._setup, wanted)
            if lora is None:
                raise Unusable("there is no adapter for this model")
            fits(lora, self._path)
            made = self._library.llama_adapter_lora_init(self._llama.model, str(lora).encode())
            if made is None:
                raise Unusable(f"{lora} does not fit this model: it is damaged, or made for another one")
            self._adapters[wanted] = made
        return self._adapters[wanted]

    def _grammar(self, grammar: str | None) -> Any:
        if grammar is None:
            return None
        if grammar not in self._grammars:
            try:
                made = self._library.LlamaGrammar.from_string(grammar, verbose=False)
            except Exception as error:
                raise ValueError(f"the grammar cannot be read: {first_line(error)}") from error
            while len(self._grammars) >= _MOST_GRAMMARS:
                self._grammars.pop(next(iter(self._grammars)))
            self._grammars[grammar] = made
        return self._grammars[grammar]


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
