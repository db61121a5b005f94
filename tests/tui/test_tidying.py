"""Garbage is looked for while the keys rest."""

from __future__ import annotations

import gc

import pytest

from tests.tui.conftest import Opener
from tests.tui.world import World


async def test_a_whole_search_waits_until_the_keys_rest(
    sit: Opener, many: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = gc.get_threshold()
    async with sit(many) as seat:
        assert gc.get_threshold()[:2] == usual[:2], "small searches take no time"
        assert gc.get_threshold()[2] > usual[2], "Python makes no whole one by itself"
        monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 20))
        monkeypatch.setattr("app.tui.garbage.REST_SECONDS", 3600.0)
        await seat.press("j")
        assert not seat.app.garbage.tidy(), "a key came just now"
        monkeypatch.setattr("app.tui.garbage.REST_SECONDS", -1.0)
        assert seat.app.garbage.tidy()
        monkeypatch.setattr("app.tui.garbage.REST_SECONDS", 3600.0)
        monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 401))
        assert seat.app.garbage.tidy(), "not put off for ever"
        monkeypatch.undo()
    assert gc.get_threshold() == usual
