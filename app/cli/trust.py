"""`belie trust`: what your verdicts taught about sources, and letting one start anew."""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Any

from rich.text import Text

from app.cli.errors import CommandError
from app.cli.opened import add_vault, opened
from app.cli.output import console, print_json
from app.cli.report import clip
from app.plain import shown
from app.store.verdicts import RESET
from app.strategies.learned import learned
from app.strategies.trust import EVEN, Tally, Trust

_TOPICS = 3
"""So many topics stand in a line; --json has them all."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("trust")
    add_vault(parser)
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(metavar="reset")
    reset = actions.add_parser("reset", help="let a source start anew")
    reset.add_argument("source", metavar="SOURCE", help="as listed: note:PATH, folder:PATH, layer:L, tag:T")
    add_vault(reset, inner=True)
    reset.set_defaults(run=run_reset)


def run(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        rows = _rows(learned(vault.store))
    if options.json:
        print_json({"trust": rows}, indent=1)
        return 0
    out = console()
    if not rows:
        out.print(Text("Nothing is learned yet: no claim was kept against another.", style="dim"))
    names = [clip(shown(row["source"]), max(24, out.width // 2)) for row in rows]
    width = max(map(len, names), default=0)
    for row, name in zip(rows, names, strict=True):
        topics = row["topics"][:_TOPICS]
        line = Text.assemble((f"{name:<{width}}  ", "cyan"), (f"{row['score']:.2f}", "bold"))
        line.append(f"  kept {row['kept']:g}, beaten {row['beaten']:g}", style="dim")
        told = ", ".join(
            f"{shown(topic['topic'])} {topic['score']:.2f}" for topic in topics if topic["topic"]
        )
        out.print(line.append(f"  {told}", style="italic"), no_wrap=True, overflow="ellipsis")
    return 0


def run_reset(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        known = learned(vault.store).sources
        source = options.source.strip()
        if source not in known:
            raise CommandError(f"Nothing is learned about {source}; belie trust lists the sources.")
        event = vault.store.ledger.record(RESET, source, {}, kind="event")
    if options.json:
        print_json({"source": source, "event": event})
    else:
        console().print(Text(f"{shown(source)} starts anew, event {event}."))
    return 0


def _rows(trust: Trust) -> list[dict[str, Any]]:
    """The most trusted first; topics by how far they are from even."""
    topics: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for (source, topic), own in trust.topics.items():
        topics[source].append({"topic": topic, **_told(own, trust.score(source, topic))})
    for of_source in topics.values():
        of_source.sort(key=lambda row: (-abs(row["score"] - EVEN), row["topic"]))
    rows: list[dict[str, Any]] = [
        {"source": source, **_told(tally, tally.score), "topics": topics[source]}
        for source, tally in trust.sources.items()
    ]
    return sorted(rows, key=lambda row: (-row["score"], row["source"]))


def _told(tally: Tally, score: float) -> dict[str, Any]:
    return {"score": round(score, 3), "kept": round(tally.kept, 2), "beaten": round(tally.beaten, 2)}
