"""`belie --version`: the version, what reads, and where things are kept."""

from __future__ import annotations

import platform
from pathlib import Path

from rich.text import Text

import app
from app import places, settings
from app.cli.output import console
from app.models import inventory
from app.models.setup import chosen
from app.plain import shown


def print_version() -> int:
    out = console()
    out.print(Text(f"belie {app.__version__}"))
    setup = chosen(settings.load().models)
    used = [model for model in inventory.models(setup) if model.used]
    facts = [("reads by", "the rules alone" if setup is None else "the rules and these models")]
    facts += [(model.role, f"{model.name}  {model.path}") for model in used]
    facts += [
        ("config", str(settings.config_file())),
        ("state", str(places.state_dir())),
        ("cache", str(places.cache_dir())),
        ("logs", str(places.log_dir())),
        ("program", f"{Path(app.__file__).parent}  Python {platform.python_version()}"),
    ]
    for label, value in facts:
        out.print(Text.assemble((f"{label:>10}  ", "cyan"), shown(value)), soft_wrap=True)
    return 0
