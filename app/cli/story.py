"""`belie story`: the claims oldest first, as of a day, or as they were known on one."""

from __future__ import annotations

import argparse
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from rich.console import Console
from rich.text import Text

from app.cli.errors import CommandError
from app.cli.opened import add_fork, add_vault, opened
from app.cli.output import console, print_json
from app.cli.report import GLYPH, clip
from app.cli.statements import iso_date
from app.plain import shown
from app.reading import scopes
from app.store.rows import StoryFilter, StoryRow
from app.store.store import Store
from app.words import SCOPE_KEYS, Status

_EVERY: tuple[Status, ...] = ("active", "superseded", "candidate", "retracted")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("story")
    parser.add_argument("--subject", metavar="S", help="only claims about this, or a part of its name")
    parser.add_argument(
        "--scope",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help=f"only claims that say so; keys: {', '.join(SCOPE_KEYS)}",
    )
    parser.add_argument(
        "--as-of", metavar="DATE", help="leave out what is dated later or does not hold that day"
    )
    parser.add_argument("--known-at", metavar="DATE", help="what the ledger knew at the end of that day")
    add_vault(parser)
    add_fork(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    filter = StoryFilter(
        subject=options.subject,
        as_of=iso_date(options.as_of),
        scope=tuple(_scope(given) for given in options.scope),
    )
    moment = None if options.known_at is None else end_of(options.known_at)
    with opened(options.vault, fork=options.fork) as vault:
        rows = _rows(vault.store, filter, moment)
        if options.json:
            answer: dict[str, Any] = {"vault": str(vault.root), "as_of": filter.as_of, "known_at": moment}
            print_json(answer | {"claims": [_row_json(row) for row in rows]}, indent=1)
        else:
            _print(console(), rows)
    return 0


def _rows(store: Store, filter: StoryFilter, moment: str | None) -> list[StoryRow]:
    if moment is None:
        return store.story.rows(0, -1, filter)
    wanted = StoryFilter(subject=filter.subject, scope=filter.scope, as_of=filter.as_of, statuses=_EVERY)
    fitting = set(store.story.ids(wanted))
    return [row for row in store.story.known_at(moment) if row.id in fitting]


def end_of(given: str) -> str:
    """A day's last moment, or the moment given, as the ledger writes times."""
    try:
        day = iso_date(given)
    except CommandError:
        day = None
    try:
        if "T" in given or day is None:
            moment = datetime.fromisoformat(given)
        else:
            moment = (
                datetime.combine(date.fromisoformat(day) + timedelta(days=1), time()) - timedelta.resolution
            )
        return moment.astimezone(UTC).isoformat(timespec="microseconds")
    except (ValueError, OverflowError) as error:
        raise CommandError(
            f"“{given}” is not a date like 2026-06-30, or a time like 2026-06-30T18:00."
        ) from error


def _scope(given: str) -> tuple[str, str]:
    """`env=prod` as norms hold it: env, production."""
    key, equals, value = given.partition("=")
    key, value = key.strip().lower(), value.strip()
    if not equals or not value or key not in SCOPE_KEYS:
        raise CommandError(f"“{given}” is not a scope like env=prod; keys: {', '.join(SCOPE_KEYS)}.")
    if key == "env":
        return key, dict(scopes.scope(value, None)).get("env", value.lower())
    return key, value.lower()


def _row_json(row: StoryRow) -> dict[str, Any]:
    return {
        "claim": row.id,
        "date": row.date,
        "path": row.path,
        "line": row.line,
        "note": row.title,
        "text": row.text,
        "layer": row.layer,
        "status": row.status,
        "disputed": row.disputed,
    }


def _print(out: Console, rows: list[StoryRow]) -> None:
    if not rows:
        out.print(Text("No claim fits.", style="dim"))
    places = [clip(shown(f"{row.path}:{row.line}"), max(20, out.width // 3)) for row in rows]
    width = max(map(len, places), default=0)
    for row, place in zip(rows, places, strict=True):
        line = Text(f"{row.date or 'undated':<12}", style="dim")
        line.append(f"{row.id}  ", style="dim")
        line.append(f"{GLYPH[row.layer]} ", style="blue")
        line.append(f"{place:<{width}}  ", style="cyan")
        if row.disputed:
            line.append("⚠ ", style="bold red")
        style = {"superseded": "strike dim", "candidate": "italic", "retracted": "strike dim"}
        line.append(shown(row.text), style=style.get(row.status, ""))
        if row.status != "active":
            line.append(f"  ({row.status})", style="dim")
        out.print(line, no_wrap=True, overflow="ellipsis")
