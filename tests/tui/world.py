"""Small vaults with a store filled through its own methods, and a worker that says what it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.pipeline.messages import Indexed, Message, Watching
from app.store.changes import ClaimChange, ConflictChange, FileStat, NoteChange
from app.store.store import Store
from app.words import Claim, Conflict, Kind, Layer, Norm, Note, Reason, Slot, Statement, Tier

AT = "2026-06-30T08:00:00.000000+00:00"
NOW = "2026-06-30"
_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


def claim_id(number: int) -> str:
    """Eight letters that count."""
    letters = ""
    for _ in range(8):
        number, digit = divmod(number, 32)
        letters = _BASE32[digit] + letters
    return letters


@dataclass
class World:
    """A vault on disk and the store that knows it."""

    root: Path
    store_path: Path
    claims: dict[str, Claim] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    notes: int = 0

    def note(
        self,
        path: str,
        lines: Sequence[str],
        *,
        date: str | None = None,
        layer: Layer = "memory",
        title: str | None = None,
        project: str | None = None,
        tags: tuple[str, ...] = (),
    ) -> list[str]:
        """Write a note whose every line is a claim (blank lines and headings are not); returns their ids."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
        name = title or Path(path).stem
        made = []
        heading: tuple[str, ...] = ()
        for number, line in enumerate(lines, start=1):
            text = line.removeprefix("- ")
            if text.startswith("# "):
                heading = (text.removeprefix("# "),)
            if not text.strip() or text.startswith("#"):
                continue
            id = claim_id(len(self.claims) + 1)
            statement = Statement(
                path, number, number, line.strip(), text.strip(), "sentence", heading,
                date=date, dated_by="frontmatter" if date else "none", content_hash=f"h{id}",
            )  # fmt: skip
            norm = Norm(text.split(" is ")[0].lower(), value=text.rstrip(".").split()[-1], single=True)
            self.claims[id] = Claim(
                id, statement, name, (norm,), layer=layer, project=project, first_seen=AT
            )  # fmt: skip
            made.append(id)
        self.notes += 1
        note = Note(path, f"hash of {path}", name, tags=tags, date=date, layer=layer, project=project,
                    statements=tuple(self.claims[id].statement for id in made))  # fmt: skip
        changes = tuple(ClaimChange("added", self.claims[id]) for id in made)
        stat = FileStat(file.stat().st_size, 1, self.notes)
        with Store.open(self.store_path) as store:
            store.notes.apply([NoteChange(path, "present", note, stat, claims=changes)], AT)
        return made

    def conflict(
        self,
        members: Sequence[str],
        question: str,
        *,
        kind: Kind = "disagreement",
        tier: Tier = "warn",
        confidence: float = 0.93,
        detail: str = "",
    ) -> str:
        """Open a conflict between claims; returns its id."""
        id = f"c-{len(self.conflicts) + 1:08x}"
        reason = Reason(
            "arcs" if kind == "reversal" else "structural",
            "contradiction (value)",
            "HIGH",
            detail or "values differ",
        )
        conflict = Conflict(
            id, kind, tuple(members), Slot("memory_slot", question, (question,)), tier, confidence, question,
            ("detective" if kind == "reversal" else "guard",), (reason,), detected_at=AT,
        )  # fmt: skip
        self.conflicts.append(conflict)
        with Store.open(self.store_path) as store:
            store.conflicts.apply([ConflictChange("opened", conflict)], AT)
        return id

    def stored(self, conflict_id: str) -> Conflict:
        with Store.open(self.store_path, read_only=True) as store:
            conflict = store.conflicts.get(conflict_id)
        assert conflict is not None
        return conflict

    def status_of(self, claim: str) -> str:
        with Store.open(self.store_path, read_only=True) as store:
            found = store.claims.get(claim)
        assert found is not None
        return found.status


class ScriptedWorker:
    """Says its lines as soon as it is started, and whatever else a test has it say."""

    def __init__(self, *lines: Message) -> None:
        self.lines = lines
        self.rescans = 0
        self.wishes: list[str] = []
        self.alive = False
        self.started = threading.Event()
        self.say: Callable[[Message], None] = lambda _: None

    def start(self, on_message: Callable[[Message], None]) -> None:
        self.alive = True
        self.say = on_message
        for line in self.lines:
            on_message(line)
        self.started.set()

    def rescan(self) -> None:
        self.rescans += 1

    def models(self, wish: str) -> None:
        self.wishes.append(wish)

    def stop(self) -> None:
        self.alive = False


READY: tuple[Message, ...] = (Watching("watching"), Indexed(0, 0, 0, 0))


def empty_world(folder: Path) -> World:
    root = folder / "Skerrow"
    root.mkdir(parents=True)
    world = World(root, folder / "state" / "skerrow.db")
    Store.open(world.store_path).close()
    return world


def quiet_world(folder: Path) -> World:
    """Notes that agree."""
    world = empty_world(folder)
    boat = ["# Boat", "", "Puffin is moored at the north jetty.", "Her engine is a Yanmar."]
    world.note("Farm/Boat.md", boat, date="2026-03-01")
    world.note("Daily/2026-05-02.md", ["- Antifouled Puffin.", "- Wren lost a tooth."], date="2026-05-02")
    return world


def one_conflict(folder: Path) -> World:
    """Two codes for one keypad."""
    world = quiet_world(folder)
    codes = world.note(
        "Farm/Access codes.md",
        ["# Access codes", "", "Ask before you share any of these.", "The shore shed keypad code is 5830.",
         "The office alarm code is with Ailsa."],
        date="2026-02-11", layer="entity",
    )  # fmt: skip
    daily = world.note(
        "Daily/2026-05-12.md",
        ["- Spring tide, graded 40 bags.", "- Shore shed keypad code: 5380", "- Collected the new rope."],
        date="2026-05-12",
    )
    world.conflict([codes[1], daily[1]], "Is the shore shed keypad code still 5830?", detail="5830 ≠ 5380")
    return world


def many_conflicts(folder: Path) -> World:
    """Every kind, two and three members, one already superseded line, and enough story to scroll."""
    world = one_conflict(folder)
    rules = world.note(
        "Farm/Farm rules.md",
        ["# Rules", "", "Never grade on a falling tide.", "Boots are washed in the blue tub."],
        date="2025-11-03",
        layer="state",
    )
    june = world.note(
        "Daily/2026-06-08.md",
        [
            "- Graded on the falling tide, which is fine.",
            "- The shellfish licence expires on 30 November 2026.",
            "- Cleaning rota owner: Priya",
        ],
        date="2026-06-08",
    )
    paper = world.note(
        "Farm/Paperwork.md",
        ["# Paperwork", "", "The shellfish licence expires on 30 September 2026."],
        date="2026-01-15",
    )
    crew = world.note(
        "Farm/Crew.md",
        ["# Crew", "", "The owner of the cleaning rota is Callum."],
        date="2026-03-20",
        layer="entity",
    )
    lamp = world.note(
        "Farm/Depuration tank.md",
        ["# Depuration tank", "", "The UV lamp in the depuration tank is changed every 8,000 hours."],
        date="2026-01-09",
    )
    april = world.note(
        "Daily/2026-04-02.md",
        ["- The UV lamp in the depuration tank is changed every 6,000 hours."],
        date="2026-04-02",
    )
    web_a = world.note("Daily/2025-12-01.md", ["- The webshop runs on the old server."], date="2025-12-01")
    web_b = world.note(
        "Daily/2026-02-20.md",
        ["- Moved the webshop from the old server to the hosted one."],
        date="2026-02-20",
    )
    web_c = world.note(
        "Daily/2026-06-20.md", ["- Restarted the webshop on the old server."], date="2026-06-20"
    )
    sizes = world.note(
        "Farm/Boxes and deliveries.md", ["# Boxes", "", "A dozen box costs 18 pounds."], date="2025-07-01"
    )
    world.conflict(
        [rules[0], june[0]], "Is grading on a falling tide still forbidden?", tier="block", confidence=0.97
    )
    world.conflict(
        [paper[0], june[1]],
        "Does the shellfish licence expire on 30 September 2026?",
        confidence=0.95,
        detail="30 September 2026 ≠ 30 November 2026",
    )
    world.conflict(
        [crew[0], june[2]],
        "Is Callum still the owner of the cleaning rota?",
        confidence=0.88,
        detail="Callum ≠ Priya",
    )
    world.conflict(
        [lamp[0], april[0]],
        "Is the UV lamp in the depuration tank still changed every 8,000 hours?",
        confidence=0.94,
        detail="8,000 hours ≠ 6,000 hours",
    )
    world.conflict(
        [web_a[0], web_b[0], web_c[0]],
        "Is the webshop back on the old server?",
        kind="reversal",
        confidence=0.74,
    )
    for month in range(1, 7):
        for day in (5, 19):
            water = f"- Water {month + 5}.{day % 9} degrees at the trestles."
            sold = f"- Sold {month * 7 + day} dozen at the shed."
            date = f"2026-{month:02}-{day:02}"
            world.note(f"Daily/{date}.md", [water, "- Walked Bracken round the point.", sold], date=date)
    world.conflict(
        [sizes[0], april[0]], "Does a dozen box still cost 18 pounds?", kind="stale", confidence=0.71
    )
    return world
