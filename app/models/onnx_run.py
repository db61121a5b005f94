"""Running a converted BERT in onnxruntime: sessions, tokens, batches. Only the child imports onnxruntime."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from app.models.files import Unusable, read_json
from app.models.wordpiece import OtherTokenizer, WordPieces

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_BATCH_TOKENS = 384
"""Larger batches leave the processor's cache and are slower: int8 loses a fifth at 1,024."""
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
"""Ours have no mask; one that somebody else wrote may."""


class Encoding(Protocol):
    @property
    def ids(self) -> list[int]: ...

    @property
    def type_ids(self) -> list[int]: ...


class Tokenizer(Protocol):
    def encode_batch(self, texts: Sequence[str] | Sequence[tuple[str, str]], /) -> Sequence[Encoding]: ...


def open_session(model: Path | bytes, output: str) -> Any:
    """Raises Unusable when the file is damaged or of another shape."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # One thread a batch: two batches side by side are 1.7 times as fast as two threads over each in turn.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Constants are folded; the graph is fused as it should be, and further fusing makes it slower.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    # Memory given back after each run instead of kept at the size of the longest batch ever seen.
    options.enable_cpu_mem_arena = False
    name = model.name if isinstance(model, Path) else "the converted model"
    try:
        session = onnxruntime.InferenceSession(
            str(model) if isinstance(model, Path) else model, options, providers=["CPUExecutionProvider"]
        )
    except MemoryError:
        raise
    except Exception as error:  # onnxruntime's errors share no base class of their own
        if "bad_alloc" in str(error) or "Failed to allocate" in str(error):
            raise MemoryError(str(error)) from error
        raise Unusable(
            f"{name} cannot be loaded, it is damaged or not a model: {first_line(error)}"
        ) from error
    given = {value.name for value in session.get_inputs()}
    made = [value.name for value in session.get_outputs()]
    if not given <= set(INPUTS) or "input_ids" not in given or output not in made:
        raise Unusable(
            f"{name} has another shape: it takes {', '.join(sorted(given))} and gives {', '.join(made)}"
        )
    return session


def open_tokenizer(path: Path, max_tokens: int) -> Tokenizer:
    """Word pieces, as BERT and MPNet have them; any other kind by the package `tokenizers`, where it is."""
    try:
        return WordPieces(read_json(path), max_tokens)
    except OtherTokenizer as error:
        return _other_tokenizer(path, max_tokens, str(error))
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise Unusable(f"{path} cannot be read: it lacks {error}") from error


def _other_tokenizer(path: Path, max_tokens: int, why: str) -> Tokenizer:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise Unusable(f"{path}: {why}, and the package tokenizers is not installed") from None
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception
        raise Unusable(f"{path} cannot be read: {first_line(error)}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def run(
    session: Any, encodings: Sequence[Encoding], output: str, width: int, threads: int
) -> NDArray[numpy.float32]:
    """One row an encoding, in order; so many batches at a time.

    Only texts of the very same length share a batch. Nothing is padded, which is faster, and a row is the
    same to the last bit whatever it was asked together with: killed, retried and cached runs agree.
    """
    import numpy

    takes = [value.name for value in session.get_inputs()]
    by_length: dict[int, list[int]] = defaultdict(list)
    for n, encoding in enumerate(encodings):
        by_length[len(encoding.ids)].append(n)
    answer = numpy.zeros((len(encodings), width), numpy.float32)
    batches = []
    for length, alike in sorted(by_length.items(), reverse=True):  # too little memory shows at once
        size = max(1, _BATCH_TOKENS // max(1, length))
        batches += [alike[start : start + size] for start in range(0, len(alike), size)]

    def answered(batch: list[int]) -> None:
        feeds = _feeds([encodings[n] for n in batch])
        try:
            answer[batch] = session.run([output], {name: feeds[name] for name in takes})[0]
        except Exception as error:
            if "bad_alloc" in str(error) or "Failed to allocate" in str(error):
                raise MemoryError(str(error)) from error
            raise

    if len(batches) == 1 or threads == 1:
        for batch in batches:
            answered(batch)
    else:
        with ThreadPoolExecutor(threads) as side_by_side:
            list(side_by_side.map(answered, batches))
    return answer


def _feeds(encodings: Sequence[Encoding]) -> dict[str, NDArray[numpy.int64]]:
    import numpy

    ids = numpy.array([e.ids for e in encodings], numpy.int64)
    kinds = numpy.array([e.type_ids for e in encodings], numpy.int64)
    return {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": kinds}


def whole(text: str) -> str:
    """Without halves of surrogate pairs, which the tokenizer refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")


def first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:300]
