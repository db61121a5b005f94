"""What a statement says is over, and what took its place: "moved off X", "X replaced by Y"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.calendar_names import ANY_WEEKDAY
from app.detective.story_words import stems
from app.reading.explicit_change import former_value

_WORD = r"[\w'’./&#+-]*[\w#+]"
_PHRASE = rf"{_WORD}(?:\s{_WORD}){{0,3}}?"
_NAME = rf"(?:(?:so\s)?that['’]s\s)?(?:(?:the|our|my|all|old)\s)*(?P<was>{_PHRASE})"
_NEW = rf"(?P<now>{_PHRASE})"
_DAY = ANY_WEEKDAY
_BE = r"(?:(?:is|are|was|were|has been|have been|got)\s)?"
_END = (
    r"(?=\s*(?:[,;:.()!–—]|$|\s-\s|\s(?:and|but|because|since|as|so|after|today|now|for good|everywhere|too|"
    r"in|at|on|for|from|by|this|last)\b))"
)
MOVE_VERBS = (
    r"(?:mov(?:ed?|es|ing)|switch(?:ed|es|ing)?|chang(?:ed|es|ing)|migrat(?:ed|es|ing)|went|go(?:es|ing)?|"
    r"convert(?:ed|s|ing)|transferred|handed|pass(?:ed|es)|swapped|shift(?:ed|s|ing)|relocated|upgraded|"
    r"downgraded|rewrote|rewrit(?:ten|ing)|port(?:ed|ing)|cut|put|brought|rolled|bumped|drop(?:s|ped)|rais(?:ed|es)|lower(?:ed|s)|"
    r"increas(?:ed|es)|reduc(?:ed|es)|extended|shortened|renamed|postponed|promoted|demoted|came|got|jump(?:ed|s))"
)
_GONE = (
    r"(?:dead|gone|over|void|history|retired|cancelled|canceled|archived|deleted|removed|scrapped|lifted|"
    r"abolished|ended|discontinued|decommissioned|obsolete|deprecated|no more|shut down|switched off|"
    r"turned off|torn down|binned|axed|defunct|finished|wound up|stepped (?:down|back)|pulled out|"
    r"had its day|dethroned|"
    r"closed(?: down| for good)?|sold|given up|let go|crossed out)"
)
_DROPPED = (
    r"(?:cancell?ed|cancels?|retired|dropp(?:ed|ing)|ditched|dumped|scrap(?:ped)?|abandoned|binned|axed|"
    r"(?:gave|giving|given) up(?: on)?|(?:got|getting) rid of|"
    r"stopped (?:using|with|taking|doing|going to|buying)|quit|ripped out|phased out|done with|"
    r"finished with|ended|ending|end of|lifted|abolished|removed|deleted|cross(?:ed)? out|"
    r"strike|struck|forget|ignore|bye|goodbye|took down|"
    r"no longer (?:use|uses|using|at|with|on|in|via|take|buy)|no more|"
    r"not (?=\w+(?: \w+)?(?: any ?more|,)))"
)
# A cue that the pattern requires, and the pattern: the cue rules out most texts at little cost.
_PATTERNS = tuple(
    (re.compile(cue, re.I), re.compile(pattern, re.I))
    for cue, pattern in (
        (
            r"\bfrom\b",
            rf"\b{MOVE_VERBS}\b[^.;]{{0,60}}?\bfrom\s{_NAME}\s(?:over\s|down\s|up\s)?(?:to|onto|into)\s{_NEW}{_END}",
        ),
        (
            r"\bfrom\b",
            rf"\b{MOVE_VERBS}\b[^.;,]{{0,40}}?\bfrom\s{_NAME}{_END}",
        ),
        (
            r"\bto\b",
            rf"\b{MOVE_VERBS}\s(?P<was>{_DAY})\sto\s(?P<now>{_DAY})\b",
        ),
        (
            r"\b(?:off|away from|out of)\b",
            rf"\b{MOVE_VERBS}\b[^.;,]{{0,30}}?\b(?:off|away from|out of)\s{_NAME}"
            rf"(?:\s(?:over\s)?(?:to|onto|into)\s{_NEW})?{_END}",
        ),
        (
            r"\b(?:replaced|swapped|traded|exchanged)\b",
            rf"\b(?:replaced|swapped(?: out)?|traded|exchanged)\s{_NAME}\s(?:with|for|by)\s{_NEW}{_END}",
        ),
        (
            r"\breplaced\b",
            rf"\b{_NAME}\s{_BE}replaced\s(?:with|by)\s{_NEW}{_END}",
        ),
        (
            r"\bbecame\b",
            rf"\b{_NAME}\sbecame\s{_NEW}{_END}",
        ),
        (
            r"\b(?:replaces|supersedes|instead of|in place of|rather than|over from)\b",
            rf"\b{_NEW}\s(?:replaces|supersedes|instead of|in place of|rather than|t(?:akes|ook) over from)\s"
            rf"{_NAME}{_END}",
        ),
        (
            r"\b(?:left|ditched|dropped|quit|dumped)\b",
            rf"\b(?:left|ditched|dropped|quit|dumped)\s{_NAME}\sfor\s{_NEW}{_END}",
        ),
        (
            r"\bleft\b",
            rf"^(?:we\s|i\s|I['’]ve\s|we['’]ve\s)?(?:have\s|finally\s)?left\s{_NAME}{_END}",
        ),
        (
            r"\bout,",
            rf"\b{_NAME}\s(?:is\s|are\s)?out,\s{_NEW}\s(?:is\s|are\s)?in\b",
        ),
        (
            r"\b(?:is|are)\s(?:out|off)\b",
            rf"\b{_NAME}\s(?:is|are)\s(?:out|off){_END}",
        ),
        (
            rf"\b{_GONE}\b",
            rf"\b{_NAME}\s{_BE}(?:now\s)?{_GONE}\b(?!\s(?:of|on|for|with|at|to|weight)\b)",
        ),
        (
            r"\btoo\b",
            rf"\b{_NAME}\s(?:is|are|was|were)\stoo\s\w+,[^.;]*?\b{MOVE_VERBS}\b[^.;]*?\sto\s{_NEW}{_END}",
        ),
        (
            rf"\b{_DROPPED}\s",
            rf"\b{_DROPPED}\s{_NAME}{_END}",
        ),
        (
            r"\blet\b",
            rf"\blet\s{_NAME}\sgo\b",
        ),
        (
            r"->|→|=>",
            rf"(?:^|\s){_NAME}\s*(?:->|→|=>)\s*{_NEW}{_END}",
        ),
    )
)
# Every cue contains one of these words; most statements have none and are skipped at once.
_SIGNS = frozenset(
    """
    move moved moves moving switch switched switches switching changed changes changing migrated migrates
    migrating went go goes going converted converts converting transferred handed passed passes swapped
    shifted shifts shifting relocated upgraded downgraded rewrote rewritten rewriting ported porting cut put
    brought rolled bumped drops dropped dropping raised raises lowered lowers increased increases reduced
    reduces extended shortened renamed postponed promoted demoted came got jumped jumps dead gone over void
    history retired cancelled canceled cancels cancel archived deleted removed scrapped scrap lifted abolished
    ended ending end discontinued decommissioned obsolete deprecated no longer shut off torn binned axed
    defunct finished wound stepped pulled had dethroned closed sold given giving gave let crossed cross
    ditched dumped abandoned getting stopped quit ripped phased done strike struck forget ignore bye goodbye
    took takes not replaced replaces supersedes traded exchanged became instead place rather left out
    was were formerly previously before used down up =>
    """.split()
)
# "For the weekend", "over winter": what is gone temporarily comes back without a word.
_FOR_A_WHILE = re.compile(
    r"\b(?:temporar\w+|for (?:now|the (?:moment|weekend|week|day|summer|winter|season|holidays)|"
    r"a (?:while|week|day|bit)|this (?:one|week|time))|until|till|"
    r"over (?:the )?(?:winter|summer|holidays|xmas|christmas|weekend|easter)|meanwhile|in the meantime|while|"
    r"during|one[- ]off|just (?:this|today)|this (?:week|weekend|time))\b",
    re.I,
)
# Others than "we" move and change to all kinds of things; what someone switches to replaces something.
_SWITCH = re.compile(
    rf"^(?:(?:we|i)(?:['’]ve)?\s(?:have\s|just\s|finally\s)?(?:switched|moved|changed|migrated)|"
    rf"(?:(?:the|our|my)\s\w+\s)?(?:has\s|have\s|just\s|finally\s)?(?:switched|migrated))\s"
    rf"(?:(?:the|our|my)\s(?P<of>\w+(?:\s\w+){{0,2}}?)\s)?(?:over\s)?to\s{_NEW}{_END}",
    re.I,
)
# "Mail leaves through Postmark instead of SES": what came is Postmark.
_LEADS_TO = re.compile(r"^.*\b(?:through|via|with|using)\s+(?=\S)", re.I)
_MARKS = str.maketrans(dict.fromkeys(',.;:!?()[]–—"', " "))
_DOT = re.compile(r"\b(Mr|Mrs|Ms|Dr|St|Prof)\.\s")


@dataclass(frozen=True, slots=True)
class Ending:
    was: frozenset[str]
    """Tokens of what ended."""
    now: frozenset[str]
    """Tokens of what replaced it; none if that is not said."""
    words: str
    """What ended, as written."""
    head: frozenset[str]
    """Tokens of which one must recur for it to be the same thing: its last word, and its codes."""


def is_temporary(text: str) -> bool:
    return bool(_FOR_A_WHILE.search(text))


@dataclass(frozen=True, slots=True)
class Switch:
    """ "We switched to GraphQL", "switched the API to GraphQL": what it replaced is not named."""

    now: frozenset[str]
    """Tokens of what came."""
    of: frozenset[str]
    """Tokens of what was switched, if that is said."""


def read_switch(text: str) -> Switch | None:
    m = _SWITCH.match(text)
    if not m or is_temporary(text) or not stems(m["now"]):
        return None
    return Switch(stems(m["now"]), stems(m["of"] or ""))


def read_endings(text: str) -> Iterator[Ending]:
    """Everything a statement says is over for good."""
    if not _hinted(text) or is_temporary(text):
        return
    text = _DOT.sub(r"\1 ", text)
    for cue, pattern in _PATTERNS:
        for m in pattern.finditer(text) if cue.search(text) else ():
            yield from _ending(m["was"], _LEADS_TO.sub("", m.groupdict().get("now") or ""))
    former = former_value(text)
    if former and not re.search(rf"\bnot\s+{re.escape(former)}", text, re.I):  # "good, not Nonna's"
        yield from _ending(former, text.replace(former, " "))


def _hinted(text: str) -> bool:
    return not _SIGNS.isdisjoint(text.lower().translate(_MARKS).split()) or "->" in text or "→" in text


def _ending(was: str, now: str) -> Iterator[Ending]:
    came = stems(now)
    gone = stems(was) - came
    if gone and " to " not in was:
        last = stems(was.split()[-1])
        codes = frozenset(one for one in gone if any(c.isdigit() for c in one))
        yield Ending(gone, came, was, ((last & gone) or gone) | codes)
