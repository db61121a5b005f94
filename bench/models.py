"""Embeddings and judgements a second and the time to the first vector, as ratios to sentence-transformers."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")

import numpy

from app import places
from app.detection.judge_input import said, written
from app.detection.pair_gates import worth_judging
from app.models import onnx_run
from app.models.bert_onnx import PRECISIONS, Classified, Pooled, Shape, build
from app.models.embedder import OnnxEmbedder
from app.models.export import export_embedder
from app.models.files import WEIGHTS, JudgeFiles, default_embedder, read_json
from app.models.host import ModelHost
from app.models.judge import Judge, load_judge
from app.models.neighbours import Neighbours
from app.models.requests import Embedded, Judged
from app.models.sentence_folder import PRECISION, read_folder, read_weights
from app.models.setup import Setup, cores
from app.vault.note import read_note
from app.vault.settings import vault_settings
from app.words import LABELS
from bench.quality import claims_of

FIRST = """
import sys, time
from app.models.host import ModelHost
from app.models.setup import Setup
with ModelHost(Setup(cache=sys.argv[1])) as host:
    assert host.embed(["The door code is 4411."]).rows[0]
"""
IMPORT = "import sentence_transformers"


def statements(vault: Path) -> list[str]:
    settings = vault_settings(vault)
    notes = (
        read_note(str(path.relative_to(vault)), path.read_bytes(), settings) for path in vault.rglob("*.md")
    )
    return sorted({statement.text for note in notes for statement in note.statements})


def best(work: Callable[[], object], times: int) -> tuple[float, float]:
    """(wall, CPU) seconds of the fastest of several runs; other programs disturb the first more."""
    walls, cpus = [], []
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return min(walls), min(cpus)


def compare(
    name: str, count: int, ours: Callable[[], object], theirs: Callable[[], object], times: int
) -> None:
    """Turn by turn, so that both see the same machine."""
    a, b = [best(ours, 1)], [best(theirs, 1)]
    for _ in range(times):
        a.append(best(ours, 1))
        b.append(best(theirs, 1))
    wall, cpu = (min(b)[n] / min(a)[n] for n in (0, 1))
    rates = f"{count / min(a)[0]:7.0f}/s against {count / min(b)[0]:7.0f}/s"
    print(f"{name:<34} {rates}   {wall:5.2f}× by the clock, {cpu:5.2f}× by CPU time")


def embedders(texts: list[str], threads: int, times: int) -> None:
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    path = default_embedder()
    assert path is not None, "the embedder's package is not installed"
    folder = read_folder(path)
    model = SentenceTransformer(str(path), device="cpu")
    reference = model.encode(texts, show_progress_bar=False)
    weights, shape = read_weights(path), Shape.of(read_json(path / "config.json"))
    for precision in PRECISIONS:
        data = build(weights, shape, Pooled(), precision)
        ours = OnnxEmbedder(folder, onnx_run.open_session(data, threads, "vectors"))
        made = ours.embed(texts).astype(numpy.float32)
        used = " (used)" if precision == PRECISION else ""
        compare(
            f"embeddings, {precision}, {len(data) / 1e6:.0f} MB{used}",
            len(texts),
            lambda ours=ours: ours.embed(texts),  # type: ignore[misc]
            lambda: model.encode(texts, show_progress_bar=False),
            times,
        )
        print(f"{'':<34} {agreement(made, reference)}")
    with ModelHost(Setup(threads=threads, nice=0)) as host:
        host.embed(texts[:1])

        def asked() -> None:
            assert isinstance(host.embed(texts), Embedded)

        wall, _ = best(asked, times)
        print(f"{'through the model process':<34} {len(texts) / wall:7.0f}/s")


def agreement(ours: Any, theirs: Any) -> str:
    """Cosines of the same texts, and how many of the ten nearest are the same."""
    cosines = (ours * theirs).sum(1)
    a, b = (numpy.argsort(-(m @ m.T - 9 * numpy.eye(len(m))), axis=1)[:, :10] for m in (ours, theirs))
    shared = numpy.mean([len(set(x) & set(y)) / 10 for x, y in zip(a, b, strict=True)])
    alike = f"cosine least {cosines.min():.5f}, mean {cosines.mean():.5f}"
    return f"{alike}; of the ten nearest {shared:.1%} the same"


def near_pairs(vault: Path, count: int) -> list[tuple[str, str]]:
    """Statements with their nearest, as a check hands them to the judge."""
    claims = {id: claim for id, claim in claims_of(vault).items() if worth_judging(claim)}
    with ModelHost(Setup()) as host:
        answer = host.embed([claim.statement.text for claim in claims.values()])
    assert isinstance(answer, Embedded), answer
    held = Neighbours(answer.width)
    held.add_many(zip(claims, answer.matrix(), strict=True))
    near = held.nearest_of(sorted(claims), 10)
    pairs = [(claims[id], claims[other.id]) for id in near for other in near[id]]
    return [written(said(a), said(b)) for a, b in pairs[:: max(1, len(pairs) // count)]][:count]


def judges(own: Path, saved: Path, pairs: list[tuple[str, str]], threads: int, times: int) -> None:
    """`own` holds judge.onnx, `saved` the same weights as transformers saved them: the shipped file, and what
    the weights are worth in every form."""
    import torch
    from sentence_transformers import CrossEncoder

    torch.set_num_threads(threads)
    theirs = CrossEncoder(str(saved), device="cpu", max_length=128)
    reference = theirs.predict(pairs, apply_softmax=True, show_progress_bar=False)
    mean = numpy.mean(
        [len(one) for one in theirs.tokenizer(pairs, truncation=True, max_length=128).input_ids]
    )
    print(f"{len(pairs)} near pairs, {mean:.0f} tokens on average")
    for name, judge in _judges(own, saved, threads):
        made = judge.judge(pairs)
        compare(
            name,
            len(pairs),
            lambda judge=judge: judge.judge(pairs),  # type: ignore[misc]
            lambda: theirs.predict(pairs, show_progress_bar=False),
            times,
        )
        apart = numpy.abs(made - reference)
        same = (made.argmax(1) == reference.argmax(1)).mean()
        print(f"{'':<34} probabilities apart {apart.max():.4f} at most, {apart.mean():.5f} on average; "
              f"{same:.1%} of the labels the same")  # fmt: skip
    with ModelHost(Setup(judge=str(own), threads=threads, nice=0)) as host:
        host.judge(pairs[:1])

        def asked() -> None:
            assert isinstance(host.judge(pairs), Judged)

        wall, _ = best(asked, times)
        print(f"{'through the model process':<34} {len(pairs) / wall:7.0f}/s")


def _judges(own: Path, saved: Path, threads: int) -> Iterator[tuple[str, Judge]]:
    judge, note = load_judge(Setup(judge=str(own), threads=threads), print)
    assert not note, note
    size = JudgeFiles.within(own).model.stat().st_size
    yield f"judge, the file itself, {size / 1e6:.0f} MB", judge
    weights, shape = read_weights(saved), Shape.of(read_json(saved / "config.json"))
    for precision in PRECISIONS:
        data = build(weights, shape, Classified(len(LABELS)), precision)
        session = onnx_run.open_session(data, threads, "logits")
        made = Judge(precision, session, saved / "tokenizer.json", LABELS, 128, 1.0)
        yield f"judge, {precision}, {len(data) / 1e6:.0f} MB", made


def first_vector(times: int) -> None:
    with tempfile.TemporaryDirectory() as cache:
        export_embedder(Setup(cache=cache))

        def run(code: str) -> Callable[[], object]:
            return lambda: subprocess.run([sys.executable, "-c", code, cache], check=True)

        ours, theirs = run(FIRST), run(IMPORT)
        ours(), theirs()  # once to warm the disk
        a = [(best(ours, 1)[0], best(theirs, 1)[0]) for _ in range(times)]
        x, y = min(t for t, _ in a), min(t for _, t in a)
        times_ours = f"{x:.2f} s, importing sentence-transformers {y:.2f} s"
        print(f"{'process start to first vector':<34} {times_ours}: {x / y:.2f}×")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", nargs="?", type=Path, default=places.sample_vault())
    parser.add_argument(
        "--judge", type=Path, metavar="SAVED", help="the judge's weights as they were trained"
    )
    parser.add_argument(
        "--own", type=Path, default=WEIGHTS, help="the folder with judge.onnx (default: the one that ships)"
    )
    parser.add_argument("--pairs", type=int, default=800)
    parser.add_argument("--only-judge", action="store_true")
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--texts", type=int, default=400)
    options = parser.parse_args()
    texts = statements(options.vault)[: options.texts]
    print(f"{len(texts)} statements of {options.vault}, {options.threads} threads")
    if not options.only_judge:
        first_vector(options.times)
        embedders(texts, options.threads, options.times)
    if options.judge:
        pairs = near_pairs(options.vault, options.pairs)
        judges(options.own, options.judge, pairs, options.threads, options.times)


if __name__ == "__main__":
    main()
