"""`belie judge`: what each stage says about two statements."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from app.cli.batch import chunked, rows, text
from app.cli.errors import CommandError
from app.cli.output import console, print_json
from app.cli.readers import models
from app.cli.report import reason_json
from app.cli.statements import iso_date, read_claims
from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import GATE
from app.detection.judge import Opinions, judged
from app.detection.judgement import Judgement, judge
from app.detection.pair_alone import weigh_pairs
from app.detection.pair_gates import dates_tell
from app.detection.pairs import age
from app.detection.would_meet import by_meaning, by_words
from app.detective import arcs
from app.models.files import Unusable
from app.models.gguf_header import read_model
from app.models.host import ModelHost
from app.models.requests import Failed
from app.plain import shown
from app.words import Claim, Reason

_AT_ONCE = 512
_INDENT, _UNDER = 14, 4
"""Where the words of a stage begin: beside its name, or under it where that leaves too little room."""
_LEAST = 24
_COLOURS = {
    "conflict": "red",
    "outdated": "yellow",
    "settled": "green",
    "compatible": "green",
    "unrelated": "green",
    "block": "bold red",
    "warn": "bold yellow",
    "clean": "bold green",
}
Pair = tuple[Claim, Claim]


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("judge")
    parser.add_argument("a", nargs="?", metavar="A", help="a statement, in quotes")
    parser.add_argument("b", nargs="?", metavar="B", help="another, the newer unless dates say otherwise")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--date-a", metavar="D", help="date of the first (YYYY-MM-DD)")
    parser.add_argument("--date-b", metavar="D", help="date of the second")
    parser.add_argument("--note-a", metavar="T", help="title of the note in which the first stands")
    parser.add_argument("--note-b", metavar="T", help="title of the note in which the second stands")
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
    return 0 if answer.tier == "clean" else 1


def _look_at(named: str | None) -> None:
    """A language model of one's own has no part in judging, so it is never loaded; what is none is still
    refused."""
    if named not in (None, "rules", "embedded"):
        try:
            read_model(Path(named).expanduser())
        except Unusable as error:
            raise CommandError(f"{error}.") from error


def judge_pairs(pairs: Sequence[Pair], host: ModelHost | None) -> Iterator[Judgement]:
    """Each pair decided by all the evidence there is; a model that fails leaves the rest."""
    pairs = [(b, a) if dates_tell(a, b) and age(b) < age(a) else (a, b) for a, b in pairs]
    cosines: Sequence[float | None] = [None] * len(pairs)
    said = Opinions("", [None] * len(pairs))
    if host is not None:
        answer = judged(host, pairs)
        if isinstance(answer, Failed):
            print(f"belie: the rules judge alone: {shown(answer.reason)}.", file=sys.stderr)
        else:
            said, cosines = answer, _cosines(pairs, host)
    met = [by_words(a, b) or by_meaning(a, b, near) for (a, b), near in zip(pairs, cosines, strict=True)]
    for (a, b), weighed, how in zip(pairs, weigh_pairs(pairs, cosines, said), met, strict=True):
        arc = next(iter(arcs.findings(ClaimIndex((a, b)))), None)
        yield judge(a, b, weighed, how, arc)


def _cosines(pairs: Sequence[Pair], host: ModelHost) -> list[float | None]:
    """How near the two of each pair are; None where the embedder cannot tell."""
    texts = list(dict.fromkeys(claim.statement.text for pair in pairs for claim in pair))
    answer = host.embed(texts) if texts else None
    if answer is None or isinstance(answer, Failed):
        return [None] * len(pairs)
    rows, place = answer.matrix(), {text: n for n, text in enumerate(texts)}
    places = [(place[a.statement.text], place[b.statement.text]) for a, b in pairs]
    missing = answer.failures
    return [None if x in missing or y in missing else float(rows[x] @ rows[y]) for x, y in places]


def _tell_notes(host: ModelHost | None) -> None:
    """What the judge had to do without."""
    for note in host.status().notes if host is not None else ():
        print(f"belie: {shown(note)}.", file=sys.stderr)


def _pairs(path: str) -> Iterator[Pair]:
    for number, row in rows(path):
        yield _claim(_side(row, "a", number), f"a{number}"), _claim(_side(row, "b", number), f"b{number}")


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
    colour = _COLOURS[answer.label]
    out.print(
        Text.assemble((answer.label, f"bold {colour}"), f"  tier {answer.tier}, alarm {answer.alarm:.2f}")
    )
    before = ""
    for reason in answer.stages:
        stage = reason.stage.partition(":")[0]  # a gate's own name stands behind its reason
        _print_stage(out, "" if stage == before else stage, _reason(reason, reason in answer.silenced_by))
        before = stage


def _reason(reason: Reason, silences: bool) -> Text:
    detail = shown(reason.detail)
    if silences:
        return Text.assemble(("silent because: ", "bold"), detail, (f" ({reason.stage})", "dim"))
    gate = f"{reason.stage}: " if reason.stage.startswith(GATE) else ""
    sure = (f" ({reason.confidence}) ", "dim")
    return Text.assemble(gate, (reason.verdict, _COLOURS.get(reason.verdict, "bold")), sure, detail)


def _print_stage(out: Console, stage: str, said: Text) -> None:
    """What a stage says hangs beside its name, or under it; nothing of it is cut, however narrow it gets."""
    indent = _INDENT if out.width - _INDENT >= _LEAST else _UNDER
    name = f"  {stage}"
    if stage and indent == _UNDER:
        out.print(Text(name, "cyan"), no_wrap=True, overflow="ignore", crop=False)
        name = ""
    for line in said.wrap(out, max(_UNDER, out.width - indent)):
        line.rstrip()
        whole = Text.assemble((f"{name:<{indent}}", "cyan"), line)
        out.print(whole, no_wrap=True, overflow="ignore", crop=False)
        name = ""
