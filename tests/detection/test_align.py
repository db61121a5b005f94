"""Two readings side by side: the same, different and how, or on one side only."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.detection.align import Alignment, align, align_frames
from app.reading.frame import Reading
from app.reading.reader import ClaimReader
from tests.support.claims_of_notes import Said, claims, says


def readings(*notes: Said | str) -> list[Reading]:
    held = claims(*notes)
    read = ClaimReader().read(held)
    return [read[claim.id] for claim in held]


def aligned(a: Said | str, b: Said | str) -> Alignment:
    x, y = readings(a, b)
    made = align(x, y)
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("a", "b", "how", "differ"),
    [
        ("The piano is in the hall.", "The piano is in the study.", "word", ("hall", "study")),
        ("Glass goes in the green bin.", "Glass goes in the blue bin.", "opposite", ("green", "blue")),
        ("The museum is closed on Mondays.", "The museum is open on Mondays.", "opposite", ("close", "open")),
        ("Leo is right-footed.", "Leo is left-footed.", "opposite", ("right", "left")),
        ("The fee is 20 euros.", "The fee is 25 euros.", "amount", ("20 euros", "25 euros")),
        ("Standup is at 9:15 every day.", "Standup is at 9:45 every day.", "amount", ("9:15", "9:45")),
        ("Alarm code 7731", "Alarm code 7713", "amount", ("7731", "7713")),
        ("Shoes must be left outside.", "Shoes must not be left outside.", "demand", ("must", "must not")),
        ("The heating is electric.", "The heating is not electric.", "polarity", ("yes", "not")),
        ("The captain is Sorcha Daly.", "captain: Aoife Brennan", "name", None),
        ("One key opens the shed.", "Two keys open the shed.", "amount", ("one", "Two")),
    ],
)
def test_what_differs_and_how(a: str, b: str, how: str, differ: tuple[str, str] | None) -> None:
    main = aligned(a, b).main
    assert main is not None and main.how == how
    assert differ is None or (main.a, main.b) == differ


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The fee is 60 minutes.", "The fee is 1 hour."),
        ("The piano is in the hall.", "The piano is in the hall."),
        ("wifi password: heron", "The wifi password is heron."),
        ("The hedge is cut by Tom.", "Tom cuts the hedge."),
    ],
)
def test_what_is_the_same_has_no_difference(a: str, b: str) -> None:
    assert aligned(a, b).differences == ()


def test_the_title_supplies_what_a_fragment_leaves_out() -> None:
    made = aligned(says("Service every May", "Boiler"), "The boiler gets its service in October.")
    assert made.supplied > 0


SENTENCES = (
    "The piano is in the hall.",
    "The piano is in the study.",
    "Visitors must sign in at the desk.",
    "Visitors need not sign in.",
    "The fee is 20 euros per month.",
    "fee: 25 euros",
    "Tom cuts the hedge in May.",
    "Nobody cuts the hedge.",
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
def test_alignment_is_symmetric(a: str, b: str) -> None:
    x, y = readings(a, b)
    forth, back = align(x, y), align(y, x)
    assert forth is not None and back is not None
    assert forth.shared == pytest.approx(back.shared)
    assert (forth.only_a, forth.only_b) == pytest.approx((back.only_b, back.only_a))
    assert sorted((d.how, d.a, d.b) for d in forth.differences) == sorted(
        (d.how, d.b, d.a) for d in back.differences
    )


@pytest.mark.parametrize("text", ["The lift is working.", "The shop sells bread.", "Leo plays the piano."])
def test_denying_one_side_differs_and_denying_both_does_not(text: str) -> None:
    denied = {
        "The lift is working.": "The lift is not working.",
        "The shop sells bread.": "The shop does not sell bread.",
        "Leo plays the piano.": "Leo does not play the piano.",
    }[text]
    main = aligned(text, denied).main
    assert main is not None and main.how == "polarity"
    assert aligned(denied, denied).differences == ()


LONG = (
    "The barn is locked at night, the key hangs in the office, and Ines feeds the goats before six.",
    "Ines feeds the goats at seven because the barn is locked until then, and she keeps the key herself.",
    "The office opens at nine; deliveries go to the barn, which has no lock, and Tom signs for them.",
    "Goats are fed twice a day, and whoever has the key of the barn locks it afterwards.",
)


@pytest.mark.parametrize("a", LONG)
@pytest.mark.parametrize("b", LONG)
def test_of_many_clauses_the_two_that_go_together_best_are_aligned(a: str, b: str) -> None:
    x, y = readings(a, b)
    assert len(x.frames) > 1 and len(y.frames) > 1
    every = [align_frames(v, w).score for v in x.frames for w in y.frames]
    best = align(x, y)
    assert best is not None and best.score == max(every)
