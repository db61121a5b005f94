"""One name for one thing across a vault: aliases of notes, links and abbreviations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from app.detection.statement_links import Link, links
from app.reading.abbreviations import introduced
from app.reading.subjects import DATE_TITLE, generic, proper, readable, subject_bag
from app.reading.tokens import LIGHT, STOP, WORD, stem, words
from app.words import Claim

Phrase = tuple[str, ...]
"""A name as its stems, in order."""
_LONGEST = 6
"""Words of a name; what is longer is a sentence."""
_Key = TypeVar("_Key")
_What = TypeVar("_What")
_Word = tuple[str, int, int]
"""A word of a text, and where it stands."""


class Meant(NamedTuple):
    """What a phrase stands for."""

    name: str
    short: str = ""
    """The abbreviation to the letter; "" for an alias."""


class Spoken(NamedTuple):
    """A subject with one name for each thing."""

    subject: str
    shown: frozenset[str] = frozenset()
    """Words that only a link puts in the place of a note's name: they may mean something described there."""


class Changed(NamedTuple):
    """What means something else than before: phrases, and files as links name them."""

    phrases: frozenset[Phrase]
    files: frozenset[str]


class Names:
    """What the notes of a vault go by. A name that two notes share, or that is a note's own title, stands for
    itself. What is held depends on the claims alone, never on the order in which they came."""

    def __init__(self) -> None:
        self._notes: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
        """Claims by path, title and aliases of their note."""
        self._titles: dict[Phrase, Counter[str]] = {}
        """Titles and aliases, to the titles of the notes they belong to."""
        self._files: dict[str, Counter[str]] = {}
        self._longs: dict[Phrase, Counter[tuple[str, str, bool]]] = {}
        """Abbreviations: what for, how written, and whether a note of that name says so."""
        self._meant: dict[Phrase, Meant] = {}
        self._begins: defaultdict[str, set[Phrase]] = defaultdict(set)
        """The phrases that mean something, by their first stem."""
        self._changed: set[Phrase] = set()
        self._changed_files: set[str] = set()

    def add(self, claim: Claim) -> None:
        self._count(claim, 1)

    def remove(self, claim: Claim) -> None:
        self._count(claim, -1)

    def take_changed(self) -> Changed | None:
        """What changed its meaning since this was last asked."""
        if not self._changed and not self._changed_files:
            return None
        changed = Changed(frozenset(self._changed), frozenset(self._changed_files))
        self._changed, self._changed_files = set(), set()
        return changed

    def spoken(self, subject: str, claim: Claim) -> Spoken:
        """A subject of a claim as the rest of the vault would name it."""
        shown: frozenset[str] = frozenset()
        for link in links(claim.statement.quote):
            subject, words_shown = self._followed(subject, link)
            shown |= words_shown
        return Spoken(self._renamed(subject, claim.statement.text), shown)

    # what is held
    def _count(self, claim: Claim, by: int) -> None:
        for found in introduced(claim.statement.text):
            phrase = phrase_of(found.short)
            if not generic(frozenset(phrase)):
                own = phrase_of(readable(claim.note)) == phrase
                _counted(self._longs, phrase, (found.long.casefold(), found.short, own), by)
                self._look_again(phrase)
        note = (claim.statement.path, claim.note, claim.aliases)
        known = self._notes[note]
        self._notes[note] = known + by
        if known and known + by:
            return  # other claims say the same of it
        if not known + by:
            del self._notes[note]
        file = claim.statement.path.rsplit("/", 1)[-1].rsplit(".", 1)[0].casefold()
        before = self._called(file)
        _counted(self._files, file, claim.note, by)
        if phrase_of(self._called(file)) != phrase_of(before):
            self._changed_files.add(file)
        for phrase in _names_of(claim):
            was_there = phrase in self._titles
            _counted(self._titles, phrase, claim.note, by)
            self._look_again(phrase)
            if was_there != (phrase in self._titles):
                self._changed.update(self._hidden(phrase))

    def _look_again(self, phrase: Phrase) -> None:
        now = self._resolved(phrase)
        if now == self._meant.get(phrase):
            return
        self._changed.add(phrase)
        if now is None:
            del self._meant[phrase]
            self._begins[phrase[0]].discard(phrase)
        else:
            self._meant[phrase] = now
            self._begins[phrase[0]].add(phrase)

    def _resolved(self, phrase: Phrase) -> Meant | None:
        longs = self._longs.get(phrase) or Counter()
        if phrase in self._titles:
            title = _only(self._titles[phrase])
            if title is None or phrase_of(title) != phrase:
                return None if title is None else Meant(title)
            if not any(own for _, _, own in longs):
                return None  # what names a note is no abbreviation of something else
        if len({short for _, short, _ in longs}) != 1 or len({phrase_of(long) for long, _, _ in longs}) != 1:
            return None
        long, short, _ = min(longs)
        return Meant(long, short)

    def _hidden(self, title: Phrase) -> Iterator[Phrase]:
        """Names that begin within a longer one, which stands for its own note."""
        for at, one in enumerate(title):
            for phrase in self._begins.get(one, ()):
                if phrase != title and title[at : at + len(phrase)] == phrase[: len(title) - at]:
                    yield phrase

    def _called(self, file: str) -> str:
        """What a file is called: as its note is, where there is one of that name."""
        return _only(self._files.get(file.casefold())) or readable(file)

    # how it is said
    def _followed(self, subject: str, link: Link) -> tuple[str, frozenset[str]]:
        """The subject with a link's note in the place of what the link shows. Where that is all there is, it
        may be an aspect of the note as well as its name, and stays."""
        title = self._called(link.target)
        shown, named = phrase_of(link.shown), phrase_of(title)
        if not named or generic(frozenset(shown)) or DATE_TITLE.match(title):
            return subject, frozenset()
        if frozenset(named) <= frozenset(shown):
            return subject, frozenset()  # "[[YouTube|YouTube video]]" is more than its note
        found = _content(subject)
        stems = [stem(word) for word, _, _ in found]
        at = next((n for n in range(len(stems)) if tuple(stems[n : n + len(shown)]) == shown), None)
        if at is None:
            return subject, frozenset()
        alone = not frozenset(stems[:at] + stems[at + len(shown) :]) - LIGHT
        known = link.shown == link.target or self._meant.get(shown, Meant("")).name == title
        if alone and not known:
            return subject, frozenset()
        start, end = found[at][1], found[at + len(shown) - 1][2]
        other = frozenset() if known else frozenset(shown) - frozenset(named)
        return subject[:start] + title + subject[end:], other

    def _renamed(self, subject: str, text: str) -> str:
        if not self._meant:
            return subject
        found = _content(subject)
        stems = [stem(word) for word, _, _ in found]
        if not any(self._begins.get(one) for one in stems):
            return subject
        out, end, at = "", 0, 0
        while at < len(stems):
            phrase, meant = self._meant_at(found, stems, at, text)
            if meant is not None:
                out += subject[end : found[at][1]] + meant.name
                end = found[at + len(phrase) - 1][2]
            at += max(1, len(phrase))
        return out + subject[end:]

    def _meant_at(
        self, found: Sequence[_Word], stems: Sequence[str], at: int, text: str
    ) -> tuple[Phrase, Meant | None]:
        """The longest name that begins at a word, and what it means where that is something else."""
        for length in range(min(_LONGEST, len(stems) - at), 0, -1):
            phrase = tuple(stems[at : at + length])
            meant = self._meant.get(phrase)
            if meant is None:
                if length > 1 and phrase in self._titles:
                    return phrase, None
            elif length > 1 or self._is_name(found, at, meant, text):
                return phrase, meant
        return (), None

    def _is_name(self, found: Sequence[_Word], at: int, meant: Meant, text: str) -> bool:
        """Is one word used as a name here? "Database" for a cluster is a common word until it is written as
        a name, and a name beside another name is a part of that one."""
        word = found[at][0].replace("’", "'").removesuffix("'s").removesuffix("'")
        if meant.short:
            return word == meant.short
        if not (proper(word, text.startswith(word)) or (word[0].isupper() and word != found[at][0])):
            return False
        own = phrase_of(meant.name)
        beside = [found[n][0] for n in (at - 1, at + 1) if 0 <= n < len(found)]
        return not any(proper(other, text.startswith(other)) and stem(other) not in own for other in beside)


def phrase_of(name: str) -> Phrase:
    return tuple(stem(word) for word in words(name) if word.lower() not in STOP)


def _content(text: str) -> list[_Word]:
    return [(m.group(), *m.span()) for m in WORD.finditer(text) if m.group().lower() not in STOP]


def _names_of(claim: Claim) -> Iterator[Phrase]:
    """The title of a claim's note, and those of its aliases that could stand for it in a sentence."""
    title = phrase_of(readable(claim.note))
    if not title:
        return
    yield title
    if DATE_TITLE.match(claim.note):
        return
    for alias in claim.aliases:
        phrase = phrase_of(alias)
        stems = frozenset(phrase)
        # "YouTube video" is more than "YouTube", "port" names no thing, and a measure is read as one.
        if stems >= frozenset(title) or generic(stems) or subject_bag(alias) != stems:
            continue
        if len(phrase) <= _LONGEST:
            yield phrase


def _counted(table: dict[_Key, Counter[_What]], key: _Key, what: _What, by: int) -> None:
    """Count one up or down; what is at nought is gone."""
    counts = table.setdefault(key, Counter())
    counts[what] += by
    if not counts[what]:
        del counts[what]
    if not counts:
        del table[key]


def _only(titles: Mapping[str, int] | None) -> str | None:
    """The one name that all of these are, in whatever spelling."""
    if not titles:
        return None
    phrases = (phrase_of(readable(title)) for title in titles)
    first = next(phrases)
    # A thousand notes in files called README are told apart by two of them.
    return None if any(phrase != first for phrase in phrases) else readable(min(titles))
