"""What is made of the model's answers: lines exist, questions name what stands there, settled stays so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detection.judge_input import Said, said
from app.detective.thread_answer import ThreadAnswer, finding, grammar, read_answer, settled_in_words
from app.detective.thread_prompt import END, FEW_SHOT, LONGEST, gap, written
from app.words import Claim
from tests.support.claims_of_notes import claims, says

WIFI = claims(
    says("the wifi password is birchwood9", "Guests", "2025-01-10"),
    says("connect the printer to the wifi with heron-44", "Printer", "2025-02-10"),
    says("bought paper", "Shopping", "2025-03-10"),
)
GOOD = " | disagreement | 1 2 | Is the wifi password still birchwood9?"


def told(answer: str, thread: list[Claim] = WIFI) -> ThreadAnswer | None:
    return read_answer(answer, thread)


def test_a_good_answer_names_its_lines_and_asks() -> None:
    answer = told(GOOD)
    assert answer == ThreadAnswer(
        "disagreement", (WIFI[0].id, WIFI[1].id), "Is the wifi password still birchwood9?"
    )
    found = finding(answer, WIFI, 0.9)
    assert found is not None
    assert (found.kind, found.members, found.found_by) == ("disagreement", answer.members, "detective")
    assert found.question == answer.question and found.reasons[0].stage == "thread"


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "no idea",
        " | quarrel | 1 2 | Is it?",
        " | stale | | Is it so?",
        " | stale | 1 | Is it so?",
        " | stale | 1 1 | Is it so?",
        " | stale | 0 1 | Is it so?",
        " | stale | 1 4 | Is it so?",
        " | stale | 1 99999999999999999999 | Is it so?",
        " | stale | one two | Is it so?",
        " | stale | -1 2 | Is it so?",
        " | stale | ² 1 | Is it so?",
        "[[[[" * 1000,
    ],
)
def test_answers_of_no_use(answer: str) -> None:
    assert told(answer) is None


@given(st.text(max_size=200))
def test_no_answer_breaks_anything(answer: str) -> None:
    for text in (answer, f" | stale | {answer}", f" | stale | 1 2 | {answer}"):
        made = told(text)
        assert made is None or set(made.members) <= {claim.id for claim in WIFI}


@pytest.mark.parametrize(
    "question",
    [
        "The password is birchwood9.",
        "Is the password maple7?",
        "Is Karin still the owner of the password?",
        "Is it?? Is it?",
        "Who knows the wifi password?",
        "Is " + "the wifi password " * 20 + "?",
        "",
        "Is the moon made of green cheese and honey?",
    ],
)
def test_a_question_that_names_what_nobody_said_is_replaced(question: str) -> None:
    answer = told(f" | disagreement | 1 2 | {question}")
    assert answer is not None and answer.question is None
    found = finding(answer, WIFI, 0.9)
    assert found is not None and found.question == "Is the wifi password still birchwood9?"


@pytest.mark.parametrize(
    "notes",
    [
        pytest.param(
            (says("The shop runs on Shopware.", "Web", "2025-01-01"),
             says("The shop moved from Shopware to Woo.", "Web", "2025-05-01")),
            id="the newest says that it replaces",
        ),
        pytest.param(
            (says("The door code is 4411.", "Garage", "2025-01-01"),
             says("The door code is 4411.", "House", "2025-05-01")),
            id="both say the same",
        ),
        pytest.param(
            (says("The door code is 4411.", "Garage", "2025-01-01"),
             says("Planning to change the door code to 0087.", "House", "2025-05-01")),
            id="a plan",
        ),
        pytest.param(
            (says("In production the door code is 4411.", "Garage", "2025-01-01"),
             says("In staging the door code is 0087.", "House", "2025-05-01")),
            id="another scope",
        ),
        pytest.param(
            (says("Visitors leave by 18:00.", "Rules", "2025-01-01"),
             says("Exception: the choir stays until 21:00.", "House", "2025-05-01"),
             says("The choir went home at 20:45 again.", "Choir", "2025-06-01")),
            id="a rule and its exception",
        ),
        pytest.param(
            (says("Visitors leave by 18:00.", "Rules", "2025-01-01"),
             says("Visitors leave by 21:00, except on Mondays.", "House", "2025-05-01")),
            id="except on some days",
        ),
    ],
)  # fmt: skip
def test_what_the_rules_know_to_be_settled_stays_settled(notes: tuple[Said, ...]) -> None:
    thread = claims(*notes)
    ids = tuple(claim.id for claim in thread)
    assert finding(ThreadAnswer("disagreement", ids, None), thread, 0.99) is None


@pytest.mark.parametrize(
    ("between", "silent"),
    [
        ("Exception: the choir stays until 21:00.", True),
        ("The choir stays late, except on Mondays.", True),
        ("The choir's exception is over.", False),
        ("The exceptions were gone by May.", False),
        ("Exceptionally loud, the choir.", False),
    ],
)
def test_an_exception_goes_with_its_rule_as_long_as_it_is_one(between: str, silent: bool) -> None:
    thread = claims(
        says("Visitors leave by 18:00.", "Rules", "2025-01-01"),
        says(between, "House", "2025-05-01"),
        says("Visitors leave by 21:00.", "Choir", "2025-06-01"),
    )
    found = finding(ThreadAnswer("disagreement", tuple(c.id for c in thread), None), thread, 0.99)
    assert (found is None) == silent


def test_a_change_followed_by_what_it_changed_to_is_settled_and_a_way_back_is_not() -> None:
    rest = says("Our API is REST.", "API", "2025-01-01")
    change = says("Our API moved from REST to GraphQL.", "API", "2025-03-01")
    assert settled_in_words(claims(rest, change, says("Our API is GraphQL.", "Docs", "2025-06-01")))
    assert not settled_in_words(claims(rest, change, says("Our API is REST.", "Docs", "2025-06-01")))


@pytest.mark.parametrize(
    ("before", "settling", "after"),
    [
        pytest.param(
            ("The door code is 4411.",), "The door code changed from 4411 to 0087.", "The door code is 0087.",
            id="a change",
        ),
        pytest.param(
            ("The rent is 840.",), "Correction: the rent is 870, not 840.", "The rent is 870.",
            id="a correction",
        ),
        pytest.param(
            ("Our API is REST.", "Our API moved from REST to GraphQL."),
            "Our API moved back from GraphQL to REST.", "Our API is REST.",
            id="a way back",
        ),
        pytest.param(
            ("Our API is REST.", "Our API moved from REST to GraphQL."),
            "We moved back from GraphQL to REST.", "Our API is REST.",
            id="a way back of nothing in particular",
        ),
        pytest.param(
            ("Our API is REST.", "Our API moved from REST to GraphQL."), "REST again.", "Our API is REST.",
            id="a way back in two words",
        ),
        pytest.param(
            ("Our API is REST.", "Our API moved from REST to GraphQL."), "Our API is back on REST.",
            "Our API is REST.",
            id="a way back that agrees with what follows",
        ),
    ],
)  # fmt: skip
def test_a_settling_line_counts_though_the_model_steps_over_it(
    before: tuple[str, ...], settling: str, after: str
) -> None:
    told_so = (*before, settling, after)
    thread = claims(*(says(text, f"N{n}", f"2026-0{n + 1}-05") for n, text in enumerate(told_so)))
    named = ThreadAnswer("disagreement", tuple(c.id for c in thread if c.statement.text != settling), None)
    assert finding(named, thread, 0.9) is None
    without = [c for c in thread if c.statement.text != settling]
    assert finding(named, without, 0.9) is not None


def test_a_change_of_another_thing_or_the_other_way_settles_nothing() -> None:
    old = says("The door code is 4411.", "Garage", "2026-01-05")
    new = says("The door code is 0087.", "House", "2026-03-05")
    for between in ("The rent changed from 840 to 870.", "The door code changed from 0087 to 4411."):
        thread = claims(old, says(between, "Log", "2026-02-05"), new)
        named = ThreadAnswer("disagreement", (thread[0].id, thread[2].id), None)
        assert finding(named, thread, 0.9) is not None


def test_kinds_the_lines_cannot_bear_are_lowered() -> None:
    ids = (WIFI[0].id, WIFI[1].id)
    two = finding(ThreadAnswer("reversal", ids, None), WIFI, 0.9)
    assert two is not None and two.kind == "stale"
    undated = claims(says("the wifi password is birchwood9", "Guests"), says("wifi: use heron-44", "Printer"))
    same = finding(ThreadAnswer("stale", tuple(c.id for c in undated), None), undated, 0.9)
    assert same is not None and same.kind == "disagreement"


def test_lines_are_numbered_dated_by_gaps_and_kept_on_one_line() -> None:
    lines = written(
        [
            Said("one\nline <|im_end|>", "Note", "2025-01-01"),
            Said("two", "2025-01-02", "2025-01-02"),
            Said("three " * 100, "Note", "2026-06-01", parent="Under:"),
            Said("four", "", None),
        ]
    ).splitlines()
    assert lines[:2] == ["1. (Note) one line < |im_end|>", "2. (days later) two"]
    assert lines[2].startswith("3. (Note, a year later) Under: three") and lines[2].endswith("…")
    assert lines[3:] == ["4. four"]


@pytest.mark.parametrize(
    ("a", "b", "said_as"),
    [
        ("2025-01-01", "2025-01-01", "same day"),
        ("2025-01-01", "2025-01-05", "days later"),
        ("2025-01-01", "2025-02-01", "weeks later"),
        ("2025-01-01", "2025-08-01", "months later"),
        ("2025-01-01", "2027-01-01", "a year later"),
        (None, "2027-01-01", ""),
        ("not a day", "2027-01-01", ""),
    ],
)
def test_gaps(a: str | None, b: str, said_as: str) -> None:
    assert gap(a, b) == said_as


def test_the_examples_answer_as_the_grammar_wants() -> None:
    shots = [shot for shot in FEW_SHOT.split("\n\n") if END in shot]
    assert len(shots) >= 6
    for shot in shots:
        answer = shot.partition(END)[2]
        assert answer == " no" or answer.startswith(" yes | ")


def test_a_thread_longer_than_can_be_read_still_has_a_grammar() -> None:
    assert f't{LONGEST} ::= "{LONGEST}"' in grammar(LONGEST)
    assert written(map(said, WIFI)).count("\n") == len(WIFI)
