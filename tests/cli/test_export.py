"""`belie export` and `belie import`: out of one store, into an empty one; conflicts for a spreadsheet."""

from __future__ import annotations

import csv
import io
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from app import places
from tests.cli.running import Run
from tests.robust.building import COMMAND, PROJECT, belie, write

LONG_AGO = 1_500_000_000_000_000_000


def test_there_and_back(run: Run, vault: Path, tmp_path: Path) -> None:
    for note in vault.iterdir():
        os.utime(note, ns=(LONG_AGO, LONG_AGO))  # a file just saved is looked at once more
    (conflict,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    run("conflicts", "dismiss", conflict["id"], "--reason", "two doors", "--vault", vault)
    file = tmp_path / "belie.jsonl"
    assert run("export", "--out", file, "--vault", vault).code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert run("export", "--jsonl", "-", "--vault", vault).out == file.read_text()
    refused = run("import", file, "--vault", vault)
    assert (refused.code, "not empty" in refused.err) == (2, True)
    before = run("conflicts", "show", conflict["id"], "--vault", vault, "--json").json
    for path in places.store_path(vault).parent.glob(f"{places.store_path(vault).name}*"):
        path.unlink()
    answer = run("import", file, "--vault", vault)
    assert (answer.code, "Imported" in answer.out) == (0, True)
    assert run("conflicts", "show", conflict["id"], "--vault", vault, "--json").json == before
    assert run("undo", "--vault", vault).code == 0
    assert run("doctor", vault).code == 0


def test_from_stdin(vault: Path, tmp_path: Path) -> None:
    out = belie("export", "--vault", vault).out
    (tmp_path / "e.jsonl").write_text(out)
    home = tmp_path / "home"
    answer = belie("import", tmp_path / "e.jsonl", "--vault", vault, "--json", BELIE_HOME=str(home))
    assert answer.json["claims"] == 2


def test_conflicts_as_a_table(run: Run, tmp_path: Path) -> None:
    root = write(
        tmp_path / "v",
        {"=A.md": "The garage door code is 4411.\n", "B.md": "The garage door code is 0087.\n"},
    )
    (conflict,) = run("conflicts", "--vault", root, "--json").json["conflicts"]
    (row,) = csv.DictReader(io.StringIO(run("export", "--csv", "--vault", root).out))
    assert (row["id"], row["status"], row["kind"]) == (conflict["id"], "open", "disagreement")
    assert "=A.md:1 The garage door code is 4411." in row["members"]
    file = tmp_path / "c.csv"
    run("export", "--csv", file, "--vault", root)
    assert file.read_text() == run("export", "--csv", "--vault", root).out


def test_a_cell_is_no_formula(run: Run, tmp_path: Path) -> None:
    root = write(
        tmp_path / "v",
        {"A.md": "=1+1 is the code of the gate.\n\nThe =x code is 1.\n", "B.md": "The =x code is 2.\n"},
    )
    for row in csv.reader(io.StringIO(run("export", "--csv", "--vault", root).out)):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe", b"{}\n", b"hello\n"])
def test_what_cannot_be_imported(run: Run, vault: Path, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "e.jsonl"
    if content is not None:
        file.write_bytes(content)
    answer = run("import", file, "--vault", vault)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("belie: ")


def test_who_reads_only_the_beginning_sees_no_error(vault: Path) -> None:
    """`belie export | head -1`, of more than a pipe holds."""
    write(vault, {f"Log {n}.md": "The tide was high and the wind was low.\n" * 40 for n in range(20)})
    command = f"{shlex.join(COMMAND)} export --vault {shlex.quote(str(vault))} | head -1"
    done = subprocess.run(command, shell=True, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.stdout.startswith('{"belie"')
    assert done.stderr == ""
