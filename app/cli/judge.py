"""`belie judge`: what each stage says about two statements."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.text import Text

from app.cli.batch import chunked, rows, text
from app.cli.errors import CommandError
from app.cli.output import console, print_json
from app.cli.readers import models
from app.cli.report import reason_json
from app.cli.statements import iso_date, read_claims
from app.detective.reader import ThreadReader, tuned
from app.guard.judge import Judgement, judge
from app.guard.judged import dates_tell
from app.guard.written import said, written
from app.index.judging import age
from app.models.files import Unusable
from app.models.gguf_header import read_model
from app.models.host import ModelHost
from app.models.words import Failed
from app.plain import shown
from app.words import Claim

_AT_ONCE = 512
Pair = tuple[Claim, Claim]


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
    parser.add_argument("--models", metavar="rules|embedded", help="what judges besides the rules")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    _look_at(options.models)
    if options.batch:
        with models(options.models) as host:
            for some in chunked(_pairs(options.batch), _AT_ONCE):
                for answer in judge_pairs(some, host):
                    print_json(as_json(answer))
            _tell_notes(host)
        return 0
    if options.a is None or options.b is None:
        raise CommandError("judge needs two statements, or --batch FILE.")
    a = {"text": options.a, "note": options.note_a, "date": options.date_a}
    b = {"text": options.b, "note": options.note_b, "date": options.date_b}
    with models(options.models) as host:
        (answer,) = judge_pairs([(_claim(a, "a"), _claim(b, "b"))], host)
        _tell_notes(host)
    if options.json:
        print_json(as_json(answer))
    else:
        _print(answer)
    return 0


def _look_at(named: str | None) -> None:
    """A language model of one's own has no part in judging, so it is never loaded; what is none is still
    refused."""
    if named not in (None, "rules", "embedded"):
        try:
            read_model(Path(named).expanduser())
        except Unusable as error:
            raise CommandError(f"{error}.") from error


def judge_pairs(pairs: Sequence[Pair], host: ModelHost | None) -> Iterator[Judgement]:
    """Each pair judged by the rules, and by the models where there are some; one that fails leaves the
    others."""
    if host is None:
        yield from (judge(a, b) for a, b in pairs)
        return
    # Without dates a is the older by what the command says, so one way round says all.
    pairs = [(b, a) if dates_tell(a, b) and age(b) < age(a) else (a, b) for a, b in pairs]
    answer = host.judge([written(said(a), said(b)) for a, b in pairs])
    if isinstance(answer, Failed):
        print(f"belie: the rules judge alone: {shown(answer.reason)}.", file=sys.stderr)
        yield from (judge(a, b) for a, b in pairs)
        return
    unsure = _unsure(pairs, host)
    for (a, b), odds in zip(pairs, answer.rows, strict=True):
        yield judge(a, b, odds, next(unsure))


def _unsure(pairs: Sequence[Pair], host: ModelHost) -> Iterator[float | None]:
    """What the thread reader says of each pair; nothing where there is none, or from where it fails on."""
    if tuned(host.setup):
        reader = ThreadReader(host)
        for number, (a, b) in enumerate(pairs):
            answer = reader.odds((said(a), said(b)))
            if isinstance(answer, Failed) and not answer.lasting:
                print(f"belie: the threads are not read: {shown(answer.reason)}.", file=sys.stderr)
                pairs = pairs[number:]
                break
            yield None if isinstance(answer, Failed) else answer
        else:
            return
    yield from (None for _ in pairs)


def _tell_notes(host: ModelHost | None) -> None:
    """What the judge had to do without."""
    for note in host.status().notes if host is not None else ():
        print(f"belie: {shown(note)}.", file=sys.stderr)


def _pairs(path: str) -> Iterator[Pair]:
    for number, row in rows(path):
        yield _claim(_side(row, "a", number), "a"), _claim(_side(row, "b", number), "b")


def _claim(side: dict[str, str | None], id: str) -> Claim:
    claim = read_claims(side["text"] or "", id, title=side["note"], date=iso_date(side["date"]))
    return replace(claim, note=side["note"] or "")  # a title nobody gave tells the judge nothing


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
        if reason is answer.silent_because:
            out.print(Text(f"  silent because: {shown(reason.detail)} ({reason.stage})"))
        else:
            out.print(
                Text(f"  {reason.stage}: {reason.verdict} ({reason.confidence}) {shown(reason.detail)}")
            )
