"""The embedder in the child: ONNX where the model can be converted, else sentence-transformers with torch."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from app.models import onnx_run
from app.models.export import converted_path
from app.models.files import OWN_UNUSABLE, Absent, Damaged, Unusable, default_embedder, embedder_folder
from app.models.sentence_folder import SentenceFolder, read_folder
from app.models.setup import Setup
from app.private_files import write_private

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Log = Callable[[str], None]


class Embedder(Protocol):
    model: str
    width: int

    def embed(self, texts: Sequence[str]) -> NDArray[numpy.float16]: ...


class OnnxEmbedder:
    """The converted model; neither torch nor transformers is imported."""

    def __init__(self, folder: SentenceFolder, session: Any, threads: int) -> None:
        self.model = folder.id
        self.width = int(session.get_outputs()[0].shape[-1])
        self._session, self._threads = session, threads
        self._tokenizer = onnx_run.open_tokenizer(folder.path / "tokenizer.json", folder.max_tokens)

    def embed(self, texts: Sequence[str]) -> NDArray[numpy.float16]:
        import numpy

        encodings = self._tokenizer.encode_batch([onnx_run.whole(text) for text in texts])
        return onnx_run.run(self._session, encodings, "vectors", self.width, self._threads).astype(
            numpy.float16
        )


class TorchEmbedder:
    """Any other sentence-transformers model: slower and larger, but it runs whatever the library runs."""

    def __init__(self, folder: SentenceFolder, threads: int) -> None:
        os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
        try:
            import torch
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise Unusable(f"{folder.only_torch}, and that is not installed ({error})") from error
        torch.set_num_threads(threads)
        try:
            # Code that comes with a model is never run.
            self._model = SentenceTransformer(str(folder.path), device="cpu", trust_remote_code=False)
            self._model.max_seq_length = folder.max_tokens
            self.width = len(self._model.encode([""])[0])
        except MemoryError:
            raise
        except Exception as error:  # whatever the library meets in a folder it cannot use
            raise Unusable(f"{folder.path} cannot be loaded: {onnx_run.first_line(error)}") from error
        self.model = folder.id

    def embed(self, texts: Sequence[str]) -> NDArray[numpy.float16]:
        import numpy

        vectors = self._model.encode(
            [onnx_run.whole(text) for text in texts], batch_size=16, show_progress_bar=False
        )
        lengths = numpy.maximum(numpy.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        short: NDArray[numpy.float16] = (vectors / lengths).astype(numpy.float16)
        return short


def load_embedder(setup: Setup, log: Log) -> tuple[Embedder, str]:
    """The embedder, and what it had to do without ("" when nothing). Raises Unusable when there is none."""
    note = ""
    if setup.embedder:
        try:
            return _load(Path(setup.embedder).expanduser(), setup, log)
        except Unusable as error:
            note = f"{OWN_UNUSABLE} embedding model cannot be used: {error}"
            log(f"error embedder: {note}")
    default = default_embedder() if setup.embedder else embedder_folder(setup)
    if default is None:
        raise Unusable(note) if note else Absent("no embedding model is installed")
    embedder, own_note = _load(default, setup, log)
    note = note and f"{note}; the default goes on"
    return embedder, "; ".join(filter(None, (note, own_note)))


def _load(path: Path, setup: Setup, log: Log) -> tuple[Embedder, str]:
    folder = read_folder(path)
    if not folder.only_torch:
        try:
            return _load_onnx(folder, setup, log)
        except Damaged:
            raise
        except (Unusable, ImportError) as error:
            log(f"error embedder: {error}; trying sentence-transformers")
    return TorchEmbedder(folder, setup.threads), "runs in torch, which is slower"


def _load_onnx(folder: SentenceFolder, setup: Setup, log: Log) -> tuple[Embedder, str]:
    path = converted_path(folder, setup.cache_dir)
    if path.is_file():
        try:
            return OnnxEmbedder(folder, onnx_run.open_session(path, "vectors"), setup.threads), ""
        except Unusable as error:
            log(f"error embedder: {error}; converting it anew")
    data = folder.converted()
    note = ""
    try:
        write_private(path, data)
    except OSError as error:
        note = f"the converted model cannot be kept in {setup.cache_dir}: {error.strerror or error}"
        log(f"error embedder: {note}")
    return OnnxEmbedder(folder, onnx_run.open_session(data, "vectors"), setup.threads), note
