"""The prompt about a thread: its lines, oldest first, and one question.

Constant text comes first, so that llama.cpp evaluates it once; what is new comes last. Lines have numbers
instead of ids, and dates are given as gaps: exact days would not help to decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from app.detection.judge_input import Said
from app.plain import shown, without_tokens
from app.reading.subjects import DATE_TITLE

VERSION = 1
"""Raise it when a prompt, the grammar or the reading of an answer changes: stored answers are then asked for
again."""
LONGEST = 12
"""Lines of a thread; of a longer one, the newest are read."""
YES, NO = " yes", " no"
END = "Unsure?"
_TEXT = 180
_TITLE = 40
# Days from one line to the next, and the words for it.
_GAPS = ((1, "same day"), (14, "days later"), (60, "weeks later"), (365, "months later"))
_LONGEST_GAP = "a year later"

_TASK = """\
Lines from one person's notes, the oldest first. Does a reader of today not know what holds now?
yes | reversal: it changed to something else, and later the old one is spoken of again.
yes | stale: an old line sounds current, but newer lines show that it no longer is, without saying so.
yes | disagreement: two lines about the same thing cannot both hold.
no: the newest line settles it in words (moved, corrected, no longer); or they go together: other places, \
times or people, plans, logs of single days, exceptions, the same in other words, other things.

"""
_SHOTS = (
    ("1. (Choir) we rehearse in the parish hall\n"
     "2. (Choir, months later) moved from the parish hall to the school gym\n"
     "3. (Rota, weeks later) Ines unlocks the parish hall for us at half six\n",
     " yes | reversal | 1 2 3 | Does the choir rehearse in the parish hall again?"),
    ("1. (Van) the tyres are Hankook, 225 wide\n"
     "2. (Van, months later) swapped the Hankooks for Nokian all-season, old ones sold\n"
     "3. (Trips, weeks later) Nokians are quiet on the motorway\n", " no"),
    ("1. (Lab handbook) Freezer B is at -80 and only Tomas has the key\n"
     "2. (Lab diary, months later) put the new samples into B myself, Lena lent me her key\n"
     "3. (Lab diary, weeks later) fetched the plates from B, door was stiff\n",
     " yes | stale | 1 2 3 | Does only Tomas have the key to freezer B?"),
    ("1. (Weights) 81.2 in the morning\n2. (Weights, days later) 80.7\n3. (Weights, days later) 81.0\n",
     " no"),
    ("1. (Guests) the wifi password is birchwood9\n"
     "2. (Printer, days later) connect it to the wifi with heron-44\n",
     " yes | disagreement | 1 2 | Is the wifi password birchwood9?"),
    ("1. (billing) prod keeps logs for 30 days\n2. (billing, same day) on staging logs go after 7 days\n",
     " no"),
)  # fmt: skip
FEW_SHOT = _TASK + "".join(f"{lines}{END}{answer}\n\n" for lines, answer in _SHOTS)
"""For a model that was not tuned for this."""


def written(thread: Iterable[Said]) -> str:
    """The lines of a thread, each with its number, its note and the time since the line before."""
    out: list[str] = []
    before: str | None = None
    for number, said in enumerate(thread, 1):
        title = "" if DATE_TITLE.match(said.note) else flat(said.note, _TITLE)
        where = ", ".join(part for part in (title, gap(before, said.date)) if part)
        under = f"{flat(said.parent, _TITLE).rstrip(':')}: " if said.parent else ""
        out.append(f"{number}. {f'({where}) ' if where else ''}{under}{flat(said.text, _TEXT)}\n")
        before = said.date or before
    return "".join(out)


def gap(a: str | None, b: str | None) -> str:
    """How much later b is than a; empty if one has no date."""
    try:
        days = (date.fromisoformat(b) - date.fromisoformat(a)).days if a and b else None
    except ValueError:
        return ""
    if days is None:
        return ""
    return next((said for most, said in _GAPS if days < most), _LONGEST_GAP)


def flat(text: str, most: int) -> str:
    """On one line, without anything a terminal or a prompt would act on."""
    flat = without_tokens(" ".join(shown(text).split()))
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"
