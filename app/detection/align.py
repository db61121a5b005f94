"""Two readings side by side: what both say, what only one says, and what differs in the same place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.detection.word_relations import opposed, same, weight
from app.reading.compare_quantities import relate
from app.reading.frame import Amount, Frame, Reading, Word
from app.reading.tokens import stem

How = Literal["amount", "polarity", "demand", "opposite", "name", "code", "word", "roles"]

ABOUT = frozenset({"subject", "topic", "owner"})
_OPPOSED_DEMANDS = frozenset(
    frozenset(pair)
    for pair in (
        ("must", "must_not"), ("must", "need_not"), ("may", "must_not"), ("should", "should_not"),
        ("should", "must_not"), ("must", "should_not"), ("need_not", "must_not"),
    )
)  # fmt: skip
_RANK: dict[How, int] = {
    "amount": 7, "demand": 6, "polarity": 5, "opposite": 5, "code": 4, "name": 3, "roles": 2, "word": 1,
}  # fmt: skip


class Difference(NamedTuple):
    how: How
    role: str
    a: str
    b: str
    same_place: bool
    """Both stand in the same role to the same word."""
    dimension: str = ""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Weights are sums over words; a word that hardly ever occurs in notes weighs 1."""

    shared: float
    shared_words: int
    shared_names: int
    shared_subject: float
    """Of what is shared, the part that is subject on both sides."""
    supplied: float
    """Words of one side that the title, heading or parent of the other supplies."""
    only_a: float
    only_b: float
    names_a: int
    """Names that only a has."""
    names_b: int
    subject_a: float
    """Words of a's subject that b says nowhere."""
    subject_b: float
    same_predicate: bool
    predicates_differ: bool
    """Both have a verb of their own, and it is not the same."""
    equal_amounts: int
    differences: tuple[Difference, ...]
    condition: bool
    """Only one side, or each another, sets a condition."""
    exception: bool
    also: bool
    """One of them says that it is one of several."""
    only: bool
    quantifiers_differ: bool
    tenses_differ: bool
    past: bool
    future: bool
    not_held: int
    """How many of the two are planned, reported, asked or hypothetical."""

    @property
    def main(self) -> Difference | None:
        return self.differences[0] if self.differences else None

    @property
    def score(self) -> float:
        rank = _RANK[self.differences[0].how] if self.differences else 0
        return self.shared + 0.5 * self.supplied - 0.35 * (self.only_a + self.only_b) + 0.15 * rank


def align(a: Reading, b: Reading) -> Alignment | None:
    """The two clauses that go together best, aligned; None where there is nothing to align."""
    lent_a, lent_b = _lent(a), _lent(b)
    left, right = (
        [(x, _weights(x)) for x in a.frames[:_MOST_FRAMES]],
        [(y, _weights(y)) for y in b.frames[:_MOST_FRAMES]],
    )
    if len(left) == len(right) == 1:
        return align_frames(left[0][0], right[0][0], lent_a, lent_b)
    hopes = [(_hope(v, w, lent_a, lent_b), x, y) for x, v in left for y, w in right]
    best: Alignment | None = None
    for hope, x, y in sorted(hopes, key=lambda one: -one[0]):
        if best is not None and hope < best.score:
            break
        made = align_frames(x, y, lent_a, lent_b)
        if best is None or made.score > best.score:
            best = made
    return best


_MOST_FRAMES = 8
_MISSPELT = 0.5
"""What words that are spelled alike may add to those that have one stem."""


def _weights(frame: Frame) -> dict[str, float]:
    return {stem(word.lemma): weight(word.lemma) for word in frame.words}


def _hope(
    left: Mapping[str, float],
    right: Mapping[str, float],
    lent_left: Collection[str],
    lent_right: Collection[str],
) -> float:
    """The score that two clauses can reach at best, by the words they use."""
    shared = supplied = 0.0
    for one, much in left.items():
        if one in right:
            shared += much
        elif one in lent_right:
            supplied += much
    supplied += sum(much for one, much in right.items() if one not in left and one in lent_left)
    return shared + 0.5 * supplied + _MISSPELT + 0.15 * max(_RANK.values())


def _lent(reading: Reading) -> frozenset[str]:
    return frozenset(stem(word.lemma) for word in (*reading.title, *reading.around))


def align_frames(x: Frame, y: Frame, lent_x: Collection[str] = (), lent_y: Collection[str] = ()) -> Alignment:
    """`lent_x` and `lent_y` are the stems that the surroundings of each supply."""
    matched_x, matched_y = _matches(x.words, y.words)
    rest_x = [w for n, w in enumerate(x.words) if n not in matched_x]
    rest_y = [w for n, w in enumerate(y.words) if n not in matched_y]
    shared = list({stem(x.words[n].lemma): x.words[n] for n in sorted(matched_x, reverse=True)}.values())
    supplied_x = [w for w in rest_x if _among(w, lent_y)]
    supplied_y = [w for w in rest_y if _among(w, lent_x)]
    rest_x = [w for w in rest_x if w not in supplied_x]
    rest_y = [w for w in rest_y if w not in supplied_y]
    differences: list[Difference] = []
    equal, amounts = _amounts(x.amounts, y.amounts)
    differences += amounts
    if frozenset((x.demand, y.demand)) in _OPPOSED_DEMANDS and x.negated == y.negated:
        differences.append(Difference("demand", "", _said(x), _said(y), True))
    elif _denied(x, y):
        differences.append(Difference("polarity", "", _said(x), _said(y), True))
    differences += _opposed_roles(x, y)
    used_x, used_y, found = _substitutions(rest_x, rest_y)
    differences += found
    if not differences and not rest_x and not rest_y and _swapped(x, y):
        differences.append(Difference("roles", "subject", _role(x, "subject"), _role(y, "subject"), True))
    differences.sort(key=lambda d: (d.same_place, _RANK[d.how]), reverse=True)
    left_x = [w for w in rest_x if w not in used_x]
    left_y = [w for w in rest_y if w not in used_y]
    about_x, about_y = ({stem(w.lemma) for w in f.words if w.role in ABOUT} for f in (x, y))
    about_both = about_x & about_y
    return Alignment(
        shared=_weigh(shared),
        shared_words=len(shared),
        shared_names=sum(w.sort == "name" for w in shared),
        shared_subject=_weigh(w for w in shared if stem(w.lemma) in about_both),
        supplied=_weigh((*supplied_x, *supplied_y)),
        only_a=_weigh(left_x),
        only_b=_weigh(left_y),
        names_a=sum(w.sort == "name" for w in left_x),
        names_b=sum(w.sort == "name" for w in left_y),
        subject_a=_weigh(w for w in left_x if w.role in ABOUT),
        subject_b=_weigh(w for w in left_y if w.role in ABOUT),
        same_predicate=same(x.predicate, y.predicate) if x.predicate or y.predicate else True,
        predicates_differ=bool(x.predicate and y.predicate) and not same(x.predicate, y.predicate),
        equal_amounts=equal,
        differences=tuple(differences),
        condition=x.condition != y.condition,
        exception=bool(x.exception or y.exception),
        also="also" in x.quantifiers | y.quantifiers,
        only="only" in x.quantifiers | y.quantifiers,
        quantifiers_differ=x.quantifiers != y.quantifiers,
        tenses_differ=x.tense != y.tense,
        past="past" in (x.tense, y.tense),
        future="future" in (x.tense, y.tense),
        not_held=(x.held != "asserted") + (y.held != "asserted"),
    )


def _weigh(words: Iterable[Word]) -> float:
    return sum(weight(w.lemma) for w in words)


def _matches(left: Sequence[Word], right: Sequence[Word]) -> tuple[set[int], set[int]]:
    """Which words of the one are said by the other, in whatever role; a word said twice is matched by one."""
    stems = {stem(y.lemma) for y in right}
    mine = {n for n, x in enumerate(left) if stem(x.lemma) in stems}
    known = {stem(left[n].lemma) for n in mine}
    theirs = {m for m, y in enumerate(right) if stem(y.lemma) in known}
    by_initial: dict[str, list[int]] = {}  # with another stem, only words that begin alike can be the same
    for m, y in enumerate(right):
        if m not in theirs:
            by_initial.setdefault(y.lemma[:1], []).append(m)
    for n, x in enumerate(left):
        if n not in mine:
            like = [m for m in by_initial.get(x.lemma[:1], ()) if same(x.lemma, right[m].lemma)]
            if like:
                mine.add(n)
                theirs.update(like)
    return mine, theirs


def _among(word: Word, stems: Collection[str]) -> bool:
    return stem(word.lemma) in stems


def _amounts(left: Sequence[Amount], right: Sequence[Amount]) -> tuple[int, list[Difference]]:
    """How many are the same, and those that answer one question differently."""
    equal = 0
    met: list[Difference] = []
    agreed: set[str] = set()
    for x in left:
        for y in right:
            relation = relate(x.quantity, y.quantity)
            if relation == "equal":
                equal += 1
                agreed.add(_dimension(x))
            elif relation == "differ":
                together = x.of == y.of or not x.of or not y.of or same(x.of, y.of)
                met.append(
                    Difference("amount", x.role, x.text, y.text, together and x.role == y.role, _dimension(x))
                )
    return equal, [d for d in met if d.dimension not in agreed]


def _dimension(amount: Amount) -> str:
    return amount.quantity.dimension.split(":")[0].replace("clock12", "clock")


def _denied(x: Frame, y: Frame) -> bool:
    """One says it, the other denies it; a rule against a plain statement counts like one."""

    def stance(f: Frame) -> bool:
        return f.negated != (f.demand in ("must_not", "should_not"))

    return stance(x) != stance(y) and not (x.demand == y.demand == "need_not")


def _said(frame: Frame) -> str:
    if frame.demand:
        return frame.demand.replace("_", " ")
    return "not" if frame.negated else "yes"


def _substitutions(
    left: Sequence[Word], right: Sequence[Word]
) -> tuple[list[Word], list[Word], list[Difference]]:
    """Words that stand in each other's place."""
    scored = []
    for x in left:
        for y in right:
            against = opposed(x.lemma, y.lemma)
            one_role = x.role == y.role or (x.role not in ABOUT and y.role not in ABOUT)
            if not against and (not one_role or (x.sort != y.sort and {x.sort, y.sort} != {"name", "noun"})):
                continue
            if not against and x.sort in ("verb", "adverb"):
                continue
            place = x.role == y.role and (x.of == y.of or same(x.of or "-", y.of or "-"))
            scored.append((against, place, x.role == y.role, weight(x.lemma) + weight(y.lemma), x, y))
    used_x: list[Word] = []
    used_y: list[Word] = []
    found: list[Difference] = []
    for against, place, _, _, x, y in sorted(scored, key=lambda s: s[:4], reverse=True):
        if x in used_x or y in used_y:
            continue
        used_x.append(x)
        used_y.append(y)
        found.append(Difference(_how(x, y, against), x.role, x.lemma, y.lemma, place))
    return used_x, used_y, found


def _how(x: Word, y: Word, against: bool) -> How:
    if against:
        return "opposite"
    if any(c.isdigit() for c in x.lemma) and any(c.isdigit() for c in y.lemma):
        return "code"
    return "name" if "name" in (x.sort, y.sort) else "word"


def _opposed_roles(x: Frame, y: Frame) -> list[Difference]:
    """ "Before lunch" and "after lunch"."""
    return [
        Difference("opposite", v.role, v.role, w.role, True)
        for v in x.words
        for w in y.words
        if v.role != w.role
        and v.role not in ABOUT
        and stem(v.lemma) == stem(w.lemma)
        and opposed(v.role, w.role)
    ]


def _swapped(x: Frame, y: Frame) -> bool:
    """The same words, but who does it and to whom are the other way round."""
    return (
        bool(_role(x, "subject"))
        and _role(x, "subject") == _role(y, "object")
        and _role(x, "object") == _role(y, "subject")
    )


def _role(frame: Frame, role: str) -> str:
    return " ".join(sorted(w.lemma for w in frame.words if w.role == role))
