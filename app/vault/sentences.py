"""Splitting a block's clean text into sentences, by position."""

from __future__ import annotations

import re

from app.calendar_names import MONTH_BEGINNING, MONTHS

_NEVER_LAST = frozenset(
    """dr mr mrs ms mx prof st sr jr rev hon capt lt col gen sgt messrs vs cf eg ie e.g i.e viz al ed eds
    vol pp fig figs eq sec ch chap art para approx ca circa incl excl resp max min avg ext tel temp
    dept est ref no nr nos p op cit inst gov acct apt ave blvd rd bldg hwy mt ft mtg appt tbd abbr""".split()
)
"""Abbreviations that never end a sentence when a word follows (`no.` and its like: only before a digit)."""
_BEFORE_A_DIGIT = frozenset(
    """no nr nos p pp fig figs eq sec ch chap art para vol max min ref ext tel est ed op""".split()
) | {form for form in MONTHS if len(form) < 5 and form not in ("may", "june", "july")}
_ALSO_WORDS = frozenset("no art ref ed op est max min ave gen hon sec ch ft mt rd inst col temp ext".split())
"""Abbreviations that are words as well: they end a sentence unless a digit or small letter follows."""
_MAY_END = frozenset("etc a.m p.m am pm inc ltd co corp bros plc u.s u.k e.u b.c a.d".split())
_OPEN_WORDS = frozenset(
    """a an the of to in on at by for from with without and or but nor so as is are was were be been has
    have had will would can could should must may might that which who whose our my your his her its
    their this these those not no than then into onto per via between under over about after before if
    when because while""".split()
)
"""Words a line does not end on when its author meant to end it."""

# One class first: the engine then skips from one such character to the next.
_STOP = re.compile(r"[.!?…\n。！？](?:(?<=[\n。！？])|(?<=[.!?…])[.!?…]*[\"'”’»)\]*_]*(?=\s|$))")
_LAST_WORD = re.compile(r"[\w.'’-]{1,40}$")
_LABEL = re.compile(r"\s*[\w'’()/ -]{1,40}:(?:\s|$)")
_FIRST_WORD = re.compile(r"\s*(\S{1,60})")
_GERMAN_DAY = re.compile(rf"\s*{MONTH_BEGINNING}", re.IGNORECASE)
_MIN_WIDTH = 40
_MAX_PARENTHESIS = 300


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The (start, end) of each sentence, outer blanks left out. A line break only ends a sentence
    where the author could have gone on writing on the same line but did not."""
    spans: list[tuple[int, int]] = []
    start = 0
    width = max((len(line) for line in text.split("\n")), default=0) if "\n" in text else 0
    line_start = 0
    for stop in _STOP.finditer(text):
        at, end = stop.span()
        if text[at] == "\n":
            ends = _line_ends(text, line_start, at, width)
            line_start = end
        else:
            ends = _ends(text, start, at, end)
        if ends:
            _add(spans, text, start, end)
            start = end
    _add(spans, text, start, len(text))
    return spans


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    said = text[start:end]
    start += len(said) - len(said.lstrip())
    end = start + len(said.strip())
    if end > start:
        spans.append((start, end))


def _line_ends(text: str, line_start: int, at: int, width: int) -> bool:
    line = text[line_start:at]
    if line.endswith("  "):
        return True
    stripped = line.rstrip()
    following = text[at + 1 : at + 101].partition("\n")[0]
    word = _FIRST_WORD.match(following)
    if not stripped or word is None:
        return False
    first = word.group(1)
    if stripped[-1] in ",;(&/+-–—":
        return False
    last = _LAST_WORD.search(stripped[-40:])
    if last and last.group().lower() in _OPEN_WORDS:
        return False
    if len(stripped) + 1 + len(first) > max(width, _MIN_WIDTH):
        return False
    if first[0].islower():
        return _LABEL.match(following) is not None and _LABEL.match(line) is not None
    return True


def _ends(text: str, start: int, at: int, end: int) -> bool:
    """Whether the stop at `at:end` closes the sentence that began at `start`."""
    rest = text[end : end + 40].lstrip()
    if not rest:
        return True
    if at - start < _MAX_PARENTHESIS:
        opened = text.count("(", start, end) - text.count(")", start, end)
        if opened > 0 or _inside_quotes(text, start, end):
            return False
    following = rest[0]
    if following in "-–—&/|,;":
        return False
    small = following.islower()
    stop = text[at]
    if stop == "!" or stop == "?":
        closed = text[end - 1] in ")]"
        if "?" in text[at:end]:
            return not (small and closed)
        return not small
    if stop == "…" or text.startswith("..", at):
        return not small and not following.isdigit()
    return _period_ends(text, start, at, end, following, small)


def _inside_quotes(text: str, start: int, end: int) -> bool:
    """Whether a quotation opened in this sentence is closed only further on."""
    if text.count('"', start, end) % 2:
        return '"' in text[end : end + _MAX_PARENTHESIS]
    if text.count("“", start, end) > text.count("”", start, end):
        return "”" in text[end : end + _MAX_PARENTHESIS]
    return False


def _period_ends(text: str, start: int, at: int, end: int, following: str, small: bool) -> bool:
    found = _LAST_WORD.search(text[max(start, at - 40) : at])
    if found is None:
        return not small
    word = found.group().lstrip(".'’-")
    plain = word.lower()
    digit = following.isdigit()
    if plain in _MAY_END:
        return not small and not digit
    if plain in _BEFORE_A_DIGIT and digit:
        return False
    if plain in _NEVER_LAST:
        return plain in _ALSO_WORDS and not small and not digit and word != word.title()
    if word.isdigit():
        alone = not text[start : at - len(word)].strip()
        return not alone and not (small or _GERMAN_DAY.match(text, end))
    if len(word) == 1 and word.isalpha() and word.isupper():
        return not _is_initial(text, start, at - 1)
    if "." in word and all(len(part) <= 2 for part in word.split(".")) and not any(c.isdigit() for c in word):
        return not small  # U.S.A. and its like
    # A small letter next: hasty writing after a real word, an unknown abbreviation after a short one.
    return not small or (len(plain) >= 4 and plain.isalpha() and text[end - 1] not in ")]\"”'’»")


def _is_initial(text: str, start: int, at: int) -> bool:
    """Whether the single capital at `at` is an initial ("J. Smith", "Harry S. Truman") and not "plan B."."""
    before = text[max(start, at - 30) : at].rstrip()
    if not before:
        return True
    if before.endswith("."):
        return True
    previous = _LAST_WORD.search(before)
    return (
        previous is not None and previous.group()[0].isupper() and previous.group().lower() not in _OPEN_WORDS
    )
