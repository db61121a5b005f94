"""What a sentence-transformers folder holds, and whether it can be run without torch."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.models import tensors
from app.models.bert_onnx import Pooled, Precision, Shape, WrongShape, build
from app.models.files import Damaged, Unusable, read_json
from app.regular_file import open_regular, read_regular

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

PRECISION: Precision = "fp16"
"""Of the converted embedder: half the file, the same vectors. Int8 is over twice as fast, but changes
six in a hundred of the ten nearest neighbours."""
_VERSION = 1
"""Goes up when the conversion changes what comes out."""
_WEIGHTS = ("model.safetensors", "model.safetensors.gz")
"""The one that ships is compressed."""
_LONGEST = 512
_DEFAULT_TOKENS = 256
_ENDS = 65_536


@dataclass(frozen=True, slots=True)
class SentenceFolder:
    """A sentence-transformers model that ends in one vector a text."""

    path: Path
    max_tokens: int
    shape: Shape | None
    head: Pooled | None
    only_torch: str
    """Why it cannot be converted; empty when it can."""

    @property
    def id(self) -> str:
        """Names the vectors in the cache. The ends of the weights and their size stand for the whole, so that
        asking takes no time; vectors of torch and of the converted model are the same."""
        digest = hashlib.blake2b(f"{_VERSION} {PRECISION} {self.max_tokens}".encode(), digest_size=6)
        for name in ("config.json", "modules.json", "1_Pooling/config.json", "tokenizer.json"):
            file = self.path / name
            digest.update(read_regular(file) if file.is_file() else b"-")
        weights = weights_file(self.path)
        if weights is None:
            raise Unusable(f"{self.path} has no {_WEIGHTS[0]}")
        with open_regular(weights) as stream:
            size = weights.stat().st_size
            digest.update(str(size).encode() + stream.read(_ENDS))
            stream.seek(max(0, size - _ENDS))
            digest.update(stream.read(_ENDS))
        return f"{self.path.name}-{digest.hexdigest()}"

    def converted(self) -> bytes:
        """The model as ONNX. Raises Unusable."""
        if self.shape is None or self.head is None:
            raise Unusable(self.only_torch)
        try:
            return build(read_weights(self.path), self.shape, self.head, PRECISION, about={"id": self.id})
        except WrongShape as error:
            raise Unusable(f"{self.path}: {error}") from error


def weights_file(folder: Path) -> Path | None:
    """Where a folder's weights are, in whatever form."""
    names = (*_WEIGHTS, "pytorch_model.bin")
    return next((folder / name for name in names if (folder / name).is_file()), None)


def read_weights(folder: Path) -> dict[str, NDArray[numpy.generic]]:
    for name in _WEIGHTS:
        if (file := folder / name).is_file():
            try:
                return tensors.all_widened(tensors.load(file))
            except (OSError, ValueError) as error:
                raise Damaged(f"{file} is damaged: {error}") from error
    raise Unusable(f"{folder} has no {_WEIGHTS[0]}")


def read_folder(path: Path) -> SentenceFolder:
    """Look at the folder's small files. Raises Unusable when it is no embedding model at all."""
    if not path.is_dir():
        raise Unusable(f"there is no folder {path}")
    modules = read_json(path / "modules.json")
    config = read_json(path / "config.json")
    if not isinstance(modules, list) or not isinstance(config, dict):
        raise Unusable(f"{path} is not a sentence-transformers folder")
    steps = {str(m.get("type", "")).rsplit(".", 1)[-1]: str(m.get("path", "")) for m in modules if _is(m)}
    if "Pooling" not in steps:
        raise Unusable(f"{path} does not end in one vector a text: its modules.json names no Pooling")
    shape: Shape | None = None
    head: Pooled | None = None
    why = ""
    try:
        shape = Shape.of(config)
        head = _head(path, steps)
        for kinds in (("tokenizer.json",), _WEIGHTS):
            if not any((path / file).is_file() for file in kinds):
                raise WrongShape(f"it has no {kinds[0]}")
    except (WrongShape, Unusable) as error:
        why = f"it needs torch: {error}"
        shape = head = None
    return SentenceFolder(path, _max_tokens(path), shape, head, why)


def _is(module: Any) -> bool:
    return isinstance(module, dict)


def _head(path: Path, steps: dict[str, str]) -> Pooled:
    strange = sorted(set(steps) - {"Transformer", "Pooling", "Normalize"})
    if strange:
        raise WrongShape(f"it has a {', '.join(strange)} step")
    pooling = read_json(path / steps["Pooling"] / "config.json")
    modes = {name.removeprefix("pooling_mode_") for name, on in pooling.items() if on is True}
    named = pooling.get("pooling_mode")
    modes |= {named} if isinstance(named, str) else set()
    normalized = "Normalize" in steps
    if modes & {"mean_tokens", "mean"} and not modes & {"cls_token", "cls", "max_tokens", "max"}:
        return Pooled("mean", normalized)
    if modes & {"cls_token", "cls"} and not modes & {"max_tokens", "max"}:
        return Pooled("cls", normalized)
    raise WrongShape(f"its pooling is {', '.join(sorted(modes)) or 'not named'}")


def _max_tokens(path: Path) -> int:
    try:
        stored = read_json(path / "sentence_bert_config.json").get("max_seq_length")
    except (Unusable, AttributeError):
        stored = None
    return min(stored, _LONGEST) if isinstance(stored, int) and stored > 2 else _DEFAULT_TOKENS
