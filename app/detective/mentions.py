"""What identifies a claim anywhere in a story: its words, and which of them are names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from app.detection.gates import RELEASE
from app.detection.pair_gates import how_held
from app.detective.endings import Ending, Switch, read_endings, read_switch
from app.detective.story_words import TITLES, pieces, stems, token
from app.reading.subjects import DATE_TITLE, proper, readable
from app.reading.tokens import STOP, words
from app.words import Claim, Standing

_WE_USE = re.compile(
    r"^(?:we|i)(?:\s(?:now|currently|all))?(?:['’]re|\s(?:use|run|are|work))\s?(?:on\s|with\s)?"
    r"(?P<what>[\w./+#-]+)(?:\sfor\s(?:the\s|our\s|my\s|all\s)?(?P<of>\w+(?:\s\w+){0,2}))?\W*$",
    re.I,
)
_IT_USES = re.compile(
    r"^(?:the|our|my)\s(?P<of>\w+(?:\s\w+){0,2})\s(?:now\s|currently\s)?(?:uses|runs on|is built on)\s"
    r"(?P<what>[\w./+#-]+)\W*$",
    re.I,
)
# "The dentist says no sugar, so I moved us off cola": the second part is the writer's own act.
_PART = re.compile(r"[;.]\s|,\s(?:so|and so|and|then|hence)\s")
_LONGEST = 600
"""Characters in a line of the story; longer ones are left out, so that patterns take bounded time."""
_OWN_ACT = re.compile(r"\s*(?:i|we)(?:['’]ve)?\s", re.I)


@dataclass(frozen=True)
class Mention:
    """A claim with its words."""

    claim: Claim
    opens_with_name: bool = False
    """Other lines write its first word as a name."""

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def text(self) -> str:
        return self.claim.statement.text

    @property
    def date(self) -> str:
        return self.claim.statement.date or ""

    @property
    def place(self) -> str:
        return self.claim.statement.path

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems(self.text)

    @cached_property
    def around(self) -> frozenset[str]:
        """Words of its note's title, its headings and the bullet above."""
        s = self.claim.statement
        title = "" if DATE_TITLE.match(self.claim.note) else readable(self.claim.note)
        return stems(" ".join((title, *s.heading, s.parent or "")))

    @cached_property
    def names(self) -> frozenset[str]:
        """Tokens used here as a name or code; an initial capital alone proves nothing."""
        if self.opens_with_name and self.opening:
            return self.surely_names | {self.opening}
        return self.surely_names

    @cached_property
    def surely_names(self) -> frozenset[str]:
        """The same, judging by this line alone."""
        return (
            frozenset(
                token(w) for w, first in pieces(self.text) if proper(w, first) and w.lower() not in STOP
            )
            - TITLES
        )

    @cached_property
    def opening(self) -> str | None:
        """The token of a capitalised first word, which may or may not be a name."""
        first = next(iter(words(self.text)), "")
        if not first[:1].isupper() or first.lower() in STOP or not first.isalpha():
            return None
        return token(first) if token(first) not in TITLES else None

    @cached_property
    def common(self) -> frozenset[str]:
        """Tokens in lower case: not names."""
        return frozenset(token(w) for w in words(self.text) if w.isalpha() and w.islower())

    @cached_property
    def endings(self) -> tuple[Ending, ...]:
        """What it says is over."""
        return tuple(read_endings(self.text))

    @cached_property
    def switch(self) -> Switch | None:
        return read_switch(self.text)

    @cached_property
    def used(self) -> frozenset[str]:
        """ "We use REST", "our API uses REST": the tokens of what is said to be in use, if it says no
        more."""
        m = _WE_USE.match(self.text) or _IT_USES.match(self.text)
        return stems(m["what"]) if m else frozenset()

    @cached_property
    def used_for(self) -> frozenset[str]:
        """What it is used for; empty if that is not said."""
        m = _WE_USE.match(self.text) or _IT_USES.match(self.text)
        return stems(m["of"] or "") if m else frozenset()

    @cached_property
    def used_by_us(self) -> bool:
        return bool(_WE_USE.match(self.text))

    @cached_property
    def held(self) -> Standing:
        return how_held(self.claim)

    @cached_property
    def held_ended(self) -> Standing:
        """How firmly it says that something is over: the writer may act on what others say."""
        if self.held == "reported" and self.endings:
            for part in _PART.split(self.text):
                if any(read_endings(part)):
                    return "asserted" if _OWN_ACT.match(part) else self.held
        return self.held


@dataclass(frozen=True, slots=True)
class MentionChanges:
    """The mentions an index no longer has, and the new ones."""

    gone: Sequence[Mention]
    came: Sequence[Mention]

    @property
    def all(self) -> Iterator[Mention]:
        yield from self.gone
        yield from self.came


@dataclass(slots=True)
class MentionIndex:
    """The claims of the story by their words; follows the claim index from one reading to the next."""

    _by_id: dict[str, Mention] = field(default_factory=dict)
    _by_stem: defaultdict[str, dict[str, Mention]] = field(default_factory=lambda: defaultdict(dict))
    _using: dict[str, Mention] = field(default_factory=dict)
    _opening: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _as_name: Counter[str] = field(default_factory=Counter)
    _in_small: Counter[str] = field(default_factory=Counter)

    def follow(self, claims: Mapping[str, Claim], ids: Iterable[str]) -> MentionChanges:
        """Update these claims.

        All lines together show whether a first word is a name. If that changes, the lines that begin with it
        are entered again, so that the order in which notes arrive makes no difference.
        """
        gone, came = self._take(claims, ids)
        touched = {one for mention in (*gone, *came) for one in (*mention.surely_names, *mention.common)}
        touched |= {mention.opening for mention in came if mention.opening}
        fresh = {mention.id: mention for mention in came}
        for one in sorted(touched & self._opening.keys()):
            is_name = self._as_name[one] > 0 and not self._in_small[one]
            for id in sorted(self._opening[one]):
                held = self._by_id[id]
                if held.opens_with_name != is_name:
                    if id not in fresh:
                        gone.append(held)
                    self._drop(held)
                    fresh[id] = self._enter(Mention(held.claim, is_name))
        return MentionChanges(gone, list(fresh.values()))

    def _take(self, claims: Mapping[str, Claim], ids: Iterable[str]) -> tuple[list[Mention], list[Mention]]:
        gone: list[Mention] = []
        came: list[Mention] = []
        for id in ids:
            claim, held = claims.get(id), self._by_id.get(id)
            if held is not None and held.claim is claim:
                continue
            if held is not None:
                gone.append(held)
                self._drop(held)
            if claim is not None and is_in_story(claim):
                came.append(self._enter(Mention(claim)))
        return gone, came

    def _enter(self, mention: Mention) -> Mention:
        self._by_id[mention.id] = mention
        if mention.used:
            self._using[mention.id] = mention
        if mention.opening:
            self._opening[mention.opening].add(mention.id)
        self._as_name.update(mention.surely_names)
        self._in_small.update(mention.common)
        for one in mention.stems:
            self._by_stem[one][mention.id] = mention
        return mention

    def _drop(self, mention: Mention) -> None:
        del self._by_id[mention.id]
        self._using.pop(mention.id, None)
        if mention.opening:
            self._opening[mention.opening].discard(mention.id)
        self._as_name.subtract(mention.surely_names)
        self._in_small.subtract(mention.common)
        for one in mention.stems:
            self._by_stem[one].pop(mention.id, None)

    def in_use(self) -> list[Mention]:
        """The claims that only say what is in use, oldest first."""
        return sorted(self._using.values(), key=mention_order)

    def count(self, one: str) -> int:
        """How many claims have this token."""
        return len(self._by_stem.get(one, ()))

    def with_tokens(self, wanted: frozenset[str]) -> Iterator[Mention]:
        """The dated claims with all of these tokens, in no order."""
        if wanted:
            rarest = min((self._by_stem.get(one, {}) for one in wanted), key=len)
            yield from (h for h in rarest.values() if h.date and wanted <= h.stems)


def is_in_story(claim: Claim) -> bool:
    """Is it part of the story: active, and from a note that takes part in conflicts?

    A note about one version of something is only about that version.
    """
    s = claim.statement
    if claim.status != "active" or claim.silent or s.quoted or s.struck or len(s.text) > _LONGEST:
        return False
    return not RELEASE.search(claim.note)


def mention_order(mention: Mention) -> tuple[str, str, int, str]:
    s = mention.claim.statement
    return (mention.date, s.path, s.line, mention.id)
