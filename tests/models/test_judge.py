"""The judge gives probabilities in one order of labels; one of another shape is refused in plain words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy
import pytest

from app.models import judge as module
from app.models.files import Unusable
from app.models.judge import Judge, load_judge
from app.models.setup import Setup
from app.words import LABELS
from tests.models import tiny

PAIRS = [
    ("the door code is 4411", "the door code is 0087"),
    ("we deploy", "never deploy on friday"),
    ("", ""),
]


@pytest.fixture(autouse=True)
def no_shipped_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WEIGHTS", tmp_path / "nothing shipped")


def load(folder: Path) -> Judge:
    return load_judge(Setup(judge=str(folder), threads=1), print)[0]


def test_every_pair_gets_five_shares_of_one(tmp_path: Path) -> None:
    shares = load(tiny.judge_folder(tmp_path / "judge")).judge(PAIRS)
    assert shares.shape == (3, 5)
    numpy.testing.assert_allclose(shares.sum(1), 1, atol=1e-5)


def test_the_order_of_a_models_labels_does_not_matter(tmp_path: Path) -> None:
    turned = LABELS[::-1]
    a = load(tiny.judge_folder(tmp_path / "a")).judge(PAIRS)
    b = load(tiny.judge_folder(tmp_path / "b", labels=turned)).judge(PAIRS)
    numpy.testing.assert_allclose(a, b[:, ::-1], atol=1e-6)


def test_temperature_flattens(tmp_path: Path) -> None:
    cold = load(tiny.judge_folder(tmp_path / "a")).judge(PAIRS)
    warm = load(tiny.judge_folder(tmp_path / "b", temperature=4.0)).judge(PAIRS)
    assert (warm.max(1) < cold.max(1)).all()
    assert (warm.argmax(1) == cold.argmax(1)).all()


def test_the_order_of_a_pair_matters_to_the_model(tmp_path: Path) -> None:
    judge = load(tiny.judge_folder(tmp_path / "judge"))
    (a, b) = PAIRS[0]
    assert not numpy.allclose(judge.judge([(a, b)]), judge.judge([(b, a)]))


def test_a_cross_encoder_as_it_was_saved(tmp_path: Path) -> None:
    own = load(tiny.judge_folder(tmp_path / "own"))
    saved = load(tiny.cross_encoder_folder(tmp_path / "saved", LABELS))
    numpy.testing.assert_allclose(own.judge(PAIRS), saved.judge(PAIRS), atol=2e-2)


def test_a_plain_nli_model_has_three_of_the_labels(tmp_path: Path) -> None:
    folder = tiny.cross_encoder_folder(tmp_path / "nli", ("Entailment", "Neutral", "Contradiction"))
    shares = load(folder).judge(PAIRS)
    assert (shares[:, [LABELS.index("outdated"), LABELS.index("settled")]] == 0).all()
    numpy.testing.assert_allclose(shares.sum(1), 1, atol=1e-5)


def other_labels(folder: Path) -> Path:
    return tiny.judge_folder(folder, labels=("yes", "no", "maybe", "later", "never"))


def unnamed_labels(folder: Path) -> Path:
    return tiny.cross_encoder_folder(folder, ("LABEL_0", "LABEL_1"))


def truncated(folder: Path) -> Path:
    file = tiny.judge_folder(folder) / "judge.onnx"
    file.write_bytes(file.read_bytes()[:4000])
    return folder


def not_onnx(folder: Path) -> Path:
    (tiny.judge_folder(folder) / "judge.onnx").write_bytes(b"GGUF" * 1000)
    return folder


def fewer_numbers(folder: Path) -> Path:
    three = tiny.judge_folder(folder.with_name("three"), labels=("a", "b", "c"))
    (tiny.judge_folder(folder) / "judge.onnx").write_bytes((three / "judge.onnx").read_bytes())
    return folder


def without_tokenizer(folder: Path) -> Path:
    (tiny.judge_folder(folder) / "judge-tokenizer.json").unlink()
    return folder


def broken_tokenizer(folder: Path) -> Path:
    (tiny.judge_folder(folder) / "judge-tokenizer.json").write_text("{}")
    return folder


def broken_about(folder: Path) -> Path:
    (tiny.judge_folder(folder) / "judge.json").write_text("{")
    return folder


def frozen(folder: Path) -> Path:
    return tiny.judge_folder(folder, temperature=0)


def empty(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (other_labels, "other labels .yes, no, maybe, later, never."),
        (unnamed_labels, "other labels"),
        (truncated, "damaged"),
        (not_onnx, "damaged"),
        (fewer_numbers, "3 numbers for its 5 labels"),
        (without_tokenizer, r"lacks judge-tokenizer\.json"),
        (broken_tokenizer, "cannot be read"),
        (broken_about, "cannot be read"),
        (frozen, "temperature"),
        (empty, r"has no config\.json"),
    ],
)
def test_a_judge_of_another_shape_is_refused(
    make: Callable[[Path], Path], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make(tmp_path / "judge")
    with pytest.raises(Unusable, match=says) as refused:
        load(folder)
    assert "the default" not in str(refused.value)
    # With a default, that goes on.
    monkeypatch.setattr(module, "WEIGHTS", tiny.judge_folder(tmp_path / "default"))
    _, note = load_judge(Setup(judge=str(folder), threads=1), print)
    assert "the default goes on" in note


def test_without_one_it_is_absent() -> None:
    with pytest.raises(Unusable, match="no judge is installed"):
        load_judge(Setup(threads=1), print)
