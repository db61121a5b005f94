"""`belie export` and `belie import`: the store as lines of JSON, and back; conflicts as a table."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rich.text import Text

from app.cli.errors import CommandError
from app.cli.opened import add_vault, opened
from app.cli.output import console, print_json
from app.cli.report import members
from app.plain import safe_json, shown
from app.private_files import write_private
from app.regular_file import open_regular
from app.store.store import Store
from app.words import Claim, Conflict

COLUMNS = (
    "id", "status", "kind", "tier", "confidence", "question", "subject", "project", "detected_at",
    "resolved_at", "resolution", "winner", "snoozed_until", "members",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("export")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--jsonl", "--out", metavar="FILE", nargs="?", const="-", default="-",
        help="everything, so that belie import can take it in (default: to stdout)",
    )  # fmt: skip
    what.add_argument("--csv", metavar="FILE", nargs="?", const="-", help="a table of all conflicts")
    add_vault(parser, json=False)
    parser.set_defaults(run=run_export)
    parser = commands.add_parser("import")
    parser.add_argument("file", metavar="FILE", help="- for stdin")
    add_vault(parser)
    parser.set_defaults(run=run_import)


def run_export(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        if options.csv is not None:
            _put(options.csv, _table(vault.store))
        else:
            # Closed before the store is, also where whoever reads our output has had enough.
            with closing(vault.store.export()) as lines:
                _put(options.jsonl, (f"{line}\n" for line in lines))
    return 0


def run_import(options: argparse.Namespace) -> int:
    with opened(options.vault, look=False) as vault, _lines(options.file) as lines:
        count = vault.store.load(lines)
        counts = vault.store.counts()
    if options.json:
        found = {"claims": counts.claims, "events": counts.events, "open_conflicts_count": counts.open}
        print_json({"rows": count, **found}, indent=1)
    else:
        told = f"{counts.claims:,} claims, {counts.events:,} events, {counts.open:,} open conflicts"
        console().print(Text(f"Imported: {told}.", style="bold"))
    return 0


def _put(where: str, pieces: Iterable[str]) -> None:
    if where == "-":
        sys.stdout.writelines(map(safe_json, pieces))
        return
    try:
        write_private(Path(where).expanduser().absolute(), "".join(pieces).encode())
    except OSError as error:
        raise CommandError(f"{where} cannot be written: {error.strerror or error}.") from error


@contextmanager
def _lines(where: str) -> Iterator[Iterable[str]]:
    try:
        if where == "-":
            yield sys.stdin
        else:
            with io.TextIOWrapper(open_regular(Path(where).expanduser()), encoding="utf-8") as file:
                yield file
    except UnicodeDecodeError as error:
        raise CommandError(f"{where} is not UTF-8, so it is no export of Belie.") from error
    except OSError as error:
        raise CommandError(f"{where} cannot be read: {error.strerror or error}.") from error


def _table(store: Store) -> Iterator[str]:
    found = store.conflicts.all()
    claims = members(store, found)
    piece = io.StringIO()
    writer = csv.writer(piece, lineterminator="\n")
    writer.writerow(COLUMNS)
    for conflict in sorted(found, key=lambda c: (c.detected_at, c.id)):
        writer.writerow([_cell(value) for value in _row(conflict, claims)])
    yield piece.getvalue()


def _row(conflict: Conflict, claims: dict[str, Claim]) -> tuple[object, ...]:
    said = (
        f"{id} {claims[id].statement.path}:{claims[id].statement.line} {claims[id].statement.text}"
        for id in conflict.members
    )
    return (
        conflict.id, conflict.status, conflict.kind, conflict.tier, conflict.confidence, conflict.question,
        conflict.slot.subject, conflict.slot.project, conflict.detected_at, conflict.resolved_at,
        conflict.resolution, conflict.winner, conflict.snoozed_until, " | ".join(said),
    )  # fmt: skip


def _cell(value: object) -> str:
    """Text from notes is no formula to a spreadsheet, whatever it begins with."""
    text = shown(str(value)) if value is not None else ""
    return f"'{text}" if text.startswith(_FORMULA) else text
