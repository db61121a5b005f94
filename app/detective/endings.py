"""What a statement says is over, and what took its place: "moved off X", "X replaced by Y"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.detective.heard import stems
from app.normalize.changes import aside

_WORD = r"[\w'’./&#+-]*[\w#+]"
_PHRASE = rf"{_WORD}(?:\s{_WORD}){{0,3}}?"
_NAME = rf"(?:(?:the|our|my|all|old)\s)*(?P<was>{_PHRASE})"
_NEW = rf"(?P<now>{_PHRASE})"
_DAY = r"(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat(?:ur)?|sun|wednes)(?:days?)?"
_BE = r"(?:(?:is|are|was|were|has been|have been|got)\s)?"
_END = (
    r"(?=\s*(?:[,;:.()!–—]|$|\s-\s|\s(?:and|but|because|since|as|so|after|today|now|for good|everywhere|too|in|"
    r"at|on|for|from|by|this|last)\b))"
)
_MOVED = (
    r"(?:moved?|moves|moving|switch(?:ed|es)?|chang(?:ed|es)|migrat(?:ed|es)|went|convert(?:ed|s)|"
    r"transferred|handed|passed|swapped|shifted|relocated|upgraded|rewrote|ported)"
)
_GONE = (
    r"(?:dead|gone|retired|cancelled|canceled|archived|deleted|removed|scrapped|discontinued|decommissioned|"
    r"obsolete|deprecated|history|no more|out|shut down|switched off|torn down|binned|axed|defunct)"
)
_DROPPED = (
    r"(?:cancelled|canceled|retired|dropped|ditched|dumped|scrapped|abandoned|binned|axed|gave up(?: on)?|"
    r"giving up(?: on)?|got rid of|getting rid of|stopped (?:using|with|taking|doing|going to|buying)|quit|"
    r"ripped out|phased out|done with|finished with|"
    r"no longer (?:use|uses|using|at|with|on|in|via|take|buy)|no more)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\b{_MOVED}\b[^.;]{{0,60}}?\bfrom\s{_NAME}\s(?:over\s)?(?:to|onto|into)\s{_NEW}{_END}",
        rf"\b{_MOVED}\b[^.;,]{{0,40}}?\bfrom\s{_NAME}{_END}",
        rf"\b{_MOVED}\s(?P<was>{_DAY})\sto\s(?P<now>{_DAY})\b",
        rf"\b{_MOVED}\b[^.;,]{{0,30}}?\b(?:off|away from|out of)\s{_NAME}"
        rf"(?:\s(?:over\s)?(?:to|onto|into)\s{_NEW})?{_END}",
        rf"\b(?:replaced|swapped(?: out)?|traded|exchanged|substituted)\s{_NAME}\s(?:with|for|by)\s{_NEW}{_END}",
        rf"\b{_NAME}\s{_BE}replaced\s(?:with|by)\s{_NEW}{_END}",
        rf"\b{_NEW}\s(?:replaces|supersedes|instead of|in place of)\s{_NAME}{_END}",
        rf"\b(?:left|ditched|dropped|quit|dumped)\s{_NAME}\sfor\s{_NEW}{_END}",
        rf"\b{_NAME}\s(?:is\s|are\s)?out,\s{_NEW}\s(?:is\s|are\s)?in\b",
        rf"\b{_NAME}\s{_BE}(?:now\s)?{_GONE}\b(?!\s(?:of|on|for|with|at|to)\b)",
        rf"\b{_NAME}\s(?:is|are|was|were)\stoo\s\w+,[^.;]*?\b{_MOVED}\b[^.;]*?\sto\s{_NEW}{_END}",
        rf"\b{_DROPPED}\s{_NAME}{_END}",
        rf"\blet\s{_NAME}\sgo\b",
        rf"(?:^|\s){_NAME}\s*(?:->|→|=>)\s*{_NEW}{_END}",
    )
)
# "For the weekend", "over winter": what is gone for a while comes back without a word.
_FOR_A_WHILE = re.compile(
    r"\b(?:temporar\w+|for (?:now|the (?:moment|weekend|week|day|summer|winter|season|holidays)|"
    r"a (?:while|week|day|bit)|this (?:one|week|time))|until|till|"
    r"over (?:the )?(?:winter|summer|holidays|xmas|christmas|weekend|easter)|meanwhile|in the meantime|while|"
    r"during|one[- ]off|just (?:this|today)|this (?:week|weekend|time))\b",
    re.I,
)
_DOT = re.compile(r"\b(Mr|Mrs|Ms|Dr|St|Prof)\.\s")


@dataclass(frozen=True, slots=True)
class Ending:
    was: frozenset[str]
    """Tokens of what ended."""
    now: frozenset[str]
    """Tokens of what came instead; none where that is not said."""
    words: str
    """What ended, as written."""


def endings(text: str) -> Iterator[Ending]:
    """Everything a statement says is over for good."""
    if _FOR_A_WHILE.search(text):
        return
    text = _DOT.sub(r"\1 ", text)
    for pattern in _PATTERNS:
        for m in pattern.finditer(text):
            yield from _ending(m["was"], m.groupdict().get("now") or "")
    former = aside(text)
    if former:
        yield from _ending(former, text.replace(former, " "))


def _ending(was: str, now: str) -> Iterator[Ending]:
    came = stems(now)
    gone = stems(was) - came
    if gone:
        yield Ending(gone, came, was)
