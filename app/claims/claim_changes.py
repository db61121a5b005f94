"""What became of each claim when notes changed: a pure function of the known claims and the current notes."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rapidfuzz import fuzz

from app.claims.ids import claim_id
from app.store.changes import ClaimChange, Gone
from app.words import Claim, Note, Statement, Status

_FLOOR = 55.0
"""How alike (of 100) two texts must be for one to be the other reworded."""
_NEAR = 3
"""Lines apart that still count as the same place in a note."""
_MOST_PAIRS = 40_000
"""With more pairs than this, only those close together in the note are compared."""


@dataclass(slots=True)
class _Change:
    """One note being matched: statements that still need a claim, and claims that still need a statement."""

    note: Note
    old: list[Claim]
    past: list[Claim]
    """Retracted earlier; their text may have come back."""
    found: dict[int, Claim] = field(default_factory=dict)
    """Statement (by its place in the note) to the claim it turned out to be."""
    open: dict[int, Statement] = field(default_factory=dict)
    reworded: dict[int, str] = field(default_factory=dict)


def diff(
    old: Mapping[str, Sequence[Claim]],
    notes: Iterable[Note | Gone],
    *,
    retracted: Mapping[str, Sequence[Claim]] | None = None,
    moved: Mapping[str, str] | None = None,
    taken: Container[str] = (),
    promoted: Container[str] = (),
    at: str = "",
) -> list[ClaimChange]:
    """What became of the claims of a batch of notes.

    `old` and `retracted` hold the current and the retracted claims by path, for every note named here (a
    moved note: under its old path). A note that cannot be read is not named, and nothing of it changes.
    `moved` maps new paths to old ones, `taken` knows every id ever assigned, `promoted` those a person made
    active although their note is a draft, and `at` is the time of first sight.

    Same text is the same claim: in its note first, then (cut here, pasted there) in another note of the
    batch, then among what was retracted from the note before. What is left over on both sides of one
    note is paired up as rewordings; the rest is new, or gone.
    """
    notes = list(notes)
    came_from = dict(moved or {})
    left_behind = set(came_from.values())

    def source(path: str) -> str | None:
        """The path under which a note's claims are known. If a path is used again after its note moved away,
        it belongs to a new note."""
        return came_from.get(path) or (None if path in left_behind else path)

    def known(claims: Mapping[str, Sequence[Claim]] | None, path: str) -> list[Claim]:
        where = source(path)
        found = (claims or {}).get(where, ()) if where is not None else ()
        return sorted(found, key=lambda claim: (claim.statement.line, claim.id))

    present = {note.path: note for note in notes if isinstance(note, Note)}
    gone = sorted({note.path for note in notes if isinstance(note, Gone)} - present.keys() - left_behind)
    changes = [
        _Change(
            note,
            [claim for claim in known(old, path) if claim.status not in ("retracted", "redacted")],
            [claim for claim in known(retracted, path) if claim.status == "retracted"],
            open=dict(enumerate(note.statements)),
        )
        for path, note in sorted(present.items())
    ]
    lost = [
        claim for path in gone for claim in known(old, path) if claim.status not in ("retracted", "redacted")
    ]

    for change in changes:
        _match_in_note(change, change.old)
    lost = _match_across(changes, lost)
    for change in changes:
        _match_in_note(change, change.past)
        _match_rewordings(change)

    ids = _Ids(taken)
    result: list[ClaimChange] = []
    for change in changes:
        result += _changes_of(change, ids, promoted, at)
    result += [_retracted(claim, claim.statement.path) for claim in lost]
    return result


def by_note(changes: Iterable[ClaimChange]) -> dict[str, tuple[ClaimChange, ...]]:
    """The changes by the note each belongs to from now on."""
    groups: dict[str, list[ClaimChange]] = defaultdict(list)
    for change in changes:
        groups[change.path].append(change)
    return {path: tuple(group) for path, group in groups.items()}


class _Ids:
    """Ids given before, or in this batch."""

    def __init__(self, taken: Container[str]) -> None:
        self._taken = taken
        self._given: set[str] = set()

    def __contains__(self, id: object) -> bool:
        return id in self._given or id in self._taken

    def give(self, statement: Statement) -> str:
        id = claim_id(statement.path, statement.heading, statement.text, statement.ordinal, self)
        self._given.add(id)
        return id


# Each looser than the one before, so that equal texts in one note are told apart as far as possible.
_KEYS: tuple[Callable[[Statement], Hashable], ...] = (
    lambda s: (s.text, s.form, s.heading, s.ordinal),
    lambda s: (s.text, s.heading),
    lambda s: s.text,
)


def _match_in_note(change: _Change, claims: list[Claim]) -> None:
    """Give statements the claims that say the same; unmatched claims stay in `claims`."""
    for key in _KEYS:
        if not (claims and change.open):
            return
        waiting: dict[Hashable, deque[Claim]] = defaultdict(deque)
        for claim in claims:
            waiting[key(claim.statement)].append(claim)
        for place, statement in list(change.open.items()):
            same = waiting.get(key(statement))
            if same:
                change.found[place] = same.popleft()
                del change.open[place]
        left = {claim.id for same in waiting.values() for claim in same}
        claims[:] = [claim for claim in claims if claim.id in left]


def _match_across(changes: list[_Change], lost: list[Claim]) -> list[Claim]:
    """Match text cut from one note and pasted into another; returns what is left of `lost` (from deleted
    notes)."""
    pools = (*(change.old for change in changes), lost)
    for key in _KEYS[1:]:
        waiting: dict[Hashable, deque[Claim]] = defaultdict(deque)
        for claims in pools:
            for claim in claims:
                # The same frontmatter in two notes says two different things.
                if claim.statement.form != "property":
                    waiting[key(claim.statement)].append(claim)
        if not waiting:
            return lost
        for change in changes:
            for place, statement in list(change.open.items()):
                if statement.form == "property" or not waiting.get(key(statement)):
                    continue
                change.found[place] = waiting[key(statement)].popleft()
                del change.open[place]
        matched = {claim.id for change in changes for claim in change.found.values()}
        for claims in pools:
            claims[:] = [claim for claim in claims if claim.id not in matched]
    return lost


def _match_rewordings(change: _Change) -> None:
    """Pair removed claims with new statements, the most alike first."""
    few = len(change.old) * len(change.open) <= _MOST_PAIRS
    scored = [
        (-score, abs(claim.statement.line - statement.line), n, place)
        for n, claim in enumerate(change.old)
        for place, statement in change.open.items()
        if (few or abs(claim.statement.line - statement.line) <= _NEAR)
        and (score := _likeness(claim.statement, statement)) >= _FLOOR
    ]
    used: set[int] = set()
    for _, _, n, place in sorted(scored):
        if n not in used and place not in change.reworded:
            used.add(n)
            change.reworded[place] = change.old[n].id


def _likeness(a: Statement, b: Statement) -> float:
    if a.heading != b.heading and abs(a.line - b.line) > _NEAR:
        return 0.0
    if a.key is not None and a.key == b.key and a.form == b.form:
        return 100.0  # the same field with another value
    return fuzz.ratio(a.text, b.text, score_cutoff=_FLOOR)


def _changes_of(change: _Change, ids: _Ids, promoted: Container[str], at: str) -> Iterable[ClaimChange]:
    note = change.note
    for place, statement in enumerate(note.statements):
        before = change.found.get(place)
        if before is None:
            claim = Claim(
                id=ids.give(statement),
                statement=statement,
                note=note.title,
                layer=note.layer,
                entity=note.entity,
                project=note.project,
                status="candidate" if note.draft else "active",
                silent=note.silent,
                aliases=note.aliases,
                properties=note.properties,
                first_seen=at,
                previous=change.reworded.get(place),
            )
            yield ClaimChange("added", claim)
            continue
        claim = replace(
            before,
            statement=statement,
            note=note.title,
            layer=note.layer,
            entity=note.entity,
            project=note.project,
            status=_status(before, draft=note.draft and before.id not in promoted),
            silent=note.silent,
            aliases=note.aliases,
            properties=note.properties,
        )
        if before.status == "retracted":
            yield ClaimChange("returned", claim, before)
        elif before.statement.path != statement.path:
            yield ClaimChange("moved", claim, before)
        else:
            yield ClaimChange("kept" if claim == before else "updated", claim, before)
    for claim in change.old:
        yield _retracted(claim, note.path)


def _status(before: Claim, *, draft: bool) -> Status:
    if before.superseded_by is not None:
        return "superseded"  # a decision outlasts the text's absence
    return "candidate" if draft else "active"


def _retracted(claim: Claim, path: str) -> ClaimChange:
    """The text is gone from the note; the claim follows its note if that moved."""
    gone = replace(claim, status="retracted", statement=replace(claim.statement, path=path))
    return ClaimChange("retracted", gone, claim)
