"""The answers the language model may give about a thread, as a grammar, and how they are checked: the lines
it names must exist, the words it asks about must occur in them, and what the story settles stays settled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple, get_args

from app.conflicts.question import question as plain_question
from app.detection.compare_norms import compare, same_subject
from app.detection.decide import decide_told
from app.detection.norm_entry import entries, spoken_for
from app.detection.pair_gates import closed, dates_tell, how_held, settled_by_structure, worth_judging
from app.detective.arc_settlement import Station, settled
from app.detective.endings import read_endings
from app.detective.mentions import Mention, is_in_story
from app.detective.return_phrases import tells_return
from app.detective.story_words import days_and_numbers, stems
from app.reading.explicit_change import CHANGE_CUE
from app.reading.tokens import LIGHT, STOP, stem, words
from app.words import Claim, Finding, Kind, Reason, Slot

MAX_TOKENS = 90
_KINDS: dict[str, Kind] = {name: name for name in get_args(Kind)}
_STARTERS = (
    "Is", "Are", "Was", "Were", "Does", "Do", "Did", "Has", "Have", "Can", "May", "Must", "Should", "Will",
)  # fmt: skip
_LONGEST_QUESTION = 140
MOST_MEMBERS = 6
# Words a question may add: they ask about the state of things and name nothing.
_ASKING = frozenset(
    stem(word)
    for word in """
    still again now currently current really actually already ever back longer anymore instead use used using
    valid true correct right hold holds apply applies change changed switch switched move moved return
    returned place rule case day today same only other than rather both one two yet after all
    """.split()
)
_EXCEPTION = re.compile(
    r"\bexceptions?\b(?! (?:is|are|was|were) (?:gone|over))|\bexcept (?:for|on|in|at|when)\b", re.I
)
_CAPITAL = re.compile(r"[A-Z0-9]")


class ThreadAnswer(NamedTuple):
    """What the model says about a thread."""

    kind: Kind
    members: tuple[str, ...]
    """Claim ids, oldest first."""
    question: str | None
    """None if its wording is unusable; the plain question is then used."""


def _literal(text: str) -> str:
    return f'"{text}"'


KIND_AND_QUESTION = (
    f"kind ::= {' | '.join(map(_literal, _KINDS))}",
    f"starter ::= {' | '.join(map(_literal, _STARTERS))}",
    f'question ::= starter " " [^|?\\n\\t]{{4,{_LONGEST_QUESTION}}} "?"',
)
"""Grammar rules: the kinds, and a yes/no question."""


def grammar(lines: int) -> str:
    """GBNF for what follows a yes: a kind, two or more lines in order, a yes/no question."""
    rules = [
        'root ::= " | " kind " | " two " | " question',
        f"two ::= {' | '.join(f's{n}' for n in range(1, lines))}",
        *KIND_AND_QUESTION,
    ]
    for n in range(1, lines + 1):
        later = " | ".join(f"t{m}" for m in range(n + 1, lines + 1))
        if later:
            rules.append(f's{n} ::= "{n} " ({later})')
        rules.append(f't{n} ::= "{n}"' + (f' (" " ({later}))?' if later else ""))
    return "\n".join(rules)


class NamedLines(NamedTuple):
    """An answer before its lines are resolved to claims."""

    kind: Kind
    places: tuple[int, ...]
    """Lines in order, from 0."""
    asked: str


def read_named_lines(answer: str, lines: int) -> NamedLines | None:
    """A kind, numbers of existing lines, a question; None if it cannot be used at all."""
    parts = [part.strip() for part in answer.strip().removeprefix("|").split("|")]
    if len(parts) < 2 or parts[0] not in _KINDS:
        return None
    known = {str(place + 1): place for place in range(lines)}
    numbers = parts[1].split()
    if not known.keys() >= set(numbers):
        return None
    places = sorted({known[n] for n in numbers})
    if not 2 <= len(places) <= MOST_MEMBERS:
        return None
    return NamedLines(_KINDS[parts[0]], tuple(places), parts[2] if len(parts) > 2 else "")


def read_answer(answer: str, thread: Sequence[Claim]) -> ThreadAnswer | None:
    """What an answer says after its yes; None if it cannot be used at all."""
    said = read_named_lines(answer, len(thread))
    return grounded(said, thread) if said is not None else None


def grounded(said: NamedLines, thread: Sequence[Claim]) -> ThreadAnswer:
    """The claims it names, with its question only if everything in it occurs in them."""
    members = [thread[place] for place in said.places]
    return ThreadAnswer(
        said.kind, tuple(c.id for c in members), said.asked if _sound(said.asked, members) else None
    )


def _sound(asked: str, members: Sequence[Claim]) -> bool:
    """Is it a yes/no question, and does everything it names occur in the lines?"""
    if not asked.endswith("?") or asked.count("?") > 1 or len(asked) > _LONGEST_QUESTION:
        return False
    if asked.split(" ")[0] not in _STARTERS:
        return False
    there = {
        stem(word)
        for claim in members
        for text in (claim.statement.text, claim.note, claim.statement.parent or "", *claim.statement.heading)
        for word in words(text)
    }
    named = [word for word in words(asked.split(" ", 1)[-1]) if word.lower() not in STOP]
    strange = [w for w in named if stem(w) not in there and stem(w) not in _ASKING and stem(w) not in LIGHT]
    if any(_CAPITAL.search(word) for word in strange):
        return False
    known = [word for word in named if stem(word) in there]
    return bool(known) and len(strange) <= len(known) // 2


def finding(said: ThreadAnswer, thread: Sequence[Claim], sure: float) -> Finding | None:
    """What the model found, if the rules allow it."""
    by_id = {claim.id: claim for claim in thread}
    members = [by_id[id] for id in said.members if id in by_id]
    if len(members) != len(said.members) or not all(is_in_story(c) for c in members):
        return None
    if settled_in_words(_with_tellers(members, thread)) or _excepted(members):
        return None
    if not any(_open(a, b) for a, b in combinations(members, 2)) and not turns_back(members):
        return None
    oldest = spoken_for(members[0])
    about = oldest.norm.subject or members[0].note
    layers = len({c.layer for c in members}) > 1
    projects = {c.project for c in members}
    slot = Slot(
        "cross_layer" if layers else "memory_slot",
        about,
        ("thread", *said.members),
        (members[0].project or "") if len(projects) == 1 else "",
    )
    why = Reason(
        "thread", said.kind, "MED", f"{sure:.0%} sure that a reader of today would not know what holds"
    )
    asked = said.question or plain_question(oldest)
    decision = decide_told(sure)
    return Finding(
        _kind(said.kind, members),
        said.members,
        slot,
        decision.tier,
        decision.probability,
        asked,
        "detective",
        (why,),
    )


def _open(a: Claim, b: Claim) -> bool:
    """Could these two contradict each other, according to the rules? a is the older."""
    if not worth_judging(a) or not worth_judging(b):
        return False
    return closed(a, b) is None and not settled_by_structure(a, b)


def turns_back(members: Sequence[Claim]) -> bool:
    """Is there an explicit change, with something before and after it?"""
    return any(_in_words(c) for c in members[1:-1]) and all(worth_judging(c) for c in members)


def _excepted(members: Sequence[Claim]) -> bool:
    """Is there an explicit exception? A rule, its exception and its use are compatible."""
    return any(_EXCEPTION.search(claim.statement.text) for claim in members[1:])


def _kind(said: Kind, members: Sequence[Claim]) -> Kind:
    """A reversal has three stations, one of them an explicit change; stale needs dates that show it."""
    first, last = members[0], members[-1]
    if said == "reversal" and not turns_back(members):
        said = "stale"
    return "disagreement" if said == "stale" and not dates_tell(first, last) else said


def _with_tellers(members: Sequence[Claim], thread: Sequence[Claim]) -> list[Claim]:
    """The lines the model named, and those that announce a change in their subject: a settled story stays
    settled if the model skips the line that settles it."""
    ids = {claim.id for claim in members}
    turns = [turn for claim in members for turn in _turns(claim)]
    return [
        claim
        for claim in thread
        if claim.id in ids
        or (
            is_in_story(claim)
            and (_in_words(claim) or any(tells_return(Mention(claim), *turn) for turn in turns))
            and any(_akin(claim, member) for member in members)
        )
    ]


def _akin(teller: Claim, member: Claim) -> bool:
    """Are both about one thing for someone who reads them together? Two separate notes would have to share
    more."""
    if any(x.subject & y.subject for x in entries(teller) for y in entries(member)):
        return True
    named = frozenset().union(*(was | now for was, now in _turns(teller)), Mention(teller).names)
    return bool((named - days_and_numbers(named)) & Mention(member).stems)


def settled_in_words(members: Sequence[Claim]) -> bool:
    """The settlement test of arcs, for lines whose agreement only the rules know."""
    sides: list[list[Claim]] = []
    stations = []
    for claim in members:
        home = next((n for n, side in enumerate(sides) if any(_agree(claim, c) for c in side)), None)
        back = _back_to(claim, sides)
        home = back if home is None else home
        if home is None:
            home = len(sides)
            sides.append([])
        sides[home].append(claim)
        stations.append(Station(claim.statement.date, str(home), back is not None or _in_words(claim)))
    return settled(stations)


def _in_words(claim: Claim) -> bool:
    """Does it say explicitly that something changed or ended?"""
    if any(norm.change is not None for norm in claim.norms):
        return True
    text = claim.statement.text
    return how_held(claim) == "asserted" and bool(CHANGE_CUE.search(text) or any(read_endings(text)))


def _turns(claim: Claim) -> list[tuple[frozenset[str], frozenset[str]]]:
    """What a line says was before and what replaced it, as words."""
    changes = [norm.change for norm in claim.norms if norm.change is not None]
    said = [(stems(c.was or ""), stems(c.now or "")) for c in changes]
    if not said and how_held(claim) == "asserted":
        said = [(e.was, e.now) for e in read_endings(claim.statement.text)]
    return [(was - now, now - was) for was, now in said]


def _back_to(claim: Claim, sides: Sequence[Sequence[Claim]]) -> int | None:
    """ "Back on X" after a change from X: the side that says X."""
    mention = Mention(claim)
    for was, now in (turn for side in sides for changed in side for turn in _turns(changed)):
        if was and tells_return(mention, was, now):
            return next((n for n, side in enumerate(sides) if any(_says(c, was) for c in side)), None)
    return None


def _says(claim: Claim, value: frozenset[str]) -> bool:
    """Does it say this, or does its change lead to it?"""
    turns = _turns(claim)
    spoken = [now for _, now in turns] if turns else [Mention(claim).stems]
    return bool(value) and any(value <= one for one in spoken)


def _agree(a: Claim, b: Claim) -> bool:
    if a.statement.text.casefold() == b.statement.text.casefold():
        return True
    if any(
        same_subject(x, y) and compare(x, y).outcome == "consistent" for x in entries(a) for y in entries(b)
    ):
        return True
    return any(_says(y, now) for x, y in ((a, b), (b, a)) for _, now in _turns(x) if _akin(x, y))
