"""Events of the ledger, as JSON and as lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from app.plain import shown
from app.store.rows import Event
from app.store.store import Store


def history(store: Store, id: str) -> list[Event]:
    """What happened to a claim or conflict, oldest first, and where that was written into notes."""
    return sorted((*store.ledger.history(id), *store.ledger.writings(id)), key=lambda event: event.seq)


def event_json(event: Event) -> dict[str, Any]:
    note = {"note": event.target_id} if event.target_kind == "note" else {}
    return {
        "event": event.seq,
        "at": event.at,
        "who": event.who,
        "action": event.action,
        "why": event.why,
        "cause": event.cause,
        "undone": event.undone,
        **note,
    }


def moment(at: str) -> str:
    """An event's time in the person's own zone, to the minute."""
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")


def print_events(console: Console, events: Sequence[Event]) -> None:
    width = max((len(str(e.seq)) for e in events), default=1)
    whose = max((len(e.who) for e in events), default=5)
    for event in events:
        line = Text(f"     {event.seq:>{width}}  ", style="dim")
        line.append(f"{moment(event.at)}  ", style="dim")
        line.append(f"{event.who:<{whose}}  ", style="cyan")
        line.append(event.action + (" (undone)" if event.undone else ""))
        if event.target_kind == "note":
            line.append(f" into {shown(event.target_id)}")
        if event.why:
            line.append(f"  {shown(event.why)}", style="italic")
        console.print(line, no_wrap=True, overflow="ellipsis")
