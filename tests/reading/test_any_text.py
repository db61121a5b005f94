"""Whatever stands in a note, the rules answer: no error, the same answer twice, nothing made up."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from app.reading.norm_rules import normalize
from tests.support.claims_of_notes import Said, read

SENTENCES = [
    "The door code is 4411.",
    "Deploys must use a blue canary in prod until 3 May 2026.",
    "We moved the wiki from Confluence to Obsidian (was Notion), since 2024.",
    "- 09:15 The pump reads at most 3.1 bar.",
    "Rent: €950 per month, 2 rooms",
    "No smoking in the workshop unless Ines says so.",
    "| host | ram |\n|---|---|\n| atlas | 64 GB |",
    "owner:: Ines (was Rob)",
    "Is the gate locked? Yes, half past seven to noon.",
    "Every other Friday the bins are moved by Rob, the 3rd of each month.",
    "The fee isn't 40 euros any more; it's between 30 and 50.",
    "Correction: Noa's allergic to penicillin, not to nuts.",
]
_MARKS = [
    "",
    " ",
    "  ",
    ":",
    "::",
    "?",
    "(",
    ")",
    ",",
    "—",
    "-",
    "\u200b",
    "ſ",
    "İ",
    "0",
    "%",
    "|",
    "[[",
    "]]",
    "`",
    "*",
    "\t",
    "n't",
    "=",
    "…",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Sentences cut, swapped and spiced with marks."""
    text = " ".join(draw(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=2)))
    chance = random.Random(draw(st.integers(0, 2**32)))
    words = text.split(" ")
    for _ in range(draw(st.integers(0, 6))):
        at = chance.randrange(len(words))
        match chance.randrange(4):
            case 0:
                words.insert(at, chance.choice(_MARKS))
            case 1:
                words[at] = words[at][: chance.randrange(len(words[at]) + 1)] + chance.choice(_MARKS)
            case 2:
                other = chance.randrange(len(words))
                words[at], words[other] = words[other], words[at]
            case _:
                del words[at : at + 1]
                words = words or ["x"]
    return " ".join(words)


_FORMS = st.one_of(
    st.text(max_size=120),
    mutated(),
    mutated().map(lambda t: f"- {t}"),
    mutated().map(lambda t: f"key:: {t}"),
    mutated().map(lambda t: f"---\nkey: {t}\n---\n"),
)


@given(_FORMS, st.sampled_from(["Garage", "2026-03-02", "v1.2", "door-code", "Ω"]))
def test_any_text_is_read_twice_the_same_without_error(text: str, title: str) -> None:
    said = Said(text, title)
    first, second = read(said), read(said)
    assert [normalize(s, first) for s in first.statements] == [
        normalize(s, second) for s in second.statements
    ]


@given(_FORMS)
def test_every_value_stands_in_its_statement(text: str) -> None:
    note = read(Said(text, "Garage"))
    for statement in note.statements:
        here = statement.text.casefold()
        for norm in normalize(statement, note):
            assert norm.subject
            if norm.value is not None:
                assert norm.value
                assert all(part in here for part in norm.value.casefold().split())


@given(mutated())
def test_norms_are_well_formed(text: str) -> None:
    note = read(Said(text, "Garage", "2026-03-02"))
    for statement in note.statements:
        for norm in normalize(statement, note):
            assert norm.by == "rules"
            assert norm.scope == tuple(sorted(norm.scope))
            for day in (norm.valid_from, norm.valid_until):
                assert day is None or (len(day) == 10 and day[4] == day[7] == "-")
