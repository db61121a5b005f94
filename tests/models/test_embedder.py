"""The real embedder agrees with sentence-transformers and needs no torch; what cannot be used is said."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from safetensors.numpy import save_file

from app.models import embedder, export
from app.models.embedder import OnnxEmbedder, TorchEmbedder, load_embedder
from app.models.files import Absent, Unusable, default_embedder
from app.models.sentence_folder import read_folder, read_weights
from app.models.setup import Setup
from tests.models import tiny

ROOT = Path(__file__).resolve().parents[2]
MODEL = "model.safetensors"
ORIGINAL = Path(__file__).with_name("original_vectors.npy")
"""What all-MiniLM-L6-v2, as it was published, makes of the sentences."""

SENTENCES = [
    "The garage door code is 4411.",
    "Code for the garage: 0087",
    "Never deploy on Fridays.",
    "Friday deploys are fine as long as somebody watches the dashboards",
    "Postgres 14 is what we run in production.",
    "We moved the main database to Postgres 17 last month",
    "Ines speaks French and German.",
    "The boiler is serviced every March by the firm in Mill Lane.",
    "bread: 500 g flour, 350 g water, 10 g salt, 2 g yeast",
    "Retention of the audit log :: 90 days",
    "",
    "Wi-Fi password changed on 3 May, see the card in the kitchen drawer",
    "Überweisung an den Verein ist erledigt",
    "a " * 400,
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.sentence_folder(tmp_path / "own")


def setup_for(folder: Path | None, tmp_path: Path) -> Setup:
    return Setup(embedder=str(folder) if folder else None, cache=str(tmp_path / "cache"), threads=1)


def quiet(line: str) -> None:
    """Where the log is not looked at."""


def test_the_default_gives_what_sentence_transformers_gives(tmp_path: Path) -> None:
    ours, note = load_embedder(setup_for(None, tmp_path), quiet)
    assert isinstance(ours, OnnxEmbedder) and note == ""
    default = default_embedder()
    assert default is not None
    plain = shutil.copytree(default, tmp_path / "plain")
    save_file({name: array.copy() for name, array in read_weights(default).items()}, plain / MODEL)
    theirs = TorchEmbedder(read_folder(plain), 1)
    a = ours.embed(SENTENCES).astype(numpy.float32)
    b = theirs.embed(SENTENCES).astype(numpy.float32)
    assert (a * b).sum(1).min() > 0.9995


def test_the_default_is_close_to_the_published_model(tmp_path: Path) -> None:
    ours = load_embedder(setup_for(None, tmp_path), quiet)[0].embed(SENTENCES).astype(numpy.float32)
    published = numpy.load(ORIGINAL).astype(numpy.float32)
    assert (ours * published).sum(1).min() > 0.99
    assert numpy.abs(ours @ ours.T - published @ published.T).max() < 0.04


def test_the_common_case_imports_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys; from app.models.embedder import load_embedder; from app.models.setup import Setup;"
        "load_embedder(Setup.load(sys.argv[1]), print)[0].embed(['door']);"
        "heavy = ('torch', 'transformers', 'sentence_transformers', 'tokenizers', 'onnx');"
        "print([m for m in heavy if m in sys.modules])"
    )
    made = setup_for(None, tmp_path)
    export.export_embedder(made)
    done = subprocess.run(
        [sys.executable, "-c", code, made.dump()], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


def test_a_folder_of_ones_own(folder: Path, tmp_path: Path) -> None:
    own, note = load_embedder(setup_for(folder, tmp_path), quiet)
    assert isinstance(own, OnnxEmbedder)
    assert (own.width, note) == (32, "")
    torch = TorchEmbedder(read_folder(folder), 1)
    numpy.testing.assert_allclose(
        own.embed(["the door", "code"]), torch.embed(["the door", "code"]), atol=5e-3
    )


def test_what_cannot_be_converted_runs_in_torch(folder: Path, tmp_path: Path) -> None:
    pooling = {
        "word_embedding_dimension": 32,
        "pooling_mode_max_tokens": True,
        "pooling_mode_mean_tokens": False,
    }
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    own, note = load_embedder(setup_for(folder, tmp_path), quiet)
    assert isinstance(own, TorchEmbedder) and "torch" in note
    assert own.embed(["the door"]).shape == (1, 32)


def test_it_is_converted_once(folder: Path, tmp_path: Path) -> None:
    made = setup_for(folder, tmp_path)
    path = export.export_embedder(made)
    before = path.stat().st_mtime_ns
    assert export.export_embedder(made) == path
    load_embedder(made, quiet)
    assert path.stat().st_mtime_ns == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("left", [0, 100, 5000])
def test_a_truncated_conversion_is_made_anew(folder: Path, tmp_path: Path, left: int) -> None:
    made = setup_for(folder, tmp_path)
    path = export.export_embedder(made)
    whole = path.read_bytes()
    path.write_bytes(whole[:left])
    lines: list[str] = []
    own, _ = load_embedder(made, lines.append)
    assert isinstance(own, OnnxEmbedder)
    assert any("damaged" in line or "another shape" in line for line in lines)
    assert path.read_bytes() == whole


def test_an_unwritable_cache_is_said_and_survived(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    own, note = load_embedder(setup_for(folder, tmp_path), quiet)
    assert isinstance(own, OnnxEmbedder)
    assert "cannot be kept" in note
    assert own.embed(["door"]).shape == (1, 32)


def break_nothing(folder: Path) -> None:
    for file in sorted(folder.rglob("*"), reverse=True):
        file.unlink() if file.is_file() else file.rmdir()


def break_modules(folder: Path) -> None:
    (folder / "modules.json").write_text("[")


def break_pooling(folder: Path) -> None:
    (folder / "modules.json").write_text('[{"type": "sentence_transformers.models.Transformer", "path": ""}]')


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (break_nothing, "has no modules.json"),
        (break_modules, "cannot be read"),
        (break_pooling, "no Pooling"),
    ],
)
def test_a_folder_that_is_no_embedder_is_named_and_the_default_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: object, says: str
) -> None:
    default = tiny.sentence_folder(tmp_path / "default", seed=5)
    monkeypatch.setattr(embedder, "default_embedder", lambda: default)
    assert callable(spoil)
    spoil(folder)
    made, note = load_embedder(setup_for(folder, tmp_path), quiet)
    assert made.model.startswith("default-")
    assert says in note and "the default goes on" in note


def test_without_any_model_it_is_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "embedder_folder", lambda setup: None)
    with pytest.raises(Absent, match="no embedding model is installed"):
        load_embedder(setup_for(None, tmp_path), quiet)


def test_damaged_weights_are_named(folder: Path, tmp_path: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(Unusable, match=r"model\.safetensors is damaged"):
        read_folder(folder).converted()


def test_other_weights_have_another_name(tmp_path: Path) -> None:
    one, two = (read_folder(tiny.sentence_folder(tmp_path / str(n) / "m", seed=n)).id for n in (1, 2))
    assert one != two
