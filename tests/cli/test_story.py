"""`belie story`: oldest first, filtered, as of a day, as known at one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.cli.story import end_of
from tests.cli.running import Run
from tests.robust.building import write

NOTES = {
    "2025-03-01.md": "The orders database is Postgres 14.\n",
    "2026-02-01.md": "The orders database moved from Postgres 14 to Postgres 17.\n",
    "Rent.md": "The flat's rent is 900 euros until May 2025.\n\n"
    "The flat's rent is 950 euros from June 2025.\n",
    "Limits.md": "The timeout is 30 seconds in prod.\n\nThe timeout is 60 seconds in staging.\n",
}


@pytest.fixture
def dated(tmp_path: Path) -> Path:
    return write(tmp_path / "dated", NOTES)


def told(run: Run, vault: Path, *options: str) -> list[str]:
    answer = run("story", "--vault", vault, "--json", *options)
    assert (answer.code, answer.err) == (0, "")
    return [c["text"] for c in answer.json["claims"]]


def test_the_story_is_told_oldest_first_undated_last(run: Run, dated: Path) -> None:
    texts = told(run, dated)
    assert texts[0] == "The orders database is Postgres 14."
    assert len(texts) == 6
    words = run("story", "--vault", dated)
    assert words.out.splitlines()[0].startswith("2025-03-01  ")
    assert words.out.splitlines()[-1].startswith("undated")
    assert run("story", "--vault", dated) == words


def test_by_subject_and_by_scope(run: Run, dated: Path) -> None:
    assert len(told(run, dated, "--subject", "ORDERS")) == 2
    assert told(run, dated, "--scope", "env=prod") == ["The timeout is 30 seconds in prod."]
    assert told(run, dated, "--scope", "env=production") == ["The timeout is 30 seconds in prod."]
    assert told(run, dated, "--scope", "env=prod", "--subject", "orders") == []
    assert "No claim fits" in run("story", "--vault", dated, "--subject", "zebra").out


def test_as_of_a_day_later_claims_and_other_windows_are_left_out(run: Run, dated: Path) -> None:
    early, late = (told(run, dated, "--as-of", day) for day in ("2025-04-01", "2026-03-01"))
    assert "The flat's rent is 900 euros until May 2025." in early
    assert "The flat's rent is 950 euros from June 2025." not in early
    assert not any("Postgres 17" in text for text in early)
    assert "The flat's rent is 900 euros until May 2025." not in late
    assert any("Postgres 17" in text for text in late)


def test_as_known_before_a_note_was_changed(run: Run, vault: Path) -> None:
    run("check", vault)
    between = datetime.now(UTC).isoformat()
    write(vault, {"Garage.md": "The garage door code is 5522.\n"})
    now = told(run, vault)
    assert "The garage door code is 5522." in now
    then = told(run, vault, "--known-at", between)
    assert "The garage door code is 4411." in then and "The garage door code is 5522." not in then
    assert told(run, vault, "--known-at", "2001-01-01") == []
    tomorrow = (datetime.now() + timedelta(days=1)).date().isoformat()
    assert told(run, vault, "--known-at", tomorrow) == now
    assert told(run, vault, "--known-at", between, "--subject", "attic") == []


def test_what_is_disputed_and_superseded_is_marked(run: Run, vault: Path) -> None:
    assert run("story", "--vault", vault).out.count("⚠") == 2
    (conflict,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    run("conflicts", "resolve", conflict["id"], "--winner", conflict["members"][0]["claim"], "--vault", vault)
    after = run("story", "--vault", vault).out
    assert "⚠" not in after and after.count("(superseded)") == 1


def test_the_end_of_a_day_is_the_persons_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert end_of("2026-06-30") == "2026-06-30T23:59:59.999999+00:00"
    assert end_of("2026-06-30T18:00") == "2026-06-30T18:00:00.000000+00:00"
    assert end_of("2026-06-30T18:00+02:00") == "2026-06-30T16:00:00.000000+00:00"


@pytest.mark.parametrize(
    "options",
    [
        ("--as-of", "soon"),
        ("--known-at", "soon"),
        ("--scope", "prod"),
        ("--scope", "colour=red"),
        ("--scope", "env="),
    ],
)
def test_what_is_no_date_or_scope(run: Run, vault: Path, options: tuple[str, str]) -> None:
    answer = run("story", "--vault", vault, *options)
    assert (answer.code, answer.out) == (2, "")
    assert options[1] in answer.err
