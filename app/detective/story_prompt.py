"""The prompt about a whole story, and the answers to it: up to three findings.

Constant text comes first, then the lines, oldest first, so that llama.cpp evaluates the examples once and a
line more at the end costs its own tokens. A date stands in each line: far apart, a gap would tell nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.detective.thread_answer import KIND_AND_QUESTION, MOST_MEMBERS, NamedLines, read_named_lines
from app.detective.thread_prompt import END, NO, YES

VERSION = 1
"""Raise it when the prompt, the grammar or the reading of an answer changes: stored answers are then asked
for again."""
MOST_FINDINGS = 3
"""Findings in one answer."""
MAX_TOKENS = 280
MOST_LINES = 999
"""No batch has more lines: a number has at most three digits."""

_TASK = """\
Lines from one person's notes about many things, the oldest first. Is there something of which a reader of \
today does not know what holds now? Name the kind, the lines, and a question.
reversal: it changed to something else, and later the old one is spoken of again.
stale: an old line sounds current, but newer lines show that it no longer is, without saying so.
disagreement: two lines about the same thing cannot both hold.
no: wherever something changed, a line says so in words (moved, corrected, no longer); or the lines go \
together: other places, times or people, plans, logs of single days, exceptions, other things.

"""
_SHOTS = (
    ("""\
1. 2023-04-02 (Choir) we rehearse in the parish hall
2. 2023-05-11 (Van) tyres are Hankook, 225 wide
3. 2023-10-20 (Choir) moved from the parish hall to the school gym
4. 2024-01-08 (Van) swapped the Hankooks for Nokian all-season, old ones sold
5. 2024-01-30 (Lab diary) ordered pipette tips
6. 2024-03-03 (Rota) Ines unlocks the parish hall for us at half six
7. 2024-03-09 (Trips) the Nokians are quiet on the motorway
""", f"{YES}\n- reversal | 1 3 6 | Does the choir rehearse in the parish hall again?\n\n"),
    ("""\
1. 2024-02-01 (billing) prod keeps logs for 30 days
2. 2024-02-01 (billing) on staging logs go after 7 days
3. 2024-02-12 (Weights) 81.2 in the morning
4. 2024-02-19 (Weights) 80.7
5. 2024-04-02 (Rent) the rent is 840
6. 2024-10-01 (Rent) went up to 870 as of October
7. 2024-11-05 (Ideas) maybe keep the logs for 90 days next year
""", f"{NO}\n\n"),
    ("""\
1. 2023-01-15 (Lab handbook) freezer B is at -80 and only Tomas has the key
2. 2024-05-02 (Guests) the wifi password is birchwood9
3. 2024-05-20 (Printer) connect it to the wifi with heron-44
4. 2024-06-01 (Garden) the pump runs every second evening
5. 2024-08-14 (Lab diary) put the samples into B myself, Lena lent me her key
6. 2024-09-03 (Lab diary) fetched the plates from B, door was stiff
""", f"{YES}\n- stale | 1 5 | Does only Tomas have the key to freezer B?\n"
     "- disagreement | 2 3 | Is the wifi password birchwood9?\n\n"),
)  # fmt: skip
CONSTANT = _TASK + "".join(f"{lines}{END}{answer}" for lines, answer in _SHOTS)


def numbered(lines: Iterable[str]) -> str:
    return "".join(f"{number}. {line}\n" for number, line in enumerate(lines, 1))


def grammar() -> str:
    """GBNF for what follows a yes. Whether its numbers are lines of the story is checked afterwards: listing
    hundreds of them would cost more than a discarded answer."""
    return "\n".join(
        (
            f'root ::= found ("\\n" found){{0,{MOST_FINDINGS - 1}}} "\\n\\n"',
            f'found ::= "- " kind " | " number (" " number){{1,{MOST_MEMBERS - 1}}} " | " question',
            "number ::= [1-9] [0-9]{0,2}",
            *KIND_AND_QUESTION,
        )
    )


def read_found(answer: str, lines: int) -> list[NamedLines]:
    """What an answer says after its yes, without the parts that cannot be used."""
    found = [read_named_lines(one.strip().removeprefix("- "), lines) for one in answer.splitlines()]
    return [one for one in found if one is not None][:MOST_FINDINGS]
