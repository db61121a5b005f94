"""`belie models`: what is there, and changing what is used without touching the rest of the configuration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app import places, settings
from app.models import inventory
from app.models.setup import Setup, chosen
from tests.cli.running import Run
from tests.models import tiny, tiny_gguf


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BELIE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("BELIE_MODELS", raising=False)
    return tmp_path / "home"


@pytest.fixture
def pulled(home: Path) -> Path:
    """As `pull` leaves it."""
    places.models_dir().mkdir(parents=True)
    return tiny_gguf.model(places.models_dir() / "tiny.gguf", width=64)


def used(run: Run) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for model in run("models", "list", "--json").json["models"]:
        if model["used"]:
            found.setdefault(model["role"], []).append(model["name"])
    return found


def test_list_names_every_part_in_words_and_as_json(run: Run, pulled: Path) -> None:
    answer = run("models", "--json")
    assert answer.code == 0 and answer.json["use"] == "embedded"
    roles = {model["role"] for model in answer.json["models"]}
    assert {"judge", "llama"} <= roles <= {"embedder", "judge", "llama", "adapter"}
    tiny = next(m for m in answer.json["models"] if m["name"] == "tiny.gguf")
    assert tiny == {
        "role": "llama", "name": "tiny.gguf", "path": str(pulled), "origin": "pulled",
        "used": False, "bytes": pulled.stat().st_size,
    }  # fmt: skip
    words = run("models", "list")
    assert words.code == 0 and "tiny.gguf" in words.out and "pulled" in words.out


def test_use_a_pulled_file_by_name_and_go_back(run: Run, pulled: Path) -> None:
    assert run("models", "use", "tiny").code == 0
    assert settings.load().models == {"llama": str(pulled)}
    assert used(run)["llama"] == ["tiny.gguf"]
    assert "adapter" not in used(run)
    assert run("models", "use", "embedded", "--threads", "3").code == 0
    assert settings.load().models == {"threads": 3}
    assert run("models", "use", "rules").code == 0
    assert settings.load().models == {"threads": 3, "use": "rules"}
    assert used(run) == {}
    assert "rules read alone" in run("models").out


def test_use_tells_files_and_folders_apart(run: Run, tmp_path: Path) -> None:
    gguf = tiny_gguf.model(tmp_path / "own.gguf", width=64)
    embedder = tiny.sentence_folder(tmp_path / "embedder")
    judge = tiny.judge_folder(tmp_path / "judge")
    neither = tmp_path / "neither"
    neither.mkdir()
    for path in (gguf, embedder, judge):
        assert run("models", "use", path).code == 0
    assert settings.load().models == {"llama": str(gguf), "embedder": str(embedder), "judge": str(judge)}
    for bad, why in (
        (neither, "neither"),
        (tmp_path / "none.gguf", "no model"),
        (judge / "judge.json", "not a GGUF"),
    ):
        answer = run("models", "use", bad)
        assert answer.code == 2 and why in answer.err
    assert run("models", "use", "rules", "--threads", "0").code == 2


def cut_gguf(folder: Path) -> Path:
    file = tiny_gguf.model(folder / "cut.gguf", width=64)
    file.write_bytes(file.read_bytes()[:-1])
    return file


def garbage(folder: Path) -> Path:
    (folder / "garbage.gguf").write_bytes(b"GGUF" + bytes(range(256)))
    return folder / "garbage.gguf"


def adapter(folder: Path) -> Path:
    return tiny_gguf.adapter(folder / "adapter.gguf")


def other_labels(folder: Path) -> Path:
    return tiny.judge_folder(folder / "judge", labels=("yes", "no", "maybe", "later", "never"))


def sentiment(folder: Path) -> Path:
    return tiny.cross_encoder_folder(folder / "sentiment", ("positive", "negative"))


def no_labels(folder: Path) -> Path:
    (folder / "bare").mkdir()
    (folder / "bare" / "config.json").write_text("{}")
    return folder / "bare"


def cut_judge(folder: Path) -> Path:
    onnx = tiny.judge_folder(folder / "judge") / "judge.onnx"
    onnx.write_bytes(onnx.read_bytes()[:2000])
    return onnx.parent


def no_embedder(folder: Path) -> Path:
    (folder / "embedder").mkdir()
    for name, content in (("modules.json", "[]"), ("config.json", "{}")):
        (folder / "embedder" / name).write_text(content)
    return folder / "embedder"


@pytest.mark.parametrize(
    ("build", "why"),
    [
        (cut_gguf, "cut.gguf is damaged: it ends too early"),
        (garbage, "garbage.gguf is damaged"),
        (adapter, "adapter.gguf is an adapter"),
        (other_labels, "other labels (yes, no, maybe, later, never); needed are conflict, outdated,"),
        (sentiment, "other labels (positive, negative)"),
        (no_labels, "names no labels"),
        (cut_judge, "judge.onnx cannot be loaded"),
        (no_embedder, "names no Pooling"),
    ],
)
def test_what_cannot_be_used_is_not_chosen(
    build: Callable[[Path], Path], why: str, run: Run, tmp_path: Path
) -> None:
    file = settings.config_file()
    file.parent.mkdir(parents=True)
    file.write_text("models:\n  threads: 1  # mine\n")
    answer = run("models", "use", build(tmp_path), "--threads", "2")
    assert (answer.code, answer.out) == (2, "")
    assert why in answer.err and "Nothing was changed." in answer.err
    assert "default" not in answer.err
    assert file.read_text() == "models:\n  threads: 1  # mine\n"
    assert not places.log_dir().exists(), "what was only tried is no error of the models in use"


def test_a_judge_that_was_trained_for_nli_is_one(run: Run, tmp_path: Path) -> None:
    nli = tiny.cross_encoder_folder(tmp_path / "nli", ("contradiction", "entailment", "neutral"))
    assert run("models", "use", nli).code == 0
    assert settings.load().models == {"judge": str(nli)}


def test_the_variable_names_a_file_for_one_run(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tiny_gguf.model(tmp_path / "own.gguf", width=64)
    run("models", "use", "rules", "--threads", "3")
    monkeypatch.setenv("BELIE_MODELS", str(own))
    assert used(run)["llama"] == ["own.gguf"]
    setup = chosen(settings.load().models)
    assert setup is not None and (setup.llama, setup.threads) == (str(own), 3)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BELIE_MODELS", "own.gguf")
    assert chosen({}) == Setup(llama=str(own))
    for value in ("embedded", ""):
        monkeypatch.setenv("BELIE_MODELS", value)
        assert chosen({"llama": "/a.gguf"}) == Setup(llama="/a.gguf")
    monkeypatch.setenv("BELIE_MODELS", "rules")
    assert chosen({}) is None and chosen({}, "own.gguf") == Setup(llama=str(own))


def test_a_file_that_the_variable_names_in_vain_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file, why in ((cut_gguf(tmp_path), "ends too early"), (tmp_path / "none.gguf", "No such file")):
        monkeypatch.setenv("BELIE_MODELS", str(file))
        answer = run("normalize", "back door alarm 7719 or so", "--json")
        assert (answer.code, answer.json["by"]) == (0, "rules")
        assert str(file) in answer.err and why in answer.err


def test_remove_deletes_pulled_files_only(run: Run, pulled: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(b"GGUF")
    for name in (str(own), "own.gguf", "../own.gguf", "SmolLM2-135M-Instruct.Q4_1"):
        answer = run("models", "remove", name)
        assert answer.code == 2 and "only pulled files" in answer.err
    assert own.exists()
    run("models", "use", "tiny.gguf")
    answer = run("models", "remove", "tiny.gguf")
    assert answer.code == 0 and "It was in use" in answer.out
    assert not pulled.exists() and settings.load().models == {}


def test_pull_without_a_connection_is_refused(run: Run, home: Path) -> None:
    answer = run("models", "pull", "http://127.0.0.1:9/model.gguf")
    assert answer.code == 2 and "cannot be reached" in answer.err
    assert inventory.pulled() == []


def test_the_rest_of_the_configuration_stays_as_written(run: Run, pulled: Path) -> None:
    file = settings.config_file()
    file.parent.mkdir(parents=True)
    file.write_text(
        "# mine\ntheme: paper   # the light one\n\nmodels:\n  threads: 2\n  # old\n  use: rules\n\n"
        "# keys I like\nkeys:\n  quit: x\n"
    )
    run("models", "use", "tiny")
    text = file.read_text()
    assert text.startswith("# mine\ntheme: paper   # the light one\n\nmodels:\n")
    assert text.endswith("\n\n# keys I like\nkeys:\n  quit: x\n")
    assert settings.load().models == {"threads": 2, "llama": str(pulled)}
