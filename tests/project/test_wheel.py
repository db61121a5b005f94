"""The built wheel works by itself: its own package, its own themes, its own sample vault."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


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


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    """An empty environment with the wheel in it, borrowing only the dependencies from this one."""
    home = tmp_path / "env"
    venv.create(home, with_pip=False)
    install = run(
        sys.executable, "-m", "pip", "--python", home / "bin" / "python", "install",
        "--no-deps", "--no-index", "--quiet", wheel, cwd=tmp_path,
    )  # fmt: skip
    assert install.returncode == 0, install.stderr
    (packages,) = home.glob("lib/python*/site-packages")
    # A path file's line joins sys.path after the environment's own packages, and the path files standing
    # in there (the checkout's editable install is one) are not read.
    borrowed = dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))
    (packages / "borrowed.pth").write_text("\n".join(borrowed) + "\n")
    return home


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


def test_the_demo_reports_on_the_installed_sample_vault(installed: Path, tmp_path: Path) -> None:
    # Two notes that stand in no other vault: only a report on this very copy can speak of them.
    (sample,) = installed.glob("lib/python*/site-packages/app/_data/sample_vault")
    (sample / "Quarry One.md").write_text("---\ndate: 2026-02-01\n---\n\nThe quarry padlock code is 4417.\n")
    (sample / "Quarry Two.md").write_text("---\ndate: 2026-02-02\n---\n\nThe quarry padlock code is 9035.\n")
    outcome = run(installed / "bin" / "belie", "--demo", cwd=tmp_path)
    assert outcome.returncode in (0, 1), outcome.stderr
    assert "4417" in outcome.stdout and "9035" in outcome.stdout, outcome.stdout + outcome.stderr
