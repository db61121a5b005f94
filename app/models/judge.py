"""The judge in the child: a cross-encoder that gives two statements a probability for each label."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.models import onnx_run
from app.models.bert_onnx import Classified, Shape, WrongShape, build
from app.models.files import OWN_UNUSABLE, WEIGHTS, Absent, JudgeFiles, Unusable, judge_folder, read_json
from app.models.sentence_folder import read_weights
from app.models.setup import Setup
from app.words import LABELS

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_NLI = {"contradiction": "conflict", "entailment": "compatible", "neutral": "unrelated"}
"""A plain NLI model's labels, as far as they say something about notes."""
_MAX_TOKENS = 128
_LONGEST = 512


class Judge:
    """Pairs in, probabilities out, in the order of LABELS."""

    def __init__(
        self,
        name: str,
        session: Any,
        tokenizer: Path,
        labels: Sequence[str],
        *,
        max_tokens: int,
        heat: float,
        threads: int,
    ) -> None:
        self.model = name
        self._session, self._threads = session, threads
        self._tokenizer = onnx_run.open_tokenizer(tokenizer, max_tokens)
        self._heat = heat
        self._columns = [labels.index(label) if label in labels else None for label in LABELS]
        self._width = len(labels)
        made = session.get_outputs()[0].shape[-1]
        if made != self._width:
            raise Unusable(f"the judge {name} gives {made} numbers for its {self._width} labels")

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[numpy.float32]:
        import numpy

        encodings = self._tokenizer.encode_batch([(onnx_run.whole(a), onnx_run.whole(b)) for a, b in pairs])
        logits = onnx_run.run(self._session, encodings, "logits", self._width, self._threads) / self._heat
        grown = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        shares = grown / grown.sum(axis=1, keepdims=True)
        answer = numpy.zeros((len(pairs), len(LABELS)), numpy.float32)
        for place, column in enumerate(self._columns):
            if column is not None:
                answer[:, place] = shares[:, column]
        return answer


def load_judge(setup: Setup, log: Callable[[str], None]) -> tuple[Judge, str]:
    """The judge, and what it had to do without. Raises Unusable when there is none."""
    note = ""
    if setup.judge:
        try:
            return _load(Path(setup.judge).expanduser(), setup), ""
        except Unusable as error:
            note = f"{OWN_UNUSABLE} judge cannot be used: {error}"
            log(f"error judge: {note}")
    if lacks := JudgeFiles.within(WEIGHTS).lacks:
        raise Unusable(note) if note else Absent(lacks)
    shipped = judge_folder(replace(setup, judge=None))
    if shipped != WEIGHTS:
        try:
            return _load(shipped, setup), note and f"{note}; the default goes on"
        except Unusable as error:
            log(f"error judge: the large one cannot be used: {error}")
    return _load(WEIGHTS, setup), note and f"{note}; the default goes on"


def _load(folder: Path, setup: Setup) -> Judge:
    if not folder.is_dir():
        raise Unusable(f"there is no folder {folder}")
    files = JudgeFiles.within(folder)
    if files.about.is_file():
        return _own_form(files, setup)
    return _cross_encoder(folder, setup)


def _own_form(files: JudgeFiles, setup: Setup) -> Judge:
    if files.missing:
        raise Unusable(files.lacks)
    about = read_json(files.about)
    if not isinstance(about, dict):
        raise Unusable(f"{files.about} should be an object")
    labels = about.get("labels")
    if not isinstance(labels, list) or sorted(map(str, labels)) != sorted(LABELS):
        raise Unusable(_other_labels(files.about, labels))
    session = onnx_run.open_session(files.model, "logits")
    name = str(about.get("name") or "judge")
    heat = _heat(files.about, about)
    return Judge(
        name, session, files.tokenizer, labels, max_tokens=_tokens(about), heat=heat, threads=setup.threads
    )


def _cross_encoder(folder: Path, setup: Setup) -> Judge:
    """A sentence-transformers CrossEncoder as it was saved; converted in memory."""
    config = read_json(folder / "config.json")
    names = config.get("id2label") if isinstance(config, dict) else None
    if not isinstance(names, dict):
        raise Unusable(f"{folder / 'config.json'} names no labels (id2label)")
    ordered = [str(names[key]).lower() for key in sorted(names, key=_number)]
    labels = [_NLI.get(label, label) for label in ordered]
    if sorted(labels) not in (sorted(LABELS), sorted(_NLI.values())):
        raise Unusable(_other_labels(folder / "config.json", ordered))
    try:
        model = build(read_weights(folder), Shape.of(config), Classified(len(labels)), "fp16")
    except WrongShape as error:
        raise Unusable(f"{folder}: {error}") from error
    session = onnx_run.open_session(model, "logits")
    tokenizer = folder / "tokenizer.json"
    return Judge(
        folder.name, session, tokenizer, labels, max_tokens=_MAX_TOKENS, heat=1.0, threads=setup.threads
    )


def _other_labels(path: Path, labels: object) -> str:
    have = ", ".join(map(str, labels)) if isinstance(labels, list) else "none"
    return f"{path} has other labels ({have}); needed are {', '.join(LABELS)}"


def _number(key: str) -> int:
    return int(key) if key.isdigit() else 1_000


def _tokens(about: Mapping[str, Any]) -> int:
    stored = about.get("max_tokens", _MAX_TOKENS)
    return min(stored, _LONGEST) if isinstance(stored, int) and stored > 8 else _MAX_TOKENS


def _heat(path: Path, about: Mapping[str, Any]) -> float:
    stored = about.get("temperature", 1.0)
    if not isinstance(stored, (int, float)) or not math.isfinite(stored) or stored <= 0:
        raise Unusable(f"{path}: the temperature should be a number above 0")
    return float(stored)
