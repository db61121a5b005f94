"""The title of a conflict: the choice that its keys offer, or the question where one state is in doubt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len

from app.cells import clip
from app.conflicts.side import WeighedWord
from app.conflicts.title_choice import TitleChoice, find_choice, whole_statements
from app.plain import shown

if TYPE_CHECKING:  # keeps the start fast
    from app.words import Claim, Conflict, Kind

ROOMY = 160
"""Cells for a title that may take several lines."""
_MOST_SIDES = 4
"""More sides than this are counted, not named."""
_LEAST_HEAD, _TIGHT_HEAD = 8, 5
_TIGHT = 60
"""In a line shorter than this, the head may be shorter."""
_LABEL = re.compile(r"^(?!.*\b(?:only|no|not|never)\b.*:)(?P<label>[^\W\d][\w'’ -]{1,29}?):\s+\S")
_STILL_HOLDS = re.compile(r"^Does “(?P<said>.+)” still hold\?$")
_BARE = frozenset("is are was were be do does did has have can may must should will not no never".split())
_SAYS_NOTHING = re.compile(r"^(?:the|a|an)\s+(?=\S)|(?<=\S)\s+(?:is|are)$", re.I)


def conflict_title(conflict: Conflict, claims: Iterable[Claim], width: int = ROOMY) -> str:
    """The title of a conflict whose members are among these claims."""
    return title(conflict.kind, conflict.question, sides(conflict, claims), width)


def sides(conflict: Conflict, claims: Iterable[Claim]) -> tuple[str, ...]:
    """What each member says; empty if one is unknown or was redacted."""
    known = {claim.id: claim for claim in claims if claim.status != "redacted"}
    if not known.keys() >= set(conflict.members):
        return ()
    return tuple(_said(known[id], conflict.slot.subject) for id in conflict.members)


def _said(claim: Claim, subject: str) -> str:
    """A sentence in full; for a row or field, what it says about the subject, in the words of the note."""
    statement = claim.statement
    if statement.form in ("sentence", "bullet"):
        return statement.text
    wanted = set(subject.casefold().split())
    norms = [norm for norm in claim.norms if norm.value and norm.value in statement.text]
    best = max(norms, key=lambda norm: len(wanted & set(norm.subject.casefold().split())), default=None)
    return statement.text if best is None else f"{best.subject}: {best.value}"


@lru_cache(maxsize=4096)
def title(kind: Kind, question: str, sides: tuple[str, ...], width: int = ROOMY) -> str:
    """As "Lifejackets are serviced every: 12 months or 24 months?", as plain text in at most `width` cells;
    if necessary shortened in the middle, sparing what differs. Cached, since rows are redrawn often."""
    said = list(dict.fromkeys(_bare(text) for text in sides))
    if kind != "disagreement" or len(said) < 2 or not all(said):
        return clip(_question(shown(question), width), width)
    found = find_choice(said)
    return clip(_begun(_offered(found, width) if found else _quoted(said, width)), width)


def options(sides: Sequence[str]) -> tuple[str, ...]:
    """What each side stands for, as the title puts it ("12 months", "24 months"); empty if they share no
    words."""
    said = [_bare(text) for text in sides]
    apart = list(dict.fromkeys(said))
    found = find_choice(apart) if len(apart) > 1 and all(apart) else None
    if found is None or len(found.options) != len(apart):
        return ()
    # A unit is said with each; so is the rest where an option by itself says nothing ("is", "is not").
    said_by_itself = all(any(word.text.casefold() not in _BARE for word in words) for words in found.options)
    unit = f" {found.tail}" if found.tail and (" " not in found.tail or not said_by_itself) else ""
    named = {text: _joined(words) + unit for text, words in zip(apart, found.options, strict=True)}
    return tuple(named[text] for text in said)


def _bare(text: str) -> str:
    return " ".join(shown(text).split()).rstrip(".!")


def _question(question: str, width: int) -> str:
    """The question; if it is too long, the middle is left out, except numbers."""
    if cell_len(question) <= width:
        return question
    if quoted := _STILL_HOLDS.match(question):
        return f"Still “{_squeezed(_weighed(quoted['said']), width - len('Still “”?'))}”?"
    return _squeezed(_weighed(question), width)


def _weighed(text: str) -> list[WeighedWord]:
    return [WeighedWord(word, int(any(letter.isdigit() for letter in word))) for word in text.split()]


def _offered(found: TitleChoice, width: int) -> str:
    """Head, options and tail; the head gives way first, then the tail, then what the options share."""
    options = [_joined(option) for option in found.options]
    head = f"{found.head}: " if found.head else ""
    tail = f" {found.tail}" if found.tail else ""
    if tail and " " not in found.tail:  # a unit is repeated with each option
        each = f"{head}{_either([option + tail for option in options])}?"
        if cell_len(each) <= width:
            return each
    either = _either(options)
    if cell_len(f"{head}{either}{tail}?") <= width:
        return f"{head}{either}{tail}?"
    head, either = _brief(found, width, unit=tail if " " not in found.tail else "")
    return f"{head}{either}{_begin(tail, width - cell_len(f'{head}{either}?'))}?"


def _brief(found: TitleChoice, width: int, unit: str) -> tuple[str, str]:
    """Head and options. The head keeps a quarter of the line at the expense of what the options share; it
    takes little from what tells them apart, and only in a short line."""
    most = width // 4
    for least in (most, _TIGHT_HEAD) if width < _TIGHT else (most,):
        brief = _shared_out(found.options, width - min(cell_len(found.head), least) - len(": ?"))
        if all(_shows(text, option) for text, option in zip(brief, found.options, strict=True)):
            break
    else:
        least = max(most, _LEAST_HEAD)
        brief = _shared_out(found.options, width - min(cell_len(found.head), least) - len(": ?"))
    either = _either(brief)
    if not found.head:
        return "", either
    room = width - cell_len(either) - len(": ?")
    after = cell_len(unit) if room - cell_len(unit) >= _TIGHT_HEAD else 0
    tail = cell_len(found.tail) + 1 if found.tail and not unit else after
    return (
        f"{_short(found.head, max(min(least, room), room * 2 // 3 if not unit else 0, room - tail))}: ",
        either,
    )


def _shows(text: str, option: Sequence[WeighedWord]) -> bool:
    return all(word.text in text for word in option if word.weight)


def _quoted(said: Sequence[str], width: int) -> str:
    """The statements themselves, if they share no words: "Heating: “electric” or “gas”?"."""
    labels = {found["label"] for text in said if (found := _LABEL.match(text))}
    label = labels.pop() if len(labels) == 1 else ""
    lead = f"{label}: " if label and cell_len(label) + len(": ") <= width // 3 else ""
    words = whole_statements([text.removeprefix(lead) for text in said])
    room = width - cell_len(lead) - 2 * min(len(words), _MOST_SIDES) - len("?")
    return f"{lead}{_either([f'“{text}”' for text in _shared_out(words, room)])}?"


def _shared_out(options: Sequence[Sequence[WeighedWord]], room: int) -> list[str]:
    """The options in `room` cells with the words between them; space left by a short one goes to the
    others."""
    texts = [_joined(option) for option in options]
    named = min(len(options), _MOST_SIDES)
    left = room - cell_len(_either([""] * len(options)))
    # By length, then alphabetically: the order of the members makes no difference.
    for done, n in enumerate(sorted(range(named), key=lambda n: (cell_len(texts[n]), texts[n]))):
        texts[n] = _squeezed(options[n], max(1, left // (named - done)))
        left -= cell_len(texts[n])
    return texts


def _either(options: Sequence[str]) -> str:
    """All of them, as in "A, B or C"."""
    *first, last = options
    if len(first) >= _MOST_SIDES:
        first, last = first[: _MOST_SIDES - 1], f"{len(options) - _MOST_SIDES + 1} more"
    return f"{', '.join(first)} or {last}" if first else last


def _short(head: str, room: int) -> str:
    """The beginning of a sentence: first "the" and "is" are dropped, then the middle."""
    bare = head if cell_len(head) <= room else _SAYS_NOTHING.sub("", head)
    return _squeezed([WeighedWord(word, 0) for word in bare.split()], room)


def _begin(tail: str, room: int) -> str:
    """As many of its first words as fit."""
    if cell_len(tail) <= room:
        return tail
    words = tail.split()
    kept = next((n for n in range(len(words) - 1, 0, -1) if cell_len(" ".join(words[:n])) + 3 <= room), 0)
    return f" {' '.join(words[:kept])} …" if kept else ""


def _squeezed(words: Sequence[WeighedWord], room: int) -> str:
    """The words in `room` cells: light ones are dropped first, starting in the middle."""
    middle = (len(words) - 1) / 2
    order = sorted(range(len(words)), key=lambda n: (words[n].weight, abs(n - middle), -n))
    gone: set[int] = set()
    for n in order[:-1]:
        if cell_len(squeezed := _joined(words, gone)) <= room:
            return squeezed
        gone.add(n)
    squeezed = _joined(words, gone)
    return squeezed if cell_len(squeezed) <= room else clip(words[order[-1]].text, room)


def _joined(words: Sequence[WeighedWord], gone: Iterable[int] = ()) -> str:
    kept = ["…" if n in set(gone) else word.text for n, word in enumerate(words)]
    return " ".join(text for n, text in enumerate(kept) if text != "…" or n == 0 or kept[n - 1] != "…")


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
