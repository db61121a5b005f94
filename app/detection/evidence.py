"""All that speaks for or against showing a pair, as one record of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from app.detection.align import ABOUT, Alignment, Difference, How
from app.detection.values_apart import values_apart
from app.detection.word_relations import weight
from app.reading.frame import Reading, Word
from app.reading.subjects import DATE_TITLE
from app.reading.tokens import stem
from app.words import LABELS, Claim, Opinion, Standing

_HOWS: tuple[How, ...] = ("amount", "polarity", "demand", "opposite", "name", "code", "word", "roles")
_DIMENSIONS = ("clock", "date", "weekday", "money", "count", "time", "period")
_NOT_HELD: frozenset[Standing] = frozenset({"planned", "reported", "asked", "hypothetical"})
_OVER: frozenset[Standing] = frozenset({"past", "logged"})
_GATES = (
    "standing", "scope", "time", "exception", "condition", "list", "series", "subject", "project", "session",
    "release", "coexist",
)  # fmt: skip
_FAR_LINES = 60
_LONG_AGO = 720


class Structure(NamedTuple):
    """What the norms of two claims say: a contradiction, agreement, or a gate that keeps them apart."""

    contradicts: bool = False
    agrees: bool = False
    gate: str = ""


@dataclass(frozen=True, slots=True)
class Meeting:
    """How two claims came together: by words they share, by meaning, and how many others are as near."""

    overlap: float = 0.0
    """Weight of the words both use, wherever they stand."""
    rank_a: int = 0
    """How many others share more words with a than b does."""
    rank_b: int = 0
    crowd: int = 0
    """How many claims share about as much with either of them."""
    cosine: float | None = None
    near_a: int = 0
    near_b: int = 0
    alone: bool = False
    """There are no other claims: two statements by themselves."""


def first_sight(a: Claim, b: Claim, meeting: Meeting) -> dict[str, float]:
    """What costs nothing to know of a pair: how it met, where the two stand, how long they are."""
    out: dict[str, float] = {}
    s, t = a.statement, b.statement
    one_note = s.path == t.path
    out["one_note"] = float(one_note)
    out["one_heading"] = float(one_note and s.heading == t.heading)
    out["lines_apart"] = float(min(abs(s.line - t.line), _FAR_LINES) if one_note else _FAR_LINES)
    sizes = sorted((len(s.text.split()), len(t.text.split())))
    out["shorter"], out["longer"] = map(float, sizes)
    out["overlap"] = meeting.overlap
    out["best_rank"], out["worst_rank"] = map(float, sorted((meeting.rank_a, meeting.rank_b)))
    out["crowd"] = float(meeting.crowd)
    if meeting.cosine is not None:
        out["cosine"] = meeting.cosine
        out["best_near"], out["worst_near"] = map(float, sorted((meeting.near_a, meeting.near_b)))
    return out


def evidence(
    a: Claim,
    b: Claim,
    readings: tuple[Reading, Reading],
    alignment: Alignment | None,
    meeting: Meeting,
    held: tuple[Standing, Standing],
    structure: Structure,
    opinion: Opinion | None = None,
) -> dict[str, float]:
    """The record; a is the older. Without the judge's opinion, and without a cosine, what they would tell is
    missing."""
    out = first_sight(a, b, meeting)
    _aligned(out, alignment)
    out |= value_numbers(a.statement.text, b.statement.text)
    _placed(out, a, b)
    _titles(out, a, b, readings)
    _held(out, a, b, held)
    clauses = sorted((len(readings[0].frames), len(readings[1].frames)))
    out["fewer_clauses"], out["more_clauses"] = map(float, clauses)
    out["alone"] = float(meeting.alone)
    out["norms_contradict"], out["norms_agree"] = float(structure.contradicts), float(structure.agrees)
    for gate in _GATES:
        out[f"gate_{gate}"] = float(structure.gate == gate)
    out["gate"] = float(bool(structure.gate))
    if opinion is not None:
        out |= judged_numbers(opinion)
    return out


def value_numbers(a: str, b: str) -> dict[str, float]:
    """How many codes and amounts differ, and how many amounts both give, wherever they stand."""
    values = values_apart(a, b)
    return {
        "codes_apart": float(len(values.codes)),
        "amounts_apart": float(len(values.amounts)),
        "amounts_both": float(len(values.both)),
    }


def judged_numbers(opinion: Opinion) -> dict[str, float]:
    """What the judge says, as part of the record."""
    told = {f"judge_{label}": opinion.of(label) for label in LABELS}
    return told | {
        "judge_alarm": opinion.alarm,
        "judge_bare": opinion.bare_alarm,
        "judge_steady": opinion.steady_alarm,
    }


def _aligned(out: dict[str, float], alignment: Alignment | None) -> None:
    x = alignment
    differences: Sequence[Difference] = x.differences if x else ()
    main = differences[0] if differences else None
    if x:
        only = sorted((x.only_a, x.only_b))
        names = sorted((x.names_a, x.names_b))
        subjects = sorted((x.subject_a, x.subject_b))
        whole = x.shared + x.supplied + x.only_a + x.only_b
        told = (
            ("shared", x.shared), ("shared_words", x.shared_words), ("shared_names", x.shared_names),
            ("shared_subject", x.shared_subject), ("supplied", x.supplied),
            ("only_less", only[0]), ("only_more", only[1]),
            ("names_less", names[0]), ("names_more", names[1]),
            ("subject_less", subjects[0]), ("subject_more", subjects[1]),
            ("share", (x.shared + x.supplied) / whole if whole else 0.0),
            ("same_predicate", x.same_predicate), ("predicates_differ", x.predicates_differ),
            ("equal_amounts", x.equal_amounts), ("condition", x.condition), ("exception", x.exception),
            ("also", x.also), ("only", x.only), ("quantifiers_differ", x.quantifiers_differ),
            ("tenses_differ", x.tenses_differ), ("past_tense", x.past),
            ("future_tense", x.future), ("clauses_not_held", x.not_held),
        )  # fmt: skip
        out.update((name, float(value)) for name, value in told)
    out["aligned"] = float(x is not None)
    out["differences"] = float(len(differences))
    out["in_one_place"] = float(sum(d.same_place for d in differences))
    out["differ_in_subject"] = float(sum(d.role in ABOUT and d.how != "amount" for d in differences))
    out["differ_elsewhere"] = float(sum(d.role not in ABOUT or d.how == "amount" for d in differences))
    out["main_in_one_place"] = float(main is not None and main.same_place)
    for how in _HOWS:
        out[f"main_{how}"] = float(main is not None and main.how == how)
        out[f"any_{how}"] = float(sum(d.how == how for d in differences))
    for dimension in _DIMENSIONS:
        out[f"differs_{dimension}"] = float(any(d.dimension == dimension for d in differences))


def _placed(out: dict[str, float], a: Claim, b: Claim) -> None:
    s, t = a.statement, b.statement
    one_note = s.path == t.path
    out["rows"] = float((s.form == "row") + (t.form == "row"))
    out["fields"] = float((s.form in ("field", "property")) + (t.form in ("field", "property")))
    out["listed"] = float(s.listed + t.listed)
    out["one_list"] = float(
        one_note and s.listed and t.listed and s.parent == t.parent and s.heading == t.heading
    )
    out["layers"] = float(abs(a.trust - b.trust))
    out["trust"] = float(max(a.trust, b.trust))
    out["tasks"] = float((s.task is not None) + (t.task is not None))


def _titles(out: dict[str, float], a: Claim, b: Claim, readings: tuple[Reading, Reading]) -> None:
    x, y = readings
    out["dated_titles"] = float(bool(DATE_TITLE.match(a.note)) + bool(DATE_TITLE.match(b.note)))
    out["one_title"] = float(a.note.casefold() == b.note.casefold())
    spoken_x, spoken_y = _spoken(x), _spoken(y)
    title_x, title_y = _stems(x.title), _stems(y.title)
    said_x, said_y = spoken_x | title_x | _stems(x.around), spoken_y | title_y | _stems(y.around)
    foreign_x = [w for w in x.title if stem(w.lemma) not in said_y]
    foreign_y = [w for w in y.title if stem(w.lemma) not in said_x]
    counts = sorted((_weigh(foreign_x), _weigh(foreign_y)))
    out["title_less"], out["title_more"] = counts
    names = sorted((_names(foreign_x), _names(foreign_y)))
    out["title_names_less"], out["title_names_more"] = map(float, names)
    out["titles_share"] = _weigh(w for w in x.title if stem(w.lemma) in title_y)
    out["in_title"] = _weigh(w for w in x.title if stem(w.lemma) in spoken_y) + _weigh(
        w for w in y.title if stem(w.lemma) in spoken_x
    )
    out["headings_foreign"] = _weigh(w for w in x.around if stem(w.lemma) not in said_y) + _weigh(
        w for w in y.around if stem(w.lemma) not in said_x
    )
    out["headings"] = _weigh((*x.around, *y.around))


def _spoken(reading: Reading) -> set[str]:
    return {stem(w.lemma) for frame in reading.frames for w in frame.words}


def _stems(words: Iterable[Word]) -> set[str]:
    return {stem(w.lemma) for w in words}


def _weigh(words: Iterable[Word]) -> float:
    return float(sum(weight(w.lemma) for w in words))


def _names(words: Sequence[Word]) -> int:
    return sum(w.sort == "name" for w in words)


def _held(out: dict[str, float], a: Claim, b: Claim, held: tuple[Standing, Standing]) -> None:
    old, new = held
    out["old_over"], out["new_over"] = float(old in _OVER), float(new in _OVER)
    out["not_held"] = float((old in _NOT_HELD) + (new in _NOT_HELD))
    out["asked"] = float("asked" in held)
    out["old_changes"] = float(any(norm.change for norm in a.norms))
    out["new_changes"] = float(any(norm.change for norm in b.norms))
    day_a, day_b = a.statement.date, b.statement.date
    out["dated"] = float(bool(day_a) + bool(day_b))
    gap = abs((date.fromisoformat(day_b) - date.fromisoformat(day_a)).days) if day_a and day_b else 0
    out["gap"] = float(min(gap, _LONG_AGO))
    out["by_day"] = float(
        (a.statement.dated_by in ("daily", "inline")) + (b.statement.dated_by in ("daily", "inline"))
    )
    out["ended"] = float(any(norm.valid_until for claim in (a, b) for norm in claim.norms))
    scopes = [dict(norm.scope) for claim in (a, b) for norm in claim.norms[:1]]
    out["scopes_differ"] = float(
        len(scopes) == 2 and any(k in scopes[1] and scopes[1][k] != v for k, v in scopes[0].items())
    )
