"""`belie remember`, `learn`, `ingest` and `supersede`: a statement, guarded before it is stored."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from datetime import date
from typing import Any

from rich.console import Console
from rich.text import Text

from app.capture.capture import capture
from app.capture.outcomes import Outcome, Verb, Wanted
from app.cli.errors import CommandError
from app.cli.opened import add_vault, opened, warn_canon, warn_unjudged
from app.cli.output import console, print_json
from app.cli.readers import models
from app.cli.report import GLYPH, member_json, reason_json
from app.plain import shown
from app.words import Claim, Finding

BLOCKED = 9
"""The exit code of a statement that was not stored."""

_VERBS: tuple[Verb, ...] = ("remember", "learn", "ingest", "supersede")
EXAMPLES = """\
Which command to use:

  You decided it, or know it yourself. Refused where it contradicts a rule:
    belie remember "The boiler is serviced every May."

  Somebody else says so. The same, and the source is kept with it:
    belie learn "Diesel is delivered on Tuesdays." --source "call with the depot"

  It comes from a list or table that is right by definition. Never refused;
  a fact ingested before that it contradicts is superseded:
    belie ingest "High water at Oban is at 06:12 on 3 March."

  It takes the place of a claim (belie claim and belie story show the ids):
    belie supersede d7cpar23 "The boiler is serviced every April." --reason "new contract"

All of them append the statement to Inbox.md, or to the note that the setting
inbox names. Exit code 9: it was not stored, because it contradicts your notes.
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    for verb in _VERBS:
        parser = commands.add_parser(verb, epilog=EXAMPLES)
        if verb == "supersede":
            parser.add_argument("claim", metavar="CLAIM", help="the claim that no longer holds")
        parser.add_argument("text", metavar="TEXT", help="one statement, in quotes")
        if verb == "learn":
            parser.add_argument("--source", metavar="S", required=True, help="who or what says so")
        if verb == "supersede":
            parser.add_argument("--reason", metavar="R", required=True, help="why, for the record")
            parser.add_argument(
                "--also", metavar="CLAIM", nargs="+", action="extend", help="further claims it replaces"
            )
        parser.add_argument("--force-exception", metavar="REASON", help="store it even so, for this reason")
        add_vault(parser)
        parser.set_defaults(run=run, verb=verb, claim=None, also=None, source=None, reason="")


def run(options: argparse.Namespace) -> int:
    for name in ("reason", "force_exception"):
        given = getattr(options, name)
        if given is not None and not given.strip() and (name != "reason" or options.verb == "supersede"):
            raise CommandError(f"--{name.replace('_', '-')} needs a reason in words.")
    wanted = Wanted(
        options.verb,
        options.text,
        source=options.source,
        replaces=options.claim and options.claim.strip().lower(),
        also=tuple(id.strip().lower() for id in options.also or ()),
        reason=options.reason,
        exception=options.force_exception,
    )
    with models(None) as host, opened(options.vault, look=False) as vault:
        inbox = vault.config.inbox(vault.root)
        outcome = capture(wanted, vault.pipeline, inbox, date.today().isoformat(), host)
    warn_canon(outcome.canon)
    warn_unjudged(outcome.failed)
    if options.json:
        print_json(outcome_json(wanted, outcome, inbox), indent=1)
    else:
        _print(console(), wanted, outcome, inbox)
    return BLOCKED if outcome.status == "blocked" else 0


def outcome_json(wanted: Wanted, outcome: Outcome, inbox: str) -> dict[str, Any]:
    held = {c.id: c for c in (*outcome.claims, *outcome.verdict.against)}
    answer: dict[str, Any] = {
        "outcome": outcome.status,
        "stored": outcome.status == "stored",
        "tier": outcome.verdict.tier,
        "inbox": inbox,
        "claims": [member_json(c) for c in outcome.claims],
        "conflicts": [_finding_json(f, held) for f in outcome.verdict.findings],
        "event": outcome.event,
    }
    if wanted.verb in ("ingest", "supersede"):
        first, *also = outcome.superseded or (None,)
        answer |= {"superseded": first, "also": also}
    if outcome.canon:
        answer["canon"] = [conflict.id for conflict in outcome.canon]
    if outcome.status == "blocked":
        answer["ways_out"] = ways_out(wanted, outcome)
    return answer


def _finding_json(finding: Finding, held: dict[str, Claim]) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "tier": finding.tier,
        "confidence": round(finding.confidence, 3),
        "question": finding.question,
        "found_by": [finding.found_by],
        "slot": {"subject": finding.slot.subject},
        "members": [member_json(held[m]) for m in finding.members],
        "reasons": [reason_json(r) for r in finding.reasons],
    }


def ways_out(wanted: Wanted, outcome: Outcome) -> list[dict[str, str]]:
    """What the person can do about a block, as commands to copy."""
    text = shlex.quote(wanted.text)
    parts = ["belie", wanted.verb, *([wanted.replaces] if wanted.replaces else []), text]
    if wanted.source is not None:
        parts += ["--source", shlex.quote(wanted.source)]
    if wanted.replaces is not None:
        parts += ["--reason", shlex.quote(wanted.reason), *_also(wanted.superseded[1:])]
    ways = [
        {"way": "cancel", "command": ""},
        {"way": "exception", "command": f"{' '.join(parts)} --force-exception REASON"},
    ]
    if against := outcome.verdict.against:  # else it contradicts itself
        # All of them at once: each that is left would block the statement anew.
        first, *others = dict.fromkeys((*wanted.superseded, *(claim.id for claim in against)))
        instead = ["belie", "supersede", first, text, "--reason", "REASON", *_also(others)]
        ways.insert(1, {"way": "supersede", "command": " ".join(instead)})
    return ways


def _also(ids: Sequence[str]) -> list[str]:
    return ["--also", *ids] if ids else []


def _print(out: Console, wanted: Wanted, outcome: Outcome, inbox: str) -> None:
    verdict = outcome.verdict
    if outcome.status == "blocked":
        out.print(Text("Not stored: it contradicts what is held.", style="bold red"))
    elif outcome.status == "known":
        out.print(Text("Held already.", style="bold green"))
    else:
        out.print(Text(f"Stored in {shown(inbox)}.", style="bold green"))
    for claim in outcome.claims if outcome.status != "blocked" else ():
        out.print(_claim_line(claim))
    if gone := outcome.superseded:
        are, undo = ("are", "belie undo, once for each,") if len(gone) > 1 else ("is", "belie undo")
        out.print(Text(f"{' and '.join(gone)} {are} superseded by it; {undo} takes that back.", style="dim"))
    if verdict.findings and outcome.status != "blocked":
        forced = verdict.tier == "block"
        out.print(
            Text(
                "Stored as an exception to:" if forced else "Mind that it disagrees with:",
                style="bold yellow",
            )
        )
    held = {c.id: c for c in verdict.against}
    for finding in verdict.findings:
        for member in finding.members:
            if member in held:
                out.print(_claim_line(held[member]))
        for reason in finding.reasons:
            if reason.stage != "slot":
                told = f"{reason.stage}: {reason.verdict} ({reason.confidence}) {shown(reason.detail)}"
                out.print(Text(f"            {told}", style="dim italic"))
    if outcome.status == "blocked":
        out.print(Text("Ways out: leave it at that, or", style="bold"))
        for way in ways_out(wanted, outcome)[1:]:
            out.print(Text(f"  {shown(way['command'])}"), soft_wrap=True)


def _claim_line(claim: Claim) -> Text:
    s = claim.statement
    return Text.assemble(
        (f"  {claim.id}  ", "dim"),
        (f"{GLYPH[claim.layer]} ", "blue"),
        (f"{shown(s.path)}:{s.line}  ", "cyan"),
        (f"{s.date or 'undated'}  ", "dim"),
        shown(s.text),
    )
