"""Who people are and what they prefer: which sentences fill such a slot, and whose it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.reading.memories import exclude, identity_or_preference, memory_type
from app.reading.rule_words import FAVOURITES, PREFERENCES, TRADES
from app.reading.tokens import stem
from app.words import Norm
from tests.support.claims_of_notes import Said, norm, norms, pair, says


def slot(said: Said | str) -> tuple[str, str | None]:
    read = norm(said)
    return read.subject, read.value


@pytest.mark.parametrize(
    ("text", "subject", "value"),
    [
        ("I am a nurse.", "my occupation", "nurse"),
        ("I'm still a bus driver.", "my occupation", "bus driver"),
        ("Mira works as a plumber.", "Mira occupation", "plumber"),
        ("My mum is a lawyer by profession.", "My mum occupation", "lawyer"),
        ("My job is accountant.", "my occupation", "accountant"),
        ("Tomas Berg's profession is dentist.", "Tomas Berg occupation", "dentist"),
        ("I prefer tabs.", "my indentation preference", "tabs"),
        ("Mira prefers tea over coffee.", "Mira hot drink preference", "tea"),
        ("Mira prefers the window seat.", "Mira seat preference", "window"),
        ("I prefer tea, not coffee.", "my hot drink preference", "tea"),
        ("I prefer tea because it wakes me gently.", "my hot drink preference", "tea"),
        ("Mira likes dark mode.", "Mira theme preference", "dark"),
        ("Mira uses vim keybindings.", "Mira keybindings setting", "vim"),
        ("I prefer Rust over Go.", "my Go or Rust preference", "Rust"),
        ("My favourite colour is dark green.", "my favourite colour", "dark green"),
        ("Ida's favorite animal is the fox.", "Ida favourite animal", "fox"),
    ],
)
def test_what_surely_excludes_something_fills_a_slot(text: str, subject: str, value: str) -> None:
    read = norm(says(text, "2026-03-02"))
    assert (read.subject, read.value) == (subject, value)
    assert read.single and read.sure and read.subject_kind == "PRESENT"
    assert memory_type(read) == ("identity" if "occupation" in subject else "preference")


@pytest.mark.parametrize(
    "text",
    [
        "I prefer tea in the evening",
        "I prefer tea, at least in winter",
        "I prefer tea, so far",
        "I prefer tea, not always",
        "I prefer tea and coffee",
        "I prefer this over that",
        "I prefer A over B",
        "I prefer red over blue",
        "I prefer Plan B over Plan A",
        "I like tea",
        "I use tabs",
        "Everyone prefers tabs",
        "He is a nurse",
        "Someone is a plumber",
        "My sister is a nurse",
        "My friend is a lawyer",
        "Mira is a good nurse",
        "Mira is a mother",
        "Mira is a teacher",
        "Dad is a baker",
        "Mira was a nurse",
        "Mira is not a nurse",
        "Mira is the nurse",
        "Nurse is a hard job",
        "Mira prefers short meetings",
        "",
    ],
)
def test_what_leaves_room_for_something_else_fills_none(text: str) -> None:
    assert identity_or_preference(text.partition(",")[0], text) is None


def test_only_of_some_things_one_has_a_favourite_at_all() -> None:
    assert norm("My favourite season is autumn.").single
    for text in (
        "My favourite song is Wuthering Heights.",
        "My favourite restaurant is Luigi.",
        "My favourite part is the ending.",
        "My favourite food is bread and butter.",
    ):
        read = norm(text)
        assert not read.single and read.object == "prefers"


# whose it is
@pytest.mark.parametrize(
    ("said", "subject"),
    [
        (says("Prefers tabs.", "Mira"), "Mira indentation preference"),
        (says("Prefers tabs.", "About me"), "my indentation preference"),
        (says("Prefers tabs.", "Inbox"), "my indentation preference"),
        (says("# Mira\n\n- Prefers tabs", "Team"), "Mira indentation preference"),
        (says("# Mira\n\n- Prefers tabs", "2026-03-02"), "Mira indentation preference"),
        (says("Mira prefers tabs.", "Mira"), "Mira indentation preference"),
        (says("Mira prefers tabs.", "Colleagues"), "Mira indentation preference"),
        (says("## Preferences\n\nI prefer tabs.", "2026-03-02"), "my indentation preference"),
        (says("I prefer tabs.", "Billing service"), "my indentation preference Billing service"),
        (says("## Makefiles\n\nI prefer tabs.", "Python"), "my indentation preference Python Makefiles"),
        (says("- Breakfast:\n  - Mira prefers tea", "Mira"), "Mira hot drink preference Breakfast"),
        (says("Anna is a nurse.", "Chapter 3"), "Anna occupation Chapter 3"),
        (says("At home, I prefer tea.", "2026-03-02"), "home my hot drink preference"),
    ],
)
def test_a_note_on_something_in_particular_speaks_of_that(said: Said, subject: str) -> None:
    assert slot(said)[0] == subject


def test_of_whom_a_day_s_note_speaks_without_a_name_nobody_knows() -> None:
    assert norm(says("Prefers tabs.", "2026-03-02")).subject_kind == "FUZZY"


@pytest.mark.parametrize("key", ["source", "url", "author", "Publisher"])
def test_in_a_note_taken_over_i_is_somebody_else(key: str) -> None:
    clipped = says("I prefer tabs.\n\nMira prefers tabs.", "2026-03-02", **{key: "somewhere"})
    read = {norm.subject: norm.single for norm in norms(clipped) if norm.object == "prefers"}
    assert read == {"my indentation preference": False, "Mira indentation preference": True}
    assert not pair(clipped, says("I prefer spaces.", "2026-03-03")).conflict


# what conflicts
CONFLICTS = [
    ("Prefers rebase workflow.", "Prefers merge-commit workflow."),
    ("Mira uses vim keybindings.", "Mira uses emacs keybindings."),
    ("I prefer tabs.", "I prefer spaces."),
    ("Mira prefers tea.", "Mira prefers coffee over tea."),
    ("Mira prefers window seats.", "Mira prefers the aisle seat."),
    ("Mira likes metric units.", "Mira likes imperial units."),
    ("I prefer the 24-hour clock.", "I prefer the 12-hour clock."),
    ("I prefer Rust over Go.", "I prefer Go to Rust."),
    ("Mira is a nurse.", "Mira works as a lawyer."),
    ("I'm an electrician.", "My job is pharmacist."),
    ("My favourite colour is green.", "My favourite colour is blue."),
    ("Ida's favourite animal is the fox.", "Ida's favourite animal is the owl."),
]


@pytest.mark.parametrize(("a", "b"), CONFLICTS)
def test_two_answers_of_one_person_cannot_both_hold(a: str, b: str) -> None:
    assert pair(says(a, "About me"), says(b, "Profile")).conflict
    assert pair(says(b, "About me"), says(a, "Profile")).conflict
    assert not pair(says(a, "About me"), says(a, "Profile")).conflict


def test_a_person_s_page_and_a_diary_meet() -> None:
    diary = says("Mira prefers coffee.", "2026-03-02")
    assert pair(says("Mira prefers tea.", "Mira"), diary).kinds == ["disagreement"]
    assert pair(says("Prefers tea.", "Mira"), diary).conflict
    assert pair(says("occupation:: nurse", "Mira"), says("Mira is a lawyer.", "2026-03-02")).conflict


def test_an_old_answer_is_outdated_and_one_that_says_so_settles_it() -> None:
    old = says("Mira is a nurse.", "2021-03-02")
    assert pair(old, says("Mira is a lawyer.", "2026-03-02")).kinds == ["stale"]
    assert not pair(old, says("Mira is now a lawyer.", "2026-03-02")).conflict
    assert not pair(old, says("Mira is no longer a nurse.", "2026-03-02")).conflict


# what only looks like it
LOOK_ALIKES = {
    "two people": ("Mira prefers tea.", "Jonas prefers coffee."),
    "two people's pages": (says("Prefers tea.", "Mira"), says("Prefers coffee.", "Jonas")),
    "one heading on two people's pages": (
        says("## Drinks\n\n- Prefers tea", "Mira"),
        says("## Drinks\n\n- Prefers coffee", "Jonas"),
    ),
    "people under headings of their own": (
        says("# Mira\n\n- Prefers tea", "Team"),
        says("# Jonas\n\n- Prefers coffee", "Team offsite"),
    ),
    "two guests of one evening": (
        says("Met Lena.\n\nPrefers tea.", "2026-03-02"),
        says("Met Tom.\n\nPrefers coffee.", "2026-03-03"),
    ),
    "mother and daughter": ("My mum is a nurse.", "I am a lawyer."),
    "two sisters": ("My sister is a nurse.", "My sister is a lawyer."),
    "two friends": ("My friend is a plumber.", "My friend is a dentist."),
    "a trade and a role": ("Mira is a nurse.", "Mira is a mother."),
    "a trade and a hobby": ("Dad is an accountant.", "Dad is a baker."),
    "a trade and teaching": ("Mira is a nurse.", "Mira is a teacher."),
    "two trades of one kind": ("Tom is a plumber.", "Tom is an electrician."),
    "a trade told more closely": ("Mira is a nurse.", "Mira is a paediatric nurse."),
    "what one was": ("Mira is a lawyer.", "Mira was a nurse."),
    "what one will be": ("Mira is a nurse.", "Mira wants to be a lawyer."),
    "what is said of one": ("Mira is a nurse.", "Jonas says Mira is a lawyer."),
    "what one would be": ("Mira is a nurse.", "Mira would be a lawyer by now."),
    "a question": ("Mira is a nurse.", "Is Mira a lawyer?"),
    "a quotation": ("I am a nurse.", "> I am a lawyer."),
    "direct speech": ("I am a nurse.", "“I am a lawyer,” he said."),
    "a line of dialogue": ("I am a nurse.", "— I am a lawyer."),
    "personas": (says("I am a nurse.", "Persona Lena"), says("I am a plumber.", "Persona Tom")),
    "a character of a novel": (says("Anna is a nurse.", "Novel plot"), says("Anna is a lawyer.", "Friends")),
    "two chapters": (says("Anna is a nurse.", "Chapter 1"), says("Anna is a lawyer.", "Chapter 2")),
    "a dream": ("I am a nurse.", says("## Dream\n\nI am a lawyer.", "2026-03-02")),
    "a phrase book": ("I am a nurse.", says("I am a lawyer.", "Danish phrases")),
    "a clipped article": (
        "I am a nurse.",
        says("I am a lawyer.", "2026-03-02", source="https://example.org"),
    ),
    "a song": ("My favourite song is Heroes.", "My favourite song is Hurt."),
    "a book of each year": ("My favourite book is Dune.", "My favourite book is Emma."),
    "a moment of each day": ("My favourite part is the walk.", "My favourite part is supper."),
    "a shade": ("My favourite colour is green.", "My favourite colour is dark green."),
    "two things one likes": ("Mira likes tea.", "Mira likes coffee."),
    "two wines one likes": ("Mira likes red wine.", "Mira likes white wine."),
    "two editors one uses": ("Mira uses vim.", "Mira uses emacs."),
    "what one uses and what one prefers": ("Mira uses light mode.", "Mira prefers dark mode."),
    "an editor and its keys": ("Mira prefers vscode.", "Mira uses vim keybindings."),
    "one workflow by two names": ("Prefers merge workflow.", "Prefers merge-commit workflow."),
    "one spelling and another": ("Mira prefers email.", "Mira prefers e-mail."),
    "two services": (says("I prefer tabs.", "Billing service"), says("I prefer spaces.", "Search service")),
    "a device": (says("I prefer dark mode.", "About me"), says("I prefer light mode.", "Kindle")),
    "two languages": (
        says("## Go\n\nI prefer tabs.", "Style"),
        says("## Python\n\nI prefer spaces.", "Style guide"),
    ),
    "breakfast": ("Mira prefers coffee.", says("## Breakfast\n\nMira prefers tea.", "Mira")),
    "the evening": ("Mira prefers coffee.", "Mira prefers tea in the evening."),
    "an illness": ("Mira prefers coffee.", "Mira prefers tea when she is ill."),
    "work": ("I prefer coffee.", "At work, I prefer tea."),
    "most of the time": ("I prefer coffee.", "I usually prefer tea."),
    "today": ("I prefer coffee.", "I prefer tea today."),
    "another pair to choose from": ("Mira prefers tea to wine.", "Mira prefers coffee to tea."),
    "options of two decisions": ("I prefer A over B.", "I prefer B over A."),
    "this and that": ("I prefer this over that.", "I prefer that over this."),
    "a colour for the hall": ("I prefer red over blue.", "I prefer blue over red."),
    "plants": (says("Prefers full sun.", "Basil"), says("Prefers partial shade.", "Ferns")),
    "animals": (says("Prefers cold water.", "Trout"), says("Prefers warm water.", "Carp")),
    "a recipe": (
        says("I prefer butter over oil.", "Pancakes"),
        says("I prefer oil over butter.", "Focaccia"),
    ),
    "a template": (says("My favourite food is …", "Friend book"), says("My favourite food is ___", "Form")),
    "two projects": (
        says("Mira prefers rebase workflow.", "2026-03-02", project="p05"),
        says("Mira prefers merge workflow.", "2026-03-03", project="p06"),
    ),
}


@pytest.mark.parametrize(("a", "b"), LOOK_ALIKES.values(), ids=LOOK_ALIKES)
def test_look_alikes_stay_silent(a: Said | str, b: Said | str) -> None:
    a, b = (said if isinstance(said, Said) else says(said, f"2026-03-1{n}") for n, said in enumerate((a, b)))
    assert pair(a, b).findings == ()
    assert pair(b, a).findings == ()


# what holds of any
_WORDS = sorted(
    {*TRADES, *(word for known in PREFERENCES.values() for word in known.choices), "Rust", "Go", ""}
)
_SUBJECTS = [
    "my occupation",
    "Mira occupation",
    "my theme preference",
    "Go or Rust preference",
    "my favourite food",
]
NORMS = st.builds(
    Norm,
    st.sampled_from(_SUBJECTS),
    object=st.sampled_from(["equals", "prefers", "used"]),
    value=st.none() | st.sampled_from(_WORDS) | st.text(max_size=12),
)
_PIECES = st.sampled_from(
    ["I", "Mira", "my", "'s", "is", "a", "prefers", "uses", "favourite", "colour", "nurse", "tea", "over",
     "dark", "mode", "not", ",", ".", "to", "Rust", "Go", "É", "…", "tabs", "because"]
)  # fmt: skip
SENTENCES = st.lists(_PIECES, max_size=9).map(" ".join) | st.text(max_size=60)


@given(NORMS, NORMS)
def test_to_exclude_each_other_has_no_direction(a: Norm, b: Norm) -> None:
    assert exclude(a, b) == exclude(b, a)


@given(SENTENCES, st.data())
def test_any_sentence_is_read_without_error_and_nothing_is_made_up(text: str, data: st.DataObject) -> None:
    clause = text[: data.draw(st.integers(0, len(text)))]
    read = identity_or_preference(clause, text)
    if read is not None:
        assert read.value and read.value in clause
        assert read.subject.strip() == read.subject != ""
        assert memory_type(read) != "memory"


@given(SENTENCES, st.sampled_from(["Mira", "2026-03-02", "About me", "Kindle"]))
def test_nor_does_any_sentence_contradict_its_copy(text: str, title: str) -> None:
    said = says(text, title)
    assert norms(said) == norms(said)
    assert not pair(said, said).conflict


def test_every_choice_tells_one_aspect_that_it_can_be_told_of() -> None:
    """A choice that needs a word behind it has one, and two aspects share no bare choice."""
    bare = [word for known in PREFERENCES.values() if known.bare for word in known.choices]
    assert len(bare) == len(set(bare))
    assert all(known.heads for known in PREFERENCES.values() if not known.bare or known.setting)
    assert stem("colour") in FAVOURITES
