"""Sentences: where one ends and the next begins."""

from __future__ import annotations

import pytest

from app.vault.sentences import split_sentences


def split(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Roof box takes 75 kg incl. the box.",
        "Ask Dr. Claeys about it.",
        "The GP is dr. Claeys in Gentbrugge.",
        "Jo at no. 16 has a spare key.",
        "It weighs approx. 40 kg.",
        "Use a tool, e.g. Terraform or i.e. nothing.",
        "We run v1.2.3 on port 3.5 of the rack.",
        "Doors open at 9.30 and close at 17.45 sharp.",
        "J. R. Smith wrote it.",
        "Harry S. Truman signed it.",
        "See https://example.org/a.b?c=d. for more",
        "Wait... and then go.",
        "The U.S. office is closed.",
        "She left on 3. August 2026.",
        "Yahoo! is a company.",
        "Paid on Nov. 3 by card.",
        "1. Go there",
        "Hanne (physio. Own practice) is here.",
        'He said "never. Not once." to me.',
        "See fig. 3 and p. 12 for it.",
        "Cost is 4.5k vs. 3k last year.",
    ],
)
def test_stays_one_sentence(text: str) -> None:
    assert split(text) == [" ".join(text.split())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One is here. Two is there.", ["One is here.", "Two is there."]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ("Who holds the key? Pim does.", ["Who holds the key?", "Pim does."]),
        ("who holds the key? pim does", ["who holds the key?", "pim does"]),
        ("It is plan B. Next we go.", ["It is plan B.", "Next we go."]),
        ("The answer is no. Ask again.", ["The answer is no.", "Ask again."]),
        ("Open until 5 p.m. Closed on Sunday.", ["Open until 5 p.m.", "Closed on Sunday."]),
        ("Pens, paper, etc. Then glue.", ["Pens, paper, etc.", "Then glue."]),
        ("Counted 47. Then 42.", ["Counted 47.", "Then 42."]),
        ("touch the merge tool. don't.", ["touch the merge tool.", "don't."]),
        ("Wait… Then go.", ["Wait…", "Then go."]),
        ('He said "go." Then left.', ['He said "go."', "Then left."]),
        ("Use v1.2.3. Never v2.", ["Use v1.2.3.", "Never v2."]),
    ],
)
def test_splits(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_a_soft_wrapped_line_goes_on() -> None:
    wrapped = (
        "The pipeline applies whatever scripts are pending and then\nRolls the pods of every "
        "service that we have in Frankfurt."
    )
    assert len(split(wrapped)) == 1


def test_a_line_that_could_have_gone_on_ends() -> None:
    assert split("Wifi: blue house\nCode: 4411") == ["Wifi: blue house", "Code: 4411"]


def test_a_line_ending_on_a_small_word_goes_on() -> None:
    assert split("The code of\nThe door") == ["The code of The door"]


def test_a_hard_break_ends() -> None:
    assert split("first part  \nsecond part") == ["first part", "second part"]


def test_small_letters_go_on_unless_both_lines_are_labels() -> None:
    assert split("we keep\ngoing") == ["we keep going"]
    assert split("wifi: blue\ncode: 4411") == ["wifi: blue", "code: 4411"]


def test_blank_text_has_no_sentences() -> None:
    assert split_sentences(" \n ") == []
