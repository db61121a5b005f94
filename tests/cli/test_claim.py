"""`belie claim`: one claim with its norm, its history and its conflicts."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import Run
from tests.robust.building import write


def ids(run: Run, vault: Path) -> dict[str, str]:
    return {c["text"]: c["claim"] for c in run("story", "--vault", vault, "--json").json["claims"]}


def test_the_json_of_a_claim(run: Run, vault: Path) -> None:
    id = ids(run, vault)["The garage door code is 4411."]
    found = run("claim", id, "--vault", vault, "--json").json
    place = (found["claim"], found["path"], found["line"], found["quote"])
    assert place == (id, "Garage.md", 1, "The garage door code is 4411.")
    assert (found["status"], found["layer"], found["trust"]) == ("active", "memory", 1)
    (norm,) = found["norms"]
    assert (norm["subject"], norm["value"], norm["modality"]) == ("garage door code", "4411", "is")
    (conflict,) = found["conflicts"]
    assert id in {m["claim"] for m in conflict["members"]}
    assert [(e["action"], e["who"]) for e in found["history"]] == [("added", "belie")]


def test_a_claim_in_words_after_a_decision(run: Run, vault: Path) -> None:
    known = ids(run, vault)
    winner, loser = known["The garage door code is 0087."], known["The garage door code is 4411."]
    (conflict,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    run("conflicts", "resolve", conflict["id"], "--winner", winner, "--vault", vault)
    words = run("claim", loser.upper(), "--vault", vault)
    assert words.code == 0
    assert f"superseded by  {winner}" in words.out
    for part in ("Garage.md:1", "garage door code", conflict["id"], "resolved", "added", "superseded"):
        assert part in words.out
    assert run("claim", loser, "--vault", vault) == words


def test_a_claim_says_which_more_trusted_ones_it_stands_against(run: Run, vault: Path) -> None:
    write(vault, {"House.md": "---\ntrust: canon\n---\nThe garage door code is 0087.\n"})
    known = ids(run, vault)
    lower, higher = known["The garage door code is 4411."], known["The garage door code is 0087."]
    assert run("claim", lower, "--vault", vault, "--json").json["conflicts_with"] == [higher]
    assert f"against  {higher}, trusted more" in run("claim", lower, "--vault", vault).out
    assert run("claim", higher, "--vault", vault, "--json").json["conflicts_with"] == []
    assert "trusted more" not in run("claim", higher, "--vault", vault).out


def test_a_claim_that_left_its_note_is_still_told(run: Run, vault: Path) -> None:
    id = ids(run, vault)["The garage door code is 4411."]
    write(vault, {"Garage.md": "The garage door code is 5522.\n"})
    found = run("claim", id, "--vault", vault, "--json").json
    assert found["status"] == "retracted"
    assert found["history"][-1]["action"] == "edit"
    new = ids(run, vault)["The garage door code is 5522."]
    assert run("claim", new, "--vault", vault, "--json").json["previous"] == id


def test_a_claim_that_is_not_there(run: Run, vault: Path) -> None:
    answer = run("claim", "nobody", "--vault", vault)
    assert (answer.code, answer.out, answer.err) == (2, "", "belie: There is no claim nobody.\n")
