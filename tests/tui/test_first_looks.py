"""How a first start looks: which vault, and the first reading."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app.pipeline.messages import Indexed, Message, Progress, Trouble, Watching
from app.recent import remember
from app.tui.app import Workspace
from app.tui.screens.first_look import FirstLook
from tests.tui.looking import OLDEST_PYTHON, THREE, Camera, camera, made, typed
from tests.tui.real import NOTES
from tests.tui.world import NOW, READY, ScriptedWorker, empty_world, many_conflicts, quiet_world

__all__ = ["camera", "made"]
pytestmark = OLDEST_PYTHON

READING: tuple[Message, ...] = (Watching("watching"), Progress("reading", 212, 480))
ENDED: tuple[Message, ...] = (Indexed(1, 2, 3, 4),)


def vault(folder: Path, name: str) -> Path:
    for path, text in NOTES.items():
        file = folder / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder / name


def unopened() -> Workspace:
    app = Workspace(None, None, lambda *_: ScriptedWorker(*READY), now=NOW)
    app.animation_level = "none"
    return app


@pytest.mark.parametrize("size", THREE)
def test_nothing_was_opened_before(camera: Camera, size: str) -> None:
    assert camera.sees_app(unopened(), size)


@pytest.mark.parametrize("size", THREE)
def test_vaults_were_opened_before(camera: Camera, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("Allotment", "Old notes", "Skerrow"):
        remember(vault(camera.folder / "notes", name))
    monkeypatch.chdir(vault(camera.folder, "Thesis"))
    assert camera.sees_app(unopened(), size, ("j",))


@pytest.mark.parametrize("size", THREE)
def test_obsidian_knows_vaults(camera: Camera, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(camera.folder / "config"))
    known = [vault(camera.folder, name) for name in ("Commonplace book", "Skerrow")]
    listed = {str(n): {"path": str(path), "ts": n} for n, path in enumerate(known)}
    (camera.folder / "config" / "obsidian").mkdir(parents=True)
    (camera.folder / "config" / "obsidian" / "obsidian.json").write_text(json.dumps({"vaults": listed}))
    assert camera.sees_app(unopened(), size, ("tab",))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        pytest.param("~/Skerrow", (), id="there"),
        pytest.param("~/empty", (), id="without-notes"),
        pytest.param("~/none", ("enter",), id="refused"),
    ],
)
def test_a_folder_is_typed(camera: Camera, text: str, keys: tuple[str, ...]) -> None:
    vault(camera.folder, "Skerrow")
    (camera.folder / "empty").mkdir()
    assert camera.sees_app(unopened(), "normal", (*(k if k != "~" else "tilde" for k in typed(text)), *keys))


@pytest.mark.parametrize(
    ("make", "size", "words"),
    [
        pytest.param(empty_world, "normal", (), id="begins"),
        *(pytest.param(many_conflicts, size, READING, id=f"reading-{size}") for size in THREE),
        pytest.param(many_conflicts, "normal", (Progress("judging", 30, 90),), id="weighing"),
        *(pytest.param(many_conflicts, size, ENDED, id=f"ended-{size}") for size in THREE),
        pytest.param(quiet_world, "normal", ENDED, id="ended-in-peace"),
        pytest.param(empty_world, "narrow", (Trouble("The disk is gone.", fatal=True),), id="trouble"),
    ],
)
def test_the_first_reading(camera: Camera, make, size: str, words: tuple[Message, ...]) -> None:
    async def watched(pilot: Pilot[int]) -> None:
        app = pilot.app
        assert isinstance(app, Workspace) and isinstance(app.session.worker, ScriptedWorker)
        await app.push_screen(FirstLook())
        for word in words:
            app.session.worker.say(word)

    assert camera.sees(make, size, (), Watching("watching"), then=watched)
