"""Which models read besides the rules: what the command line says, else the person's settings."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app import settings
from app.cli.errors import CommandError
from app.models.files import WEIGHTS, JudgeFiles, lacking
from app.models.host import ModelHost
from app.models.setup import Setup, chosen
from app.pipeline.run import Run
from app.plain import shown


def wanted(named: str | None) -> Setup | None:
    """The models to use; None for the rules alone. `named` is what --models says."""
    setup = chosen(settings.load().models, named)
    if named in (None, "rules", "embedded"):
        return setup
    if not Path(named).expanduser().is_file():
        raise CommandError(f"There is no model file {named}.")
    return replace(setup or Setup(), llama=named)


@contextlib.contextmanager
def models(named: str | None) -> Iterator[ModelHost | None]:
    """A host for the models a command is to use; it starts nothing before it is asked something."""
    setup = wanted(named)
    if setup is not None and (missing := lacking(setup)):
        broken = setup.judge is None and 0 < len(JudgeFiles.within(WEIGHTS).missing) < 3
        if named is not None or broken:  # who did not ask need not hear every time that none is there
            print(f"belie: {missing}; the rules read alone (see belie doctor).", file=sys.stderr)
        setup = None
    if setup is None:
        yield None
        return
    with ModelHost(setup) as host:
        yield host


def warn_about_models(run: Run, host: ModelHost | None) -> None:
    """Why models did not read or had to do without something, on stderr; what the rules see was found all the
    same."""
    lines = []
    if run.judge_failed is not None:
        lines.append(f"near pairs were not judged, the rules read alone: {run.judge_failed.reason}")
    # Who added no language model need not hear every time that none is there.
    absent = host is not None and host.setup.llama is None and host.status().parts["llama"].state == "absent"
    if run.reading_failed is not None and not absent:
        lines.append(f"statements the rules cannot read stay as they are: {run.reading_failed.reason}")
    status = host.status() if host is not None else None
    if status is not None:
        lines += status.notes
        mends = {part.repair for part in status.parts.values() if part.state != "absent" and part.repair}
        lines += [f"to repair it: {mend}" for mend in sorted(mends)] if lines else []
    for line in lines:
        print(f"belie: {shown(line)}.", file=sys.stderr)
