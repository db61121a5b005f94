"""The shipped adapters compute in llama.cpp what they computed in the framework they were trained in."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import llama_cpp
import numpy
import pytest
from numpy.typing import NDArray

from app.models.files import ADAPTERS, Tuned, default_llama

Case = dict[str, Any]
CASES: dict[Tuned, list[Case]] = {
    job: json.loads(Path(__file__).with_name(f"{name}_logits.json").read_text())
    for job, name in (("statements", "normalizer"), ("threads", "detective"))
}
Logits = NDArray[numpy.float64]


@pytest.fixture(scope="module")
def llama() -> Iterator[Any]:
    path = default_llama()
    assert path is not None, "the package with the base model is missing: make models"
    made = llama_cpp.Llama(str(path), n_ctx=256, n_threads=2, logits_all=True, verbose=False)
    yield made
    made.close()


def tune(llama: Any, adapter: Any | None) -> None:
    one = (llama_cpp.llama_adapter_lora_p_ctypes * 1)(adapter)
    scales = (ctypes.c_float * 1)(1.0)
    assert llama_cpp.llama_set_adapters_lora(llama.ctx, one, 0 if adapter is None else 1, scales) == 0


def computed(llama: Any, case: Case) -> list[tuple[Logits, int]]:
    """At each place the logits of the recorded tokens, and the likeliest token of all."""
    llama.reset()
    llama.eval([*case["before"], *case["after"]])
    rows = [numpy.array(llama.scores[len(case["before"]) - 1 + n]) for n in range(len(case["places"]))]
    return [
        (row[place["tokens"]].astype(numpy.float64), int(row.argmax()))
        for row, place in zip(rows, case["places"], strict=True)
    ]


def distances(llama: Any, cases: Sequence[Case]) -> tuple[float, float]:
    """How far the logits are from the recorded ones on average, and how often the likeliest token differs."""
    apart: list[float] = []
    other: list[bool] = []
    for case in cases:
        for place, (found, likeliest) in zip(case["places"], computed(llama, case), strict=True):
            wanted = numpy.array(place["logits"])
            apart.append(float(numpy.abs((found - found.mean()) - (wanted - wanted.mean())).mean()))
            other.append(likeliest != place["tokens"][0])
    return sum(apart) / len(apart), sum(other) / len(other)


def test_both_cut_texts_into_the_same_tokens(llama: Any) -> None:
    for case in (case for cases in CASES.values() for case in cases):
        assert llama.tokenize(case["prompt"].encode(), add_bos=False) == case["before"]
        assert llama.tokenize(case["answer"].encode(), add_bos=False) == case["after"]


@pytest.mark.parametrize("job", ADAPTERS)
def test_llama_computes_what_the_training_framework_did(llama: Any, job: Tuned) -> None:
    plain, _ = distances(llama, CASES[job])
    adapter = llama_cpp.llama_adapter_lora_init(llama.model, str(ADAPTERS[job]).encode())
    assert adapter is not None
    tune(llama, adapter)
    try:
        tuned, other = distances(llama, CASES[job])
    finally:
        tune(llama, None)
    # llama.cpp rounds activations to eight bits; a wrong order of rows or a wrong scale is far beyond that.
    assert tuned < 0.25 and other <= 0.1
    assert plain > 10 * tuned
