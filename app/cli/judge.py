"""`belie judge`: what each stage says about two statements."""

from __future__ import annotations

import argparse
from typing import Any

from rich.text import Text

from app.cli.batch import rows, text
from app.cli.errors import CommandError
from app.cli.output import console, print_json
from app.cli.report import reason_json
from app.cli.statements import iso_date, read_claims
from app.guard.judge import Judgement, judge
from app.plain import shown


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("judge", help="judge two statements, a the older")
    parser.add_argument("a", nargs="?")
    parser.add_argument("b", nargs="?")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--date-a", metavar="D")
    parser.add_argument("--date-b", metavar="D")
    parser.add_argument("--note-a", metavar="T", help="title of the note that a stands in")
    parser.add_argument("--note-b", metavar="T")
    parser.add_argument(
        "--batch", metavar="FILE", help='one JSON row a line: {"a": {"text", "note", "date"}, "b": {…}}'
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.batch:
        for number, row in rows(options.batch):
            answer = judge_row(_side(row, "a", number), _side(row, "b", number))
            print_json(as_json(answer))
        return 0
    if options.a is None or options.b is None:
        raise CommandError("judge needs two statements, or --batch FILE.")
    a = {"text": options.a, "note": options.note_a, "date": options.date_a}
    b = {"text": options.b, "note": options.note_b, "date": options.date_b}
    answer = judge_row(a, b)
    if options.json:
        print_json(as_json(answer))
    else:
        _print(answer)
    return 0


def judge_row(a: dict[str, str | None], b: dict[str, str | None]) -> Judgement:
    return judge(
        read_claims(a["text"] or "", "a", title=a["note"], date=iso_date(a["date"])),
        read_claims(b["text"] or "", "b", title=b["note"], date=iso_date(b["date"])),
    )


def as_json(answer: Judgement) -> dict[str, Any]:
    stages = [reason_json(r) for r in answer.stages]
    return {"label": answer.label, "tier": answer.tier, "alarm": answer.alarm, "stages": stages}


def _side(row: dict[str, Any], side: str, number: int) -> dict[str, str | None]:
    value = row.get(side)
    if not isinstance(value, dict) or value.get("text") is None:
        raise CommandError(f"Line {number}: “{side}” needs a text.")
    return {key: text(value, key, number) for key in ("text", "note", "date")}


def _print(answer: Judgement) -> None:
    out = console()
    colour = {"conflict": "red", "outdated": "yellow"}.get(answer.label, "green")
    out.print(
        Text.assemble((answer.label, f"bold {colour}"), f"  tier {answer.tier}, alarm {answer.alarm:.2f}")
    )
    for reason in answer.stages:
        out.print(Text(f"  {reason.stage}: {reason.verdict} ({reason.confidence}) {shown(reason.detail)}"))
