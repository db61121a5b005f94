"""What the language model may answer about a statement, and what is made of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.statements import read_statement
from app.reading.norm_answer import grammar, read_answer, spelled
from app.reading.norm_prompt import FEW_SHOT, LONGEST, asked, unsure
from app.reading.norm_rules import normalize
from app.words import Change, Norm, Statement

TEXT = "back door alarm 7719, cleaner has her own code"


def statement(text: str = TEXT, **more: object) -> Statement:
    made = Statement("Shop.md", 1, 1, text, text, "sentence")
    return replace(made, **more)  # type: ignore[arg-type]


def test_an_answer_becomes_norms_marked_as_the_models() -> None:
    answer = (
        " asserted | back door alarm code | is equals | 7719\n"
        " asserted | cleaner code | is not has | her own code"
    )
    norms = read_answer(answer, statement(), "Shop")
    assert norms is not None
    assert [(n.subject, n.modality, n.object, n.value) for n in norms] == [
        ("back door alarm code", "is", "equals", "7719"),
        ("cleaner code", "is_not", "has", "her own code"),
    ]
    assert all(n.by == "llama" and not n.sure and not n.single for n in norms)
    assert read_answer(" none", statement(), "Shop") == ()


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot help with that.",
        " sworn | door code | is equals | 7719",
        " asserted | door code | might equals | 7719",
        " asserted | door code | is owns | 7719",
        " asserted | door code | is equals",
        " asserted | door | code | is equals | 7719",
        " asserted | it | is equals | 7719",
        " asserted | submarine periscope | is equals | 7719",
        " asserted | the | is equals | 7719",
    ],
)
def test_an_answer_out_of_form_is_of_no_use(answer: str) -> None:
    assert read_answer(answer, statement(), "Shop") is None


def test_a_bad_line_does_not_cost_the_good_one() -> None:
    norms = read_answer(
        " sworn | x | is equals | 1\n asserted | alarm | is equals | 7719", statement(), "Shop"
    )
    assert norms is not None and [n.value for n in norms] == ["7719"]


def test_values_are_the_statements_own_words() -> None:
    def value(written: str) -> str | None:
        (norm,) = read_answer(f" asserted | alarm | is equals | {written}", statement(), "Shop") or ()
        return norm.value

    assert value("HER OWN CODE") == "her own code"
    assert value("1234") is None
    assert value("-") is None
    assert value("7719, cleaner") == "7719, cleaner"


def test_subjects_keep_only_words_the_note_has_and_aspects() -> None:
    def subject(written: str, title: str = "Bakery") -> tuple[str, str]:
        here = statement(heading=("Keys",))
        (norm,) = read_answer(f" asserted | {written} | is equals | 7719", here, title) or ()
        return norm.subject, norm.subject_kind

    assert subject("quantum back door alarm code") == ("back door alarm code", "PRESENT")
    assert subject("bakery door price") == ("bakery door price", "PRESENT")
    assert subject("bakery keys price") == ("bakery keys price", "FUZZY")
    # A day's note lends no words.
    assert subject("2026-02-03 alarm", "2026-02-03") == ("alarm", "PRESENT")


def test_scope_windows_and_change_stay_with_the_rules() -> None:
    text = "rent in Leipzig went from 1,180 to 1,240 since May 2025"
    (norm,) = read_answer(" asserted | rent | is costs | 1,240", statement(text), "Flat", "Move") or ()
    assert dict(norm.scope) == {"place": "leipzig", "project": "move"}
    assert (norm.valid_from, norm.change) == ("2025-05-01", Change("1,180", "1,240"))


def test_what_is_spelled_is_read_back() -> None:
    norms = (
        Norm("back door alarm code", "PRESENT", "asserted", "is", "equals", "7719"),
        Norm("cleaner code", "PRESENT", "reported", "may_not", "has", None),
    )
    again = read_answer(spelled(norms), statement(), "Shop")
    assert again is not None
    kept = [(n.subject, n.standing, n.modality, n.object, n.value) for n in again]
    assert kept == [(n.subject, n.standing, n.modality, n.object, n.value) for n in norms]
    assert spelled(()) == " none"


def spans(text: str) -> set[str]:
    """Every value the grammar lets pass, by walking its rules."""
    rules = dict(line.split(" ::= ", 1) for line in grammar(text).split("\n"))

    def literals(rule: str) -> list[str]:
        found = re.findall(r'"((?:[^"\\]|\\.)*)"', rule)
        return [re.sub(r"\\(.)", r"\1", part) for part in found]

    def grow(name: str, sofar: str) -> set[str]:
        rule = rules[name]
        parts = literals(rule)
        here = sofar + parts[0]
        following = re.search(r"\bv\d+", re.sub(r'"(?:[^"\\]|\\.)*"', "", rule))
        if following is None:
            return {here}
        further = grow(following[0], here + "".join(parts[1:]))
        return further | ({here} if rule.rstrip().endswith(")?") else set())

    starts = re.findall(r"\bv\d+", re.sub(r'"(?:[^"\\]|\\.)*"', "", rules["value"]))
    return {span for name in starts for span in grow(name, "")}


def test_the_grammar_lets_exactly_spans_of_whole_words_pass() -> None:
    found = spans('rent "1,240" \\ (from May)')
    assert {"1,240", "rent", "May", '"1,240"', "(from May)", 'rent "1,240"'} <= found
    assert not {"1,24", "ren", "ay"} & found
    assert all(span in 'rent "1,240" \\ (from May)' for span in found)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=60))
def test_every_span_of_any_text_is_of_that_text(text: str) -> None:
    text = " ".join(text.split())
    assert all(span in text and "|" not in span for span in spans(text))


def test_long_wordless_and_empty_statements_are_not_asked_about() -> None:
    assert asked(statement("x" * (LONGEST + 1)), "T") is None
    assert asked(statement("x" * 3_000_000), "T") is None
    assert asked(statement("42 … 17"), "T") is None
    assert asked(statement(""), "T") is None


def test_the_constant_part_of_a_prompt_comes_first_and_the_statement_last() -> None:
    one, other = asked(statement(), "Shop"), asked(statement("the key is blue"), "Farm")
    assert one is not None and other is not None
    for each in (one, other):
        assert each.prompt(tuned=False).startswith(FEW_SHOT)
        assert each.prompt(tuned=True) == each.prompt(tuned=False).removeprefix(FEW_SHOT)
    done = asked(statement("sweep", task="done", heading=("House", "Admin"), parent="Chimney:"), "House")
    assert done == ("[x] sweep", "House > Admin > Chimney")


def test_the_rules_say_when_they_are_not_sure() -> None:
    def norms(text: str) -> tuple[Norm, ...]:
        return normalize(*read_statement(text))

    assert not unsure(norms("The garage door code is 4411."))
    assert unsure(norms("It is blue."))
    assert unsure(())
