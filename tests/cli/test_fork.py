"""`belie fork`, and `--fork` on the commands that look and decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.robust.building import contents


@pytest.fixture
def disputed(
    run: Run, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, str, list[str]]:
    """The vault, its conflict, and the members."""
    monkeypatch.setenv("BELIE_HOME", str(tmp_path / "home"))
    (found,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    return vault, found["id"], [m["claim"] for m in found["members"]]


def test_decide_otherwise_look_and_apply(run: Run, disputed: tuple[Path, str, list[str]]) -> None:
    vault, id, (first, second) = disputed
    notes = contents(vault)
    assert "Fork other, from event" in run("fork", "new", "other", "--vault", vault).out
    decided = run("conflicts", "resolve", id, "--winner", second, "--fork", "other", "--vault", vault)
    assert "belie undo --fork other takes it back" in decided.out
    assert run("conflicts", "--fork", "other", "--vault", vault, "--json").json == {"conflicts": []}
    assert len(run("conflicts", "--vault", vault, "--json").json["conflicts"]) == 1
    story = run("story", "--fork", "other", "--vault", vault, "--json").json["claims"]
    assert {c["claim"]: c["status"] for c in story} == {first: "superseded", second: "active"}

    told = run("fork", "diff", "other", "--vault", vault, "--json").json
    assert [d["action"] for d in told["decisions"]] == ["kept"]
    assert [(c["id"], c["fork"], c["present"]) for c in told["conflicts"]] == [
        (id, f"resolved: kept, for {second}", "open")
    ]
    assert [(c["claim"], c["present"]) for c in told["claims"]] == [(first, "active")]
    assert "present  open" in run("fork", "diff", "other", "--vault", vault).out
    assert run("fork", "--vault", vault, "--json").json["forks"][0]["decisions"] == 1

    applied = run("fork", "apply", "other", "--vault", vault)
    assert "1 applied, 0 refused; the fork is gone." in applied.out
    assert run("conflicts", "--vault", vault, "--json").json == {"conflicts": []}
    assert "No forks." in run("fork", "--vault", vault).out
    assert contents(vault) == notes


def test_what_no_longer_fits_is_refused_and_the_fork_stays(
    run: Run, disputed: tuple[Path, str, list[str]]
) -> None:
    vault, id, _ = disputed
    run("fork", "new", "other", "--vault", vault)
    run("conflicts", "dismiss", id, "--reason", "two doors", "--fork", "other", "--vault", vault)
    run("conflicts", "dismiss", id, "--reason", "two garages", "--vault", vault)
    out = run("fork", "apply", "other", "--vault", vault).out
    assert f"refused  dismissed {id}: {id} was dismissed already." in out
    assert "0 applied, 1 refused; the fork stays." in out
    assert "Fork other is gone." in run("fork", "discard", "other", "--vault", vault).out


def test_from_a_point_of_the_past(run: Run, disputed: tuple[Path, str, list[str]]) -> None:
    vault, id, (first, _) = disputed
    event = run("conflicts", "resolve", id, "--winner", first, "--vault", vault, "--json").json["event"]
    run("fork", "new", "before", "--at", str(event - 1), "--vault", vault)
    assert len(run("conflicts", "--fork", "before", "--vault", vault, "--json").json["conflicts"]) == 1
    run("fork", "new", "long-ago", "--at", "2020-01-01", "--vault", vault)
    assert run("story", "--fork", "long-ago", "--vault", vault, "--json").json["claims"] == []
    run("fork", "new", "now", "--at", "2999-01-01", "--vault", vault)
    assert "Nothing is otherwise." in run("fork", "diff", "now", "--vault", vault).out


def test_names_that_are_none(run: Run, disputed: tuple[Path, str, list[str]]) -> None:
    vault = disputed[0]
    for arguments in (
        ("fork", "new", "../.."),
        ("fork", "diff", "absent"),
        ("fork", "apply", "absent"),
        ("fork", "discard", "absent"),
        ("fork", "new", "x", "--at", "soon"),
        ("fork", "new", "x", "--at", "99999"),
        ("conflicts", "--fork", "absent"),
        ("undo", "--fork", "absent"),
    ):
        answer = run(*arguments, "--vault", vault)
        assert answer.code == 2 and answer.err.startswith("belie: "), arguments
    assert run("fork", "--vault", vault, "--json").json == {"forks": []}
