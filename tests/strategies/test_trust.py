"""What verdicts teach about sources: damped, by topic, reset on request."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.strategies.trust import EVEN, Trust, Verdict, learn, sources
from app.words import Claim, Statement

A, B = ("note:a.md", "folder:x"), ("note:b.md", "folder:x")


def verdict(seq: int, winner: tuple[str, ...], *losers: tuple[str, ...], topic: str = "pump") -> Verdict:
    return Verdict(seq, topic, winner, losers)


def test_nothing_is_known_before_the_first_verdict() -> None:
    assert Trust().of(A, "pump") == EVEN


def test_a_claim_s_sources_are_note_folders_layer_and_tags() -> None:
    statement = Statement("Farm/Log/May.md", 1, 1, "- x", "x", "bullet", tags=("#pump",))
    claim = Claim("aaaaaaaa", statement, "May")
    assert sources(claim, ("farm",)) == (
        "note:Farm/Log/May.md", "folder:Farm/Log", "folder:Farm", "layer:memory", "tag:pump", "tag:farm",
    )  # fmt: skip


def test_one_verdict_moves_a_little_and_many_do_not_reach_certainty() -> None:
    once = learn([verdict(1, A, B)])
    assert EVEN < once.score("note:a.md") < 0.65
    often = learn([verdict(n, A, B) for n in range(1, 1001)])
    assert 0.99 < often.score("note:a.md") < 1
    assert 0 < often.score("note:b.md") < 0.01


def test_a_source_on_both_sides_learns_nothing() -> None:
    assert learn([verdict(1, A, B, B, B)]).score("folder:x") == EVEN


def test_a_topic_is_known_better_than_the_source_at_large() -> None:
    trust = learn([verdict(n, A, B, topic="Pump") for n in (1, 2)] + [verdict(3, B, A, topic="code")])
    assert trust.score("note:a.md", "pump") > trust.score("note:a.md") > trust.score("note:a.md", "code")
    assert trust.score("note:a.md", "never heard of") == trust.score("note:a.md")


def test_a_reset_forgets_what_came_before_it_for_that_source_only() -> None:
    trust = learn([verdict(1, A, B), verdict(5, A, B)], {"note:a.md": 3})
    assert trust.sources["note:a.md"].kept == 1
    assert trust.sources["note:b.md"].beaten == 2


SOURCES = st.lists(st.sampled_from(["note:a", "note:b", "folder:x", "tag:t"]), min_size=1, unique=True).map(
    tuple
)
VERDICTS = st.lists(
    st.tuples(SOURCES, st.lists(SOURCES, min_size=1, max_size=3), st.sampled_from(["p", "q"])), max_size=12
).map(lambda rows: [Verdict(n, topic, w, tuple(ls)) for n, (w, ls, topic) in enumerate(rows, 1)])


@given(VERDICTS)
def test_scores_stay_between_never_and_always(verdicts: list[Verdict]) -> None:
    trust = learn(verdicts)
    for source in trust.sources:
        for topic in (None, "p", "q"):
            assert 0 < trust.score(source, topic) < 1


@given(VERDICTS, SOURCES)
def test_one_more_win_never_lowers_a_source(verdicts: list[Verdict], winner: tuple[str, ...]) -> None:
    before = learn(verdicts)
    after = learn([*verdicts, Verdict(99, "p", winner, (("note:other",),))])
    for source in winner:
        assert after.score(source) > before.score(source)
        assert after.score(source, "p") > before.score(source, "p")
