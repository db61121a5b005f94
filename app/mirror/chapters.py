"""What is currently true, grouped as the person groups it: by project or folder, then by note and heading."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from app.conflicts.title import conflict_title
from app.mirror.progressed import progressed
from app.words import Claim, Conflict, Norm


@dataclass(frozen=True, slots=True)
class Dispute:
    """An open conflict with its title."""

    conflict: Conflict
    title: str


@dataclass(frozen=True, slots=True)
class Line:
    """One thing said, with every place that says it in the same words."""

    text: str
    date: str | None
    """None too where text or note name the day already."""
    until: str | None
    sources: tuple[tuple[str, int], ...]
    """(path, line); the first is where it stands on the page."""
    disputes: tuple[Dispute, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """What a note says under one of its headings."""

    note: str
    path: str
    heading: tuple[str, ...]
    """Without the note's own title."""
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A project, a top folder, or (without a name) the notes in no folder."""

    name: str | None
    sections: tuple[Section, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for section in self.sections for line in section.lines)


def chapters(claims: Iterable[Claim], conflicts: Iterable[Conflict]) -> tuple[Chapter, ...]:
    """Sorted by name, notes in no folder last. The same claims give the same, in any order."""
    known = {claim.id: claim for claim in claims}
    disputes = _disputes(conflicts, known)
    gone = progressed(known.values()) - disputes.keys()
    true = {id: norm for id, claim in known.items() if id not in gone and (norm := norm_on_page(claim))}
    lines = _lines([known[id] for id in true], true, disputes)
    found: dict[str, list[tuple[Claim, Line]]] = defaultdict(list)
    names: dict[str, list[str]] = defaultdict(list)
    for claim, line in lines:
        name = _chapter(claim)
        found[name.casefold()].append((claim, line))
        names[name.casefold()].append(name)
    made = [Chapter(min(names[key]) or None, _sections(parts)) for key, parts in found.items()]
    return tuple(sorted(made, key=lambda one: (one.name is None, (one.name or "").casefold())))


def norm_on_page(claim: Claim) -> Norm | None:
    """The norm by which a claim stands on a page: an active one that asserts something of a thing."""
    s = claim.statement
    of_a_day = s.dated_by == "daily" and s.form in ("field", "property")  # the wind, the mood
    if claim.status != "active" or claim.silent or s.quoted or s.struck or of_a_day:
        return None
    return next((n for n in claim.norms if n.standing == "asserted" and n.subject_kind == "PRESENT"), None)


def _disputes(conflicts: Iterable[Conflict], known: dict[str, Claim]) -> dict[str, list[Dispute]]:
    """By member."""
    found: dict[str, list[Dispute]] = defaultdict(list)
    for conflict in sorted(conflicts, key=lambda conflict: conflict.id):
        members = [known[id] for id in conflict.members if id in known]
        dispute = Dispute(conflict, conflict_title(conflict, members))
        for member in conflict.members:
            found[member].append(dispute)
    return found


def _lines(
    claims: Sequence[Claim], norms: dict[str, Norm], disputes: dict[str, list[Dispute]]
) -> list[tuple[Claim, Line]]:
    """Each thing once in a chapter, where it was said last, with all the places that say it in the same
    words."""
    same: dict[tuple[str, str], list[Claim]] = defaultdict(list)
    for claim in sorted(claims, key=_newest_first):
        same[_chapter(claim).casefold(), claim.statement.text].append(claim)
    return [(places[0], _line(places, norms[places[0].id], disputes)) for places in same.values()]


def _line(places: Sequence[Claim], norm: Norm, disputes: dict[str, list[Dispute]]) -> Line:
    statement = places[0].statement
    contested = {one.conflict.id: one for claim in places for one in disputes.get(claim.id, ())}
    date = statement.date if statement.date not in (places[0].note, statement.text[:10]) else None
    return Line(
        statement.text,
        date,
        norm.valid_until,
        tuple(dict.fromkeys((claim.statement.path, claim.statement.line) for claim in places)),
        tuple(one for _, one in sorted(contested.items())),
    )


def _newest_first(claim: Claim) -> tuple[object, ...]:
    s = claim.statement
    # A date turned around: each digit against nine.
    date = tuple(-ord(c) for c in s.date) if s.date else ()
    return (s.date is None, date, -claim.trust, s.path, s.line, s.in_line, claim.id)


def _chapter(claim: Claim) -> str:
    """The project, else the top folder; nothing for a note in no folder."""
    folders = PurePosixPath(claim.statement.path).parts[:-1]
    return claim.project or (folders[0] if folders else "")


def _sections(parts: Sequence[tuple[Claim, Line]]) -> tuple[Section, ...]:
    """Notes by name, their headings and lines in the order of the note."""
    titles = {claim.statement.path: claim.note for claim, _ in parts}
    shared = Counter(titles.values())
    named = {
        path: _with_folder(path, title) if shared[title] > 1 else title for path, title in titles.items()
    }

    def place(part: tuple[Claim, Line]) -> tuple[object, ...]:
        s = part[0].statement
        return named[s.path].casefold(), s.path, s.line, s.in_line, part[0].id

    sections: dict[tuple[str, tuple[str, ...]], list[Line]] = defaultdict(list)
    for claim, line in sorted(parts, key=place):
        heading = claim.statement.heading
        own = heading[1:] if heading[:1] == (claim.note,) else heading
        sections[claim.statement.path, own].append(line)
    return tuple(
        Section(named[path], path, heading, tuple(lines)) for (path, heading), lines in sections.items()
    )


def _with_folder(path: str, title: str) -> str:
    """Two notes of one name are told apart by where they lie."""
    folder = PurePosixPath(path).parent.name
    return f"{title} ({folder})" if folder else title
