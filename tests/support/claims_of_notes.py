"""Claims as detection gets them: small notes through the real reader and the real rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.claims.claim_changes import diff
from app.detection import norm_findings
from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import Verdict, compare
from app.detection.decide import learnt
from app.detection.judge import Opinions
from app.detection.judgement import Judgement, judge
from app.detection.norm_entry import Entry, entries
from app.detection.pair_alone import weigh_pairs
from app.detective import arcs
from app.reading import norm_rules
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Claim, Conflict, Finding, Norm, Note, Opinion

AT = "2026-06-30T12:00:00+00:00"


@dataclass(frozen=True)
class Said:
    """What one note says, before it is read."""

    body: str
    title: str = ""
    date: str | None = None
    front: tuple[tuple[str, str], ...] = ()
    path: str = ""
    logseq: bool = False
    superseded: bool = False


def says(body: str, title: str = "", date: str | None = None, *, path: str = "", **front: str) -> Said:
    """`says("The code is 4411.", "Garage", "2026-03-01", type="decision")`."""
    return Said(body, title, date, tuple(front.items()), path)


def read(said: Said | str, place: int = 0) -> Note:
    said = said if isinstance(said, Said) else Said(said)
    title = said.title or ("Handbook", "Notebook", "Ledger", "Almanac")[place % 4]
    front = dict(said.front)
    if said.date and not said.path and title != said.date:
        front = {"date": said.date, **front}
    head = "---\n" + "".join(f"{key}: {value}\n" for key, value in front.items()) + "---\n" if front else ""
    data = (head + said.body + "\n").encode("utf-8", "surrogatepass")
    return read_note(said.path or f"{title}.md", data, VaultSettings(logseq=said.logseq))


def claims(*notes: Said | str) -> list[Claim]:
    """All claims of the notes, with their norms; two notes of one title are two notes."""
    out: list[Claim] = []
    paths: set[str] = set()
    for place, said in enumerate(notes):
        note = read(said, place)
        if note.path in paths:
            said = said if isinstance(said, Said) else Said(said)
            note = read(replace(said, path=f"{place}/{note.path}", title=note.title), place)
            note = replace(
                note,
                date=said.date,
                statements=tuple(replace(s, date=s.date or said.date) for s in note.statements),
            )
        paths.add(note.path)
        for change in diff({}, [note], retracted={}, moved={}, taken={c.id for c in out}, promoted=(), at=AT):
            claim = replace(change.claim, norms=norm_rules.normalize(change.claim.statement, note))
            out.append(
                replace(claim, status="superseded") if isinstance(said, Said) and said.superseded else claim
            )
    return out


def norms(said: Said | str) -> tuple[Norm, ...]:
    return tuple(norm for claim in claims(said) for norm in claim.norms)


def norm(said: Said | str) -> Norm:
    (only,) = norms(said)
    return only


def entry(said: Said | str, place: int = 0) -> Entry:
    """The one comparable norm of a note."""
    note = replace(said, title=said.title or "Handbook") if isinstance(said, Said) else said
    (only,) = [e for claim in claims(*([""] * place), note) for e in entries(claim)]
    return only


def guard(held: Iterable[Claim]) -> list[Finding]:
    return norm_findings.findings(ClaimIndex(held))


def detect(held: Iterable[Claim]) -> list[Finding]:
    return arcs.findings(ClaimIndex(held))


_LOUDEST = (
    "contradiction (value)",
    "contradiction",
    "coexist",
    "uncertain",
    "consistent",
    "unknown",
    "incomparable",
)


@dataclass(frozen=True)
class Pair:
    """What the guard makes of two notes: the loudest verdict of any two of their norms, and the findings."""

    verdict: Verdict | None
    findings: tuple[Finding, ...]

    @property
    def outcome(self) -> str | None:
        return self.verdict.outcome if self.verdict else None

    @property
    def gate(self) -> str | None:
        return self.verdict.gate if self.verdict else None

    @property
    def conflict(self) -> bool:
        return bool(self.findings)

    @property
    def kinds(self) -> list[str]:
        return [finding.kind for finding in self.findings]


def pair(a: Said | str, b: Said | str) -> Pair:
    """Two notes against each other, by the rules alone."""
    held = claims(a, b)
    first = read(a, 0).path
    left = [e for c in held if c.statement.path == first for e in entries(c)]
    right = [e for c in held if c.statement.path != first for e in entries(c)]
    verdicts = [compare(x, y) for x in left for y in right]
    loudest = min(verdicts, key=lambda v: _LOUDEST.index(v.outcome), default=None)
    return Pair(loudest, tuple(guard(held)))


def shown(held: Sequence[Claim], found: Iterable[Finding | Conflict]) -> list[tuple[str, list[str]]]:
    """Findings or conflicts as (kind, texts of the members), for comparing with what is expected."""
    text = {c.id: c.statement.text for c in held}
    return sorted((f.kind, [text[m] for m in f.members]) for f in found)


def judged(a: Claim, b: Claim, opinion: tuple[float, ...] | None = None) -> Judgement:
    """What `belie judge` says of two claims; with the judge's opinion where it is given."""
    said = Opinion(*opinion) if opinion is not None else None
    (weighed,) = weigh_pairs([(a, b)], [None], Opinions(max(learnt().judges), [said]))
    return judge(a, b, weighed)
