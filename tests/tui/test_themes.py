"""Themes are data: ours are whole, a broken one is skipped and said, the person's own count."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color

from app import places
from app.tui import themes
from tests.tui.conftest import Opener
from tests.tui.world import World

OURS = {"dark", "light", "paper", "high-contrast", "colour-blind-safe"}
GOOD = 'dark: true\ncolours:\n  primary: "#336699"\n'


def luminance(colour: str) -> float:
    parts = [channel / 255 for channel in Color.parse(colour).rgb]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_ours_are_all_there_and_whole() -> None:
    loaded = themes.load([places.themes_dir()])
    assert set(loaded.found) == OURS
    assert loaded.notices == ()
    for theme in loaded.found.values():
        assert set(theme.variables) == {"line", "muted", "cursor", "mark", "mark-text"}


@pytest.mark.parametrize("name", sorted(OURS))
def test_text_can_be_read_on_its_ground(name: str) -> None:
    theme = themes.load([places.themes_dir()]).found[name]
    least = 7.0 if name == "high-contrast" else 4.5
    assert theme.background is not None and theme.foreground is not None
    for colour in (theme.foreground, theme.primary, theme.warning, theme.error, theme.secondary):
        assert colour is not None
        assert contrast(colour, theme.background) >= least, colour
    assert contrast(theme.variables["muted"], theme.background) >= min(least, 4.0)
    assert contrast(theme.variables["mark-text"], theme.variables["mark"]) >= 4.5
    assert contrast(theme.foreground, theme.variables["cursor"]) >= 4.5


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("just words", "no colours"),
        ("colours: [", "not YAML"),
        ("dark: 3\ncolours: {primary: red}", "true or false"),
        ("colours: {}", "lacks the colour `primary`"),
        ("colours: {primary: notacolour}", "is no colour"),
        ("colours: {primary: red, sparkle: blue}", "no colour “sparkle”"),
        ("colours: {primary: red}\nfont: big", "“font”"),
        ("colours: {primary: null}", "is no colour"),
        ("!!python/object/apply:os.system ['true']", "not YAML"),
        ("x" * 70_000, "too large"),
    ],
)
def test_a_broken_theme_is_left_out_and_said(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(text)
    loaded = themes.load([tmp_path])
    assert set(loaded.found) == {"good"}
    assert len(loaded.notices) == 1
    assert "bad.yaml" in loaded.notices[0] and why in loaded.notices[0]


def test_a_theme_that_has_not_changed_is_not_read_again(
    tmp_path: Path, belie_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(GOOD)
    first = themes.read(file)
    with monkeypatch.context() as without:
        without.setattr(themes, "_fields", lambda _: pytest.fail("it was kept"))
        assert themes.read(file) == first
    file.write_text(GOOD.replace("#336699", "#993366"))
    assert themes.read(file).primary == "#993366"
    for kept in (belie_home / "cache" / "themes").iterdir():
        kept.write_text("{torn")
    assert themes.read(file).primary == "#993366"


async def test_the_persons_own_themes_and_broken_ones_reach_the_workspace(
    sit: Opener, one: World, belie_home: Path
) -> None:
    folder = belie_home / "config" / "themes"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(GOOD)
    (folder / "torn.yaml").write_text("colours: [")
    async with sit(one, theme="mine") as seat:
        assert seat.app.theme == "mine"
        assert any("torn.yaml was left out" in toast for toast in seat.toasts)


async def test_an_unknown_theme_falls_back_with_a_notice(sit: Opener, one: World) -> None:
    async with sit(one, theme="no-such") as seat:
        assert seat.app.theme == "dark"
        assert any("no theme “no-such”" in toast for toast in seat.toasts)


async def test_the_theme_key_goes_round_all_of_them(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        seen = []
        for _ in OURS:
            await seat.press("T")
            seen.append(seat.app.theme)
        assert set(seen) == OURS
        assert seat.app.theme == "dark"
