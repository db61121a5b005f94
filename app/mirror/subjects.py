"""Claims by project and subject: what is said of each thing, the newest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from app.conflicts.title import conflict_title
from app.reading.subjects import subject_bag
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
    until: str | None
    sources: tuple[tuple[str, int], ...]
    """(path, line)."""
    disputes: tuple[Dispute, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Project:
    name: str | None
    subjects: tuple[Subject, ...]


def projects(claims: Iterable[Claim], conflicts: Iterable[Conflict]) -> tuple[Project, ...]:
    """Sorted by name; what belongs to no project comes last. The same claims give the same, in any order."""
    known = {claim.id: claim for claim in claims}
    disputes = _disputes(conflicts, known)
    found: dict[str | None, dict[tuple[str, ...], list[tuple[Claim, Norm]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for claim in known.values():
        norm = said(claim)
        if norm is not None:
            key = tuple(sorted(subject_bag(norm.subject))) or (norm.subject.casefold(),)
            found[claim.project][key].append((claim, norm))
    return tuple(
        Project(name, tuple(sorted((_subject(g, disputes) for g in groups.values()), key=_by_name)))
        for name, groups in sorted(
            found.items(), key=lambda item: (item[0] is None, (item[0] or "").casefold(), item[0] or "")
        )
    )


def _disputes(conflicts: Iterable[Conflict], known: dict[str, Claim]) -> dict[str, list[Dispute]]:
    """By member."""
    found: dict[str, list[Dispute]] = defaultdict(list)
    for conflict in sorted(conflicts, key=lambda conflict: conflict.id):
        members = [known[id] for id in conflict.members if id in known]
        dispute = Dispute(conflict, conflict_title(conflict, members))
        for member in conflict.members:
            found[member].append(dispute)
    return found


def said(claim: Claim) -> Norm | None:
    """The norm under which a claim stands on a page: an active one that asserts something of a thing."""
    s = claim.statement
    if claim.status != "active" or claim.silent or s.quoted or s.struck:
        return None
    return next((n for n in claim.norms if n.standing == "asserted" and n.subject_kind == "PRESENT"), None)


def _by_name(subject: Subject) -> tuple[str, str]:
    return subject.name.casefold(), subject.name


def _subject(group: list[tuple[Claim, Norm]], disputes: dict[str, list[Dispute]]) -> Subject:
    group = sorted(group, key=lambda pair: _newest_first(pair[0]))
    by_text: dict[str, list[tuple[Claim, Norm]]] = defaultdict(list)
    for claim, norm in group:
        by_text[claim.statement.text].append((claim, norm))
    lines = [_line(text, same, disputes) for text, same in by_text.items()]
    # What is settled comes before what is not.
    lines.sort(key=lambda line: bool(line.disputes))
    return Subject(group[0][1].subject, tuple(lines))


def _newest_first(claim: Claim) -> tuple[object, ...]:
    s = claim.statement
    # A date turned around: each digit against nine.
    date = tuple(-ord(c) for c in s.date) if s.date else ()
    return (s.date is None, date, -claim.trust, s.path, s.line, claim.id)


def _line(text: str, same: list[tuple[Claim, Norm]], disputes: dict[str, list[Dispute]]) -> Line:
    contested = {one.conflict.id: one for claim, _ in same for one in disputes.get(claim.id, ())}
    return Line(
        text,
        same[0][0].statement.date,
        same[0][1].valid_until,
        tuple(dict.fromkeys((claim.statement.path, claim.statement.line) for claim, _ in same)),
        tuple(one for _, one in sorted(contested.items())),
    )
