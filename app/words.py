"""The words of the design as frozen dataclasses; every stage of the flow speaks in these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

Standing = Literal["asserted", "planned", "reported", "asked", "hypothetical", "past", "logged"]
Modality = Literal["is", "is_not", "must", "must_not", "should", "should_not", "may", "may_not"]
SubjectKind = Literal["PRESENT", "FUZZY", "MISSING"]
Object = Literal[
    "enabled", "disabled", "used", "unused", "required", "allowed", "forbidden", "added", "removed",
    "open", "closed", "started", "finished", "approved", "rejected", "owned", "located", "scheduled",
    "costs", "measures", "equals", "prefers", "has", "lacks", "other",
]  # fmt: skip
Form = Literal["sentence", "bullet", "row", "field", "property"]
Layer = Literal["memory", "entity", "state"]
Status = Literal["candidate", "active", "superseded", "retracted", "redacted"]
Kind = Literal["disagreement", "reversal", "stale"]
Tier = Literal["clean", "warn", "block"]
Confidence = Literal["HIGH", "MED", "LOW"]
Both = frozenset[str]
"""The ids of the two claims of a pair, in no order."""

TRUST: dict[Layer, int] = {"memory": 1, "entity": 2, "state": 3}
Label = Literal["conflict", "outdated", "settled", "compatible", "unrelated"]
"""What two statements are to each other, the first the older."""
LABELS: tuple[Label, ...] = get_args(Label)
KIND_WEIGHT: dict[Kind, int] = {"disagreement": 1, "stale": 2, "reversal": 3}
"""Of several kinds a conflict has the weightiest."""
TIER_WEIGHT: dict[Tier, int] = {"clean": 0, "warn": 1, "block": 2}
SCOPE_KEYS = ("env", "team", "tenant", "person", "place", "project", "version")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, bullet, table row, frontmatter property or inline field of a note.

    `quote` is the source as written (whole lines joined by newline, outer blanks stripped);
    `text` is what a reader sees: markup, block ids, list markers and embeds gone.
    """

    path: str
    line: int
    end_line: int
    quote: str
    text: str
    form: Form
    heading: tuple[str, ...] = ()
    parent: str | None = None
    """The text of the bullet (or lead-in line ending in a colon) this one hangs under."""
    before: str | None = None
    """The sentence just before, in the same block."""
    after: str | None = None
    """The sentence just after, in the same block: an answer after a question, a reason after a rule."""
    date: str | None = None
    """ISO date (YYYY-MM-DD) the statement itself carries or its note gives it; None is undated."""
    dated_by: Literal["inline", "daily", "frontmatter", "none"] = "none"
    time: str | None = None
    """Leading clock time of a log line, HH:MM."""
    ordinal: int = 0
    """Counts equal texts under the same heading of one note, from 0."""
    quoted: bool = False
    """Stands in a block quote (a callout that is the person's own voice does not count)."""
    struck: bool = False
    task: Literal["open", "done"] | None = None
    listed: bool = False
    """A list item (also when split into sentences)."""
    key: str | None = None
    """For form field/property: the key. For a row: the text of its first cell."""
    cells: tuple[tuple[str, str], ...] = ()
    """For a row: (column header, cell text), the first cell included."""
    tags: tuple[str, ...] = ()
    content_hash: str = ""
    """blake2b-128 hex of the text; equal texts have equal hashes."""
    in_line: int = 0
    """Counts the statements that begin on the same line, from 0."""


@dataclass(frozen=True, slots=True)
class Note:
    """One Markdown file, read."""

    path: str
    content_hash: str
    title: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    """Scalar frontmatter as (key, text), lists joined by ', '; `date`, `tags` and the like included."""
    date: str | None = None
    project: str | None = None
    layer: Layer = "memory"
    entity: str | None = None
    """The entity type (`decision`, `component` …) when layer is entity, or when a canon note has one."""
    draft: bool = False
    """`status: draft` or a folder the person named: its claims are candidates."""
    silent: str | None = None
    """Why no claim of this note takes part in conflicts ("archive folder", "not in English"), else None."""
    statements: tuple[Statement, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be read ("broken frontmatter, line 3"); for `belie doctor`, never an error."""


class Known(NamedTuple):
    """A note's file as it was when it was last read; a tuple, since a start makes one for every note."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    content_hash: str
    indexed_ns: int = 0
    """The clock when it was read."""


@dataclass(frozen=True, slots=True)
class Change:
    """An explicit change: "from X to Y"; either side may be unknown."""

    was: str | None
    now: str | None


@dataclass(frozen=True, slots=True)
class Norm:
    """The structured form of a statement."""

    subject: str
    subject_kind: SubjectKind = "PRESENT"
    standing: Standing = "asserted"
    modality: Modality = "is"
    object: Object = "other"
    value: str | None = None
    scope: tuple[tuple[str, str], ...] = ()
    valid_from: str | None = None
    valid_until: str | None = None
    change: Change | None = None
    by: Literal["rules", "llama"] = "rules"
    sure: bool = True
    """The rules read the whole statement; what they did not goes to the model normalizer."""
    single: bool = False
    """The slot holds one value at a time ("the code is", "runs on"), so two values disagree."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement held in the store, with its norms."""

    id: str
    statement: Statement
    note: str
    """The note's title."""
    norms: tuple[Norm, ...] = ()
    layer: Layer = "memory"
    entity: str | None = None
    project: str | None = None
    status: Status = "active"
    silent: str | None = None
    aliases: tuple[str, ...] = ()
    """The note's other names; they help to recognise a subject."""
    properties: tuple[tuple[str, str], ...] = ()
    first_seen: str = ""
    superseded_by: str | None = None
    previous: str | None = None

    @property
    def trust(self) -> int:
        return TRUST[self.layer]


class Opinion(NamedTuple):
    """What a judge said of a pair, the older first: a probability for each label."""

    conflict: float
    outdated: float
    settled: float
    compatible: float
    unrelated: float
    bare: float | None = None
    """The alarm at the two texts alone, without what they stand in; None if it was not asked."""

    @property
    def alarm(self) -> float:
        """How sure it is that both cannot hold today."""
        return self.conflict + self.outdated

    @property
    def bare_alarm(self) -> float:
        return self.alarm if self.bare is None else self.bare

    @property
    def steady_alarm(self) -> float:
        """Its alarm with and without the surroundings, in the mean."""
        return (self.alarm + self.bare_alarm) / 2

    @property
    def label(self) -> Label:
        return max(LABELS, key=self.of)

    @property
    def finds_outdated(self) -> bool:
        """The newer outdates the older, rather than contradicting it."""
        return self.outdated > self.conflict

    def of(self, label: Label) -> float:
        return float(getattr(self, label))


@dataclass(frozen=True, slots=True)
class Reason:
    """What one stage said about a pair or an arc, in plain words."""

    stage: str
    verdict: str
    confidence: Confidence
    detail: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Two or more claims that a stage holds against each other; not yet a conflict."""

    kind: Kind
    members: tuple[str, ...]
    """Claim ids, oldest first."""
    slot: Slot
    tier: Tier
    confidence: float
    question: str
    found_by: Literal["guard", "detective"]
    reasons: tuple[Reason, ...]
    differs: tuple[str, ...] = ()
    """What differs, in the words of each member; empty where it cannot be pointed at."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The thing a claim fills."""

    kind: Literal["memory_slot", "entity_slot", "cross_layer"]
    subject: str
    """For people."""
    key: tuple[str, ...] = ()
    """What identifies it: (type, project, subject, aspect …)."""
    project: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Findings merged: what the person is shown."""

    id: str
    kind: Kind
    members: tuple[str, ...]
    slot: Slot
    tier: Tier
    confidence: float
    question: str
    found_by: tuple[str, ...]
    reasons: tuple[Reason, ...]
    status: Literal["open", "resolved", "dismissed"] = "open"
    snoozed_until: str | None = None
    resolution: str = ""
    detected_at: str = ""
    resolved_at: str | None = None
    winner: str | None = None
