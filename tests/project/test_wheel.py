"""The built wheel works by itself: its own package, its own themes, its own sample vault."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.models.real import needs_llama
from tests.terminal.tmux import terminal

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    "torch", "transformers", "sentence_transformers", "tokenizers", "huggingface_hub", "onnx",
    "llama_cpp_python",
}  # fmt: skip


def run(
    *command: str | Path, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    # Nothing of the checkout may leak in: neither its path nor its folder.
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=clean | (env or {}), capture_output=True, text=True, check=False
    )


def shipped(folder: str) -> set[str]:
    return {
        file.relative_to(ROOT / folder).as_posix() for file in (ROOT / folder).rglob("*") if file.is_file()
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    built = run(
        sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT, cwd=out
    )  # fmt: skip
    assert built.returncode == 0, built.stdout + built.stderr
    (made,) = out.glob("belie-*.whl")
    return made


def own_packages(home: Path) -> Path:
    (found,) = home.glob("lib/python*/site-packages")
    return found


def pip(home: Path, *arguments: str | Path, env: dict[str, str] | None = None) -> None:
    outcome = run(
        sys.executable, "-m", "pip", "--python", home / "bin" / "python", "--disable-pip-version-check",
        "install", "--quiet", "--no-compile", *arguments, cwd=home, env=env,
    )  # fmt: skip
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """An environment with nothing in it, not even pip."""
    home = tmp_path / "env"
    venv.create(home, with_pip=False)
    return home


@pytest.fixture
def borrowing(empty: Path) -> Path:
    """One that borrows the packages of this one. A path file's line joins sys.path after the environment's
    own packages, and the path files in there (the checkout's editable install is one) are not read."""
    borrowed = dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))
    (own_packages(empty) / "borrowed.pth").write_text("\n".join(borrowed) + "\n")
    return empty


@pytest.fixture
def installed(wheel: Path, borrowing: Path) -> Path:
    """The wheel itself, and everything else borrowed."""
    pip(borrowing, "--no-deps", "--no-index", "--force-reinstall", wheel)
    return borrowing


def test_the_wheel_carries_the_themes_the_sample_and_the_licence_but_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert shipped("themes")
    assert any(note.endswith(".md") for note in shipped("sample_vault"))
    assert {f"app/_data/themes/{name}" for name in shipped("themes")} <= names
    assert {f"app/_data/sample_vault/{name}" for name in shipped("sample_vault")} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"app", "belie"}
    assert not [name for name in names if "test" in name.lower() or "__pycache__" in name]


def test_the_installed_package_finds_its_own_folders(installed: Path, tmp_path: Path) -> None:
    show = "from app import places; print(places.themes_dir(), places.sample_vault(), sep='\\n')"
    outcome = run(installed / "bin" / "python", "-c", show, cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    themes, sample = map(Path, outcome.stdout.splitlines())
    assert themes.is_relative_to(installed) and sample.is_relative_to(installed)
    assert any(themes.glob("*.yaml"))
    assert any(sample.rglob("*.md"))


def test_the_man_page_is_installed_where_man_looks(installed: Path) -> None:
    page = installed / "share" / "man" / "man1" / "belie.1"
    assert page.read_bytes() == (ROOT / "docs" / "belie.1").read_bytes()


def test_the_demo_reports_on_the_installed_sample_vault(installed: Path, tmp_path: Path) -> None:
    # Two notes that stand in no other vault: only a report on this very copy can speak of them.
    (sample,) = installed.glob("lib/python*/site-packages/app/_data/sample_vault")
    (sample / "Quarry One.md").write_text("---\ndate: 2026-02-01\n---\n\nThe quarry padlock code is 4417.\n")
    (sample / "Quarry Two.md").write_text("---\ndate: 2026-02-02\n---\n\nThe quarry padlock code is 9035.\n")
    outcome = run(installed / "bin" / "belie", "--demo", cwd=tmp_path)
    assert outcome.returncode in (0, 1), outcome.stderr
    assert "4417" in outcome.stdout and "9035" in outcome.stdout, outcome.stdout + outcome.stderr


class Program:
    """An installed Belie, with models, at work on a vault of its own."""

    def __init__(self, home: Path, tmp_path: Path) -> None:
        self.home = home
        self.vault = shutil.copytree(ROOT / "sample_vault", tmp_path / "vault")
        self._cwd = tmp_path

    def __call__(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return run(self.home / "bin" / "belie", *arguments, cwd=self._cwd, env={"BELIE_MODELS": "embedded"})

    def doctor(self) -> dict[str, Any]:
        outcome = self("doctor", self.vault, "--json")
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr
        answer: dict[str, Any] = json.loads(outcome.stdout)["models"]
        return answer

    def checks_and_judges(self) -> None:
        outcome = self("check", self.vault, "--json")
        assert (outcome.returncode, outcome.stderr) == (1, "")
        assert len(json.loads(outcome.stdout)["conflicts"]) > 15
        outcome = self("judge", "The garage door code is 4411.", "The garage door code is 0087.")
        assert (outcome.returncode, outcome.stderr) == (1, "")
        assert re.search(r"^  aligned ", outcome.stdout, re.MULTILINE)  # by the parser
        assert re.search(r"^  judge ", outcome.stdout, re.MULTILINE)

    def opens(self) -> None:
        """One frame of the workspace, in a real terminal."""
        given = {"BELIE_HOME": os.environ["BELIE_HOME"], "BELIE_MODELS": "rules"}
        with terminal() as window:
            window.start([str(self.home / "bin" / "belie"), str(self.vault)], (100, 30), given)
            window.until(lambda: "Lifejackets are serviced" in window.screen(), "the first conflict")
            window.press("q")
            window.until(lambda: window.exit_code() is not None, "the end")
            assert window.exit_code() == 0


def megabytes(folder: Path) -> float:
    """Without bytecode, which is written as it is needed."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc")
    return sum(file.stat().st_size for file in files) / 1e6


@pytest.mark.terminal
def test_an_empty_environment_gets_parser_embeddings_judge_and_workspace(
    wheel: Path, empty: Path, tmp_path: Path
) -> None:
    pip(empty, wheel)
    names = {path.name.split("-")[0].lower() for path in own_packages(empty).glob("*.dist-info")}
    assert {"belie", "spacy", "onnxruntime"} <= names
    assert names.isdisjoint(HEAVY)
    assert megabytes(empty) < 450

    program = Program(empty, tmp_path)
    program.checks_and_judges()
    found = program.doctor()
    states = {name: part["state"] for name, part in found["try"].items()}
    assert states == {"embedder": "ready", "judge": "ready", "llama": "absent"}
    ways = {row["name"]: row["get"] for row in found["additions"] if not row["there"]}
    assert ways["large-judge"] == "belie models pull large-judge"
    for extra in ("llama", "sentence-transformers"):
        assert f'-m pip install "belie[{extra}] @ file:' in ways[extra]
    program.opens()


@pytest.mark.terminal
@needs_llama
def test_with_all_extras_the_language_model_reads_too(wheel: Path, borrowing: Path, tmp_path: Path) -> None:
    """The large packages are those of this environment: pip finds that they are what the extras ask for."""
    links = [os.environ.get("PIP_FIND_LINKS", ""), str(Path.home() / ".cache/belie/wheels")]
    pip(borrowing, f"belie[all] @ {wheel.as_uri()}", env={"PIP_FIND_LINKS": " ".join(filter(None, links))})
    program = Program(borrowing, tmp_path)
    program.checks_and_judges()
    found = program.doctor()
    assert {part["state"] for part in found["try"].values()} == {"ready"}
    assert {row["name"] for row in found["additions"] if not row["there"]} <= {"large-judge"}
    program.opens()


def test_the_wheel_is_small_enough_to_fetch(wheel: Path) -> None:
    assert wheel.stat().st_size < 60e6
