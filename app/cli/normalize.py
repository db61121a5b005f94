"""`belie normalize`: the norms of a statement, and who read them."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from rich.text import Text

from app.cli.batch import rows, text
from app.cli.errors import CommandError
from app.cli.output import console, print_json
from app.cli.readers import wanted
from app.cli.statements import iso_date, read_statement
from app.models.host import ModelHost
from app.models.normalizer import Normalizer, can_read
from app.models.requests import Failed, Priority
from app.plain import shown
from app.reading.norm_prompt import unsure
from app.reading.norm_rules import normalize
from app.words import Norm


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("normalize")
    parser.add_argument("text", nargs="?", metavar="TEXT", help="a statement, in quotes")
    parser.add_argument("--title", metavar="T", help="title of the note")
    parser.add_argument("--heading", metavar="H", help="the heading above it")
    parser.add_argument("--date", metavar="D", help="its date (YYYY-MM-DD)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--batch", metavar="FILE", help='one JSON row a line: {"text", "title", "heading", "date"}'
    )
    parser.add_argument(
        "--models", metavar="rules|embedded|PATH.gguf", help="what reads where the rules are not sure"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.text is None and not options.batch:
        raise CommandError("normalize needs a text, or --batch FILE.")
    with _reader(options.models) as reader:
        if options.batch:
            for number, row in rows(options.batch):
                row_text, title, heading, day = (
                    text(row, key, number) for key in ("text", "title", "heading", "date")
                )
                if row_text is None:
                    raise CommandError(f"Line {number}: a text is expected.")
                print_json(reader.read(row_text, title, heading, day))
            return 0
        answer = reader.read(options.text, options.title, options.heading, options.date)
    if options.json:
        print_json(answer)
    else:
        _print(answer)
    return 0


class _Reader:
    """The rules, and the model where they are not sure; once it fails, the rules go on alone."""

    def __init__(self, model: Normalizer | None) -> None:
        self._model = model

    def read(self, text: str, title: str | None, heading: str | None, date: str | None) -> dict[str, Any]:
        statement, note = read_statement(text, title=title, heading=heading, date=iso_date(date))
        norms = normalize(statement, note)
        if self._model is not None and unsure(norms):
            again = self._model.read(statement, note.title, note.project, priority=Priority.INTERACTIVE)
            if isinstance(again, Failed):
                print(f"belie: the rules read alone: {shown(again.reason)}.", file=sys.stderr)
                self._model = None
            elif again is not None:
                return {"norms": [norm_json(n) for n in again], "by": "llama"}
        return {"norms": [norm_json(n) for n in norms], "by": "rules"}


@contextlib.contextmanager
def _reader(named: str | None) -> Iterator[_Reader]:
    """Nothing is started before the rules are unsure of something."""
    setup = wanted(named)
    if setup is None or not can_read(setup):
        if named not in (None, "rules"):
            print("belie: no language model is installed; the rules read alone (see belie doctor).",
                  file=sys.stderr)  # fmt: skip
        yield _Reader(None)
        return
    with ModelHost(setup) as host:
        yield _Reader(Normalizer(host))


def norm_json(norm: Norm) -> dict[str, Any]:
    change = {"from": norm.change.was, "to": norm.change.now} if norm.change else None
    return {
        "standing": norm.standing,
        "modality": norm.modality,
        "subject": norm.subject,
        "subject_kind": norm.subject_kind,
        "object": norm.object,
        "value": norm.value,
        "scope": dict(norm.scope),
        "valid_from": norm.valid_from,
        "valid_until": norm.valid_until,
        "change": change,
    }


def _print(answer: dict[str, Any]) -> None:
    out = console()
    if not answer["norms"]:
        out.print(Text("Nothing to hold: no claim in this text.", style="dim"))
    for norm in answer["norms"]:
        for key, value in norm.items():
            if value not in (None, {}, ""):
                out.print(Text.assemble((f"{key:>13}  ", "cyan"), shown(str(value))))
    if answer["by"] == "llama":
        out.print(Text("Read by the language model: the rules were not sure.", style="dim"))
