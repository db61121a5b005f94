"""Every command that writes, each with the vault and store it finds, to be interrupted at any moment."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app import places
from app.cli.commands import COMMANDS
from app.cli.main import entry
from app.reading.parser import parse
from app.store.decision_copy import copy_path
from app.store.store import Store
from app.words import Conflict
from tests.robust.building import write
from tests.robust.settling import ROOMS, generate

Before = Callable[["Stage"], None]


@dataclass(frozen=True)
class Stage:
    """A vault and Belie's own folder, put back to the same state before every command."""

    folder: Path

    @property
    def vault(self) -> Path:
        return self.folder / "vault"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def store(self) -> Path:
        return places.store_path(self.vault)

    @property
    def _kept(self) -> Path:
        return self.folder / "as it was"

    def keep(self) -> None:
        for name in ("vault", "home"):
            shutil.copytree(self.folder / name, self._kept / name, symlinks=True)

    def put_back(self) -> None:
        for name in ("vault", "home"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            shutil.copytree(self._kept / name, self.folder / name, symlinks=True)


@dataclass(frozen=True)
class Writing:
    """A command that writes; `before` makes what it needs to find."""

    name: str
    words: tuple[str, ...]
    before: Before = lambda stage: None


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, or minus the signal."""

    code: int
    out: str
    err: str


def start(stage: Stage, words: tuple[str, ...]) -> int:
    """Run a command in a process of its own, with everything imported already; returns its id."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    try:
        for number, name in ((1, "out"), (2, "err")):
            handle = os.open(stage.folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(handle, number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout = os.fdopen(1, "w")  # whatever the parent has put in their place
        sys.stderr = os.fdopen(2, "w", buffering=1)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started us may ignore it
        os.chdir(stage.folder)
        sys.argv = ["belie", *words]
        entry()
    except SystemExit as ended:
        sys.stdout.flush()
        os._exit(int(ended.code or 0))
    finally:
        os._exit(99)


def wait(stage: Stage, child: int) -> Ended:
    _, status = os.waitpid(child, 0)
    said = [(stage.folder / name).read_text("utf-8", "replace") for name in ("out", "err")]
    return Ended(os.waitstatus_to_exitcode(status), *said)


def run(stage: Stage, *words: str) -> Ended:
    return wait(stage, start(stage, words))


def must(stage: Stage, *words: str) -> Ended:
    done = run(stage, *words)
    assert done.code in (0, 1), (words, done)
    return done


def load_everything() -> None:
    """Import what commands import and load the parser, so that a command does nothing but its own work."""
    for command in COMMANDS.values():
        importlib.import_module(f"app.cli.{command.module}")
    parse(["The door is green."])


def make_stage(folder: Path) -> Stage:
    """Contradictions about rooms, some of them settled, one written back, a draft, a fork and an export."""
    load_everything()
    stage = Stage(folder)
    os.environ["BELIE_HOME"] = str(stage.home)
    os.environ["BELIE_MODELS"] = "rules"
    generate(stage.vault)
    write(
        stage.vault,
        {
            "Draft.md": "---\nstatus: draft\n---\nThe mooring chain is 12 mm thick.\n",
            "Rules.md": "---\ntrust: canon\n---\nNever work the trestles alone.\n",
        },
    )
    vault = ("--vault", str(stage.vault))
    must(stage, "check", str(stage.vault))
    ids = conflicts(stage)
    must(stage, "conflicts", "dismiss", ids["attic"].id, "--reason", "two doors", *vault)
    must(stage, "conflicts", "resolve", ids["cellar"].id, "--winner", _member(stage, ids["cellar"]), *vault)
    must(stage, "writeback", ids["cellar"].id, "--style", "strike", "--yes", *vault)
    must(stage, "conflicts", "resolve", ids["kitchen"].id, "--winner", _member(stage, ids["kitchen"]), *vault)
    must(stage, "conflicts", "snooze", ids["study"].id, *vault)
    copy = copy_path(stage.store)
    shutil.copy(copy, copy.with_name(f"{copy.name}.1"))  # as of an earlier day
    must(stage, "fork", "new", "other", *vault)
    for room in ("hall", "study"):
        must(stage, "conflicts", "dismiss", ids[room].id, "--reason", "both", "--fork", "other", *vault)
    must(stage, "export", "--out", str(stage.folder / "belie.jsonl"), *vault)
    stage.keep()
    return stage


def conflicts(stage: Stage) -> dict[str, Conflict]:
    """The conflict about each room."""
    with Store.open(stage.store) as store:
        found = {}
        for conflict in store.conflicts.all():
            (claim, *_) = store.claims.all(ids=conflict.members)
            found[Path(claim.statement.path).stem] = conflict
    assert set(ROOMS) <= set(found)
    return found


def _member(stage: Stage, conflict: Conflict, folder: str = "new") -> str:
    with Store.open(stage.store) as store:
        claims = store.claims.all(ids=conflict.members)
        return next(c.id for c in claims if c.statement.path.startswith(f"{folder}/"))


def _edited(stage: Stage) -> None:
    """Notes that were changed, deleted and added since they were last read."""
    for number, room in enumerate(ROOMS):
        path = stage.vault / "new" / f"{room}.md"
        path.write_text(f"The {room} door code is 55{number}5.\n\nThe {room} has {number + 2} windows.\n")
    (stage.vault / "old" / "nursery.md").unlink()
    write(stage.vault, {f"added/{n}.md": f"The shed {n} door code is {n}{n}00.\n" for n in range(30)})


def _damaged(stage: Stage) -> None:
    size = stage.store.stat().st_size
    with stage.store.open("r+b") as file:
        file.truncate(size // 2)


def _gone(stage: Stage) -> None:
    for path in stage.store.parent.glob(f"{stage.store.name}*"):
        if not path.name.startswith(f"{stage.store.name}.decisions"):
            path.unlink()


def writing_commands(stage: Stage) -> list[Writing]:
    """All of them, as a person would type them."""
    ids = conflicts(stage)
    vault = ("--vault", str(stage.vault))
    with Store.open(stage.store) as store:
        (draft,) = [c.id for c in store.claims.all() if c.statement.path == "Draft.md"]
        (rule,) = [c.id for c in store.claims.all() if c.statement.path == "Rules.md"]
        written = [event for event in store.ledger.events(1000) if event.action == "written"][-1]
    porch, study = ids["porch"], ids["study"]
    empty = stage.vault / "added"

    def other_vault(stage: Stage) -> None:
        write(empty, {"Note.md": "The shed is green.\n"})

    return [
        Writing("check", ("check", str(stage.vault)), _edited),
        Writing("sweep", ("sweep", *vault), _edited),
        Writing("resolve", ("conflicts", "resolve", porch.id, "--winner", _member(stage, porch), *vault)),
        Writing("dismiss", ("conflicts", "dismiss", porch.id, "--reason", "not one door", *vault)),
        Writing("snooze", ("conflicts", "snooze", porch.id, *vault)),
        Writing("reopen", ("conflicts", "reopen", ids["attic"].id, *vault)),
        Writing("undo", ("undo", _decision(stage, ids["kitchen"]), *vault)),
        Writing("undo with notes", ("undo", _decision(stage, ids["cellar"]), *vault)),
        Writing("writeback", ("writeback", ids["kitchen"].id, "--style", "strike", "--yes", *vault)),
        Writing("writeback --undo", ("writeback", "--undo", str(written.seq), *vault)),
        Writing("redact", ("redact", _member(stage, study, "old"), "--reason", "no codes", *vault)),
        Writing(
            "redact --edit-note",
            (
                "redact",
                _member(stage, study, "old"),
                "--reason",
                "no codes",
                "--edit-note",
                "--yes",
                *vault,
            ),
        ),
        Writing("remember", ("remember", "The boat is moored at quay 7.", *vault)),
        Writing("learn", ("learn", "The boat is 9 m long.", "--source", "the yard", *vault)),
        Writing("ingest", ("ingest", "The tide table datum is Oban.", *vault)),
        Writing(
            "supersede",
            ("supersede", rule, "Working the trestles alone is allowed.", "--reason", "new radios", *vault),
        ),
        Writing("promote", ("promote", draft, *vault)),
        Writing("trust reset", ("trust", "reset", "note:new/kitchen.md", *vault)),
        Writing("strategies apply", ("strategies", "apply", *vault), _with_strategy),
        Writing("fork new", ("fork", "new", "third", *vault)),
        Writing("fork apply", ("fork", "apply", "other", *vault)),
        Writing("fork discard", ("fork", "discard", "other", *vault)),
        Writing("mirror", ("mirror", *vault)),
        Writing("mirror --out", ("mirror", "--out", str(stage.folder / "pages"), *vault)),
        Writing("export", ("export", "--out", str(stage.folder / "again.jsonl"), *vault)),
        Writing("import", ("import", str(stage.folder / "belie.jsonl"), "--vault", str(empty)), other_vault),
        Writing("repair a damaged store", ("repair", str(stage.vault)), _damaged),
        Writing("repair a lost store", ("repair", str(stage.vault)), _gone),
        Writing("models use", ("models", "use", "rules")),
    ]


def _with_strategy(stage: Stage) -> None:
    write(stage.home, {"config/config.yaml": "strategies:\n- use: last_write_wins\n"})
    for room in ROOMS:
        for folder, day in (("old", "2025-01-01"), ("new", "2026-01-01")):
            path = stage.vault / folder / f"{room}.md"
            path.write_text(f"---\ndate: {day}\n---\n{path.read_text()}")


def _decision(stage: Stage, conflict: Conflict) -> str:
    with Store.open(stage.store) as store:
        events = [e for e in store.ledger.history(conflict.id) if e.action == "kept"]
        return str(events[-1].seq)
