"""The prompt about a statement the rules could not read.

Constant text comes first, so that llama.cpp evaluates it once; the statement comes last.
"""

from __future__ import annotations

from typing import NamedTuple

from app.plain import shown, without_tokens
from app.words import Norm, Statement

VERSION = 1
"""Raise it when a prompt, the grammar or the reading of an answer changes: stored answers are then asked for
again."""
LONGEST = 400
"""Characters; a longer statement is more than one claim and is left to the rules."""
_CONTEXT = 90
END = "\n=>"

_TASK = """\
Each note is turned into lines of the form: standing | subject | modality object | value
standing: asserted (true now), planned (intended), reported (someone else says so), asked (a question), \
hypothetical (if, example), past (no longer), logged (happened or measured once).
modality: is, is not, must, must not, should, should not, may, may not.
subject: the thing and its aspect in lower case, without the value. value: words copied from the note, or -.
A note that claims nothing gives: none

"""
_SHOTS = (
    ("Cabin > Access\nkey box code 5520, the old one is dead",
     "asserted | cabin key box code | is equals | 5520"),
    ("Payroll service\nnobody may log in as root",
     "asserted | payroll service root login | may not allowed | root"),
    ("Allotment > Diary\npicked 3 kg of beans", "logged | bean harvest | is measures | 3 kg"),
    ("Choir\nRuth reckons the spring concert will be in the town hall",
     "reported | spring concert location | is located | town hall"),
    ("2026-02-11\nwhat a day", "none"),
    ("Van > Ideas\nmaybe fit a second battery next winter",
     "planned | van second battery | is added | second battery"),
    ("Lab rules\nsamples must be kept below -20 °C and labels written in pencil",
     "asserted | sample storage temperature | must required | below -20 °C\n"
     " asserted | sample labels | must used | pencil"),
    ("Newsletter\ndoes the free plan still allow 500 contacts?",
     "asked | newsletter free plan contacts | is equals | 500 contacts"),
)  # fmt: skip
FEW_SHOT = _TASK + "".join(f"{note}{END} {answer}\n\n" for note, answer in _SHOTS)
"""For a model that was not tuned for this."""


class Asked(NamedTuple):
    """A statement as the model reads it."""

    text: str
    context: str = ""

    def prompt(self, *, tuned: bool) -> str:
        """A tuned model knows what is wanted: the statement alone costs a tenth of the tokens."""
        said = f"{self.context}\n{self.text}{END}"
        return said if tuned else FEW_SHOT + said


def asked(statement: Statement, title: str) -> Asked | None:
    """None if a model could add nothing to the rules: too long, or without a word."""
    text = without_tokens(" ".join(statement.text.split()))
    if not text or len(text) > LONGEST or not any(c.isalpha() for c in text):
        return None
    mark = "> " if statement.quoted else {"open": "[ ] ", "done": "[x] ", None: ""}[statement.task]
    parts = [title, *(h for h in statement.heading if h != title), (statement.parent or "").rstrip(": ")]
    around = " > ".join(" ".join(shown(part).split()) for part in parts if part)
    return Asked(mark + text, without_tokens(around)[:_CONTEXT])


def unsure(norms: tuple[Norm, ...]) -> bool:
    """Did the rules fail to read the statement, read only part of it, or not see what it is about?"""
    return not norms or any(not norm.sure or norm.subject_kind != "PRESENT" for norm in norms)
