"""What is kept between two saves says the same as what is made anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.conflicts.affected import FindingIndex, SlotKey
from app.words import Conflict, Finding, Slot

CLAIMS = "abcdefgh"


def finding(members: tuple[str, ...], slot: str, question: str) -> Finding:
    where = Slot("memory_slot", slot, (slot,) if slot else ())
    return Finding("disagreement", members, where, "warn", 0.9, question, "guard", ())


some_findings = st.lists(
    st.builds(
        finding,
        st.lists(st.sampled_from(CLAIMS), min_size=2, max_size=3, unique=True).map(
            lambda m: tuple(sorted(m))
        ),
        st.sampled_from(("", "rent", "port")),
        st.sampled_from(("Is it?", "Was it?")),
    ),
    max_size=6,
).map(lambda found: {one.members: one for one in found})


def none_stored(_: object, __: object) -> list[Conflict]:
    return []


@given(st.lists(some_findings, min_size=1, max_size=5), st.sets(st.sampled_from(CLAIMS)))
def test_following_changes_gives_what_a_fresh_start_gives(
    saves: list[dict[tuple[str, ...], Finding]], touched: set[str]
) -> None:
    kept = FindingIndex()
    for findings in saves:
        kept.replace_all(findings)
    fresh = FindingIndex()
    fresh.replace_all(saves[-1])
    again = fresh.reachable_from(touched, none_stored)
    assert kept.reachable_from(touched, none_stored).findings == again.findings


@given(some_findings, some_findings)
def test_it_names_the_members_of_what_came_went_or_changed(
    before: dict[tuple[str, ...], Finding], after: dict[tuple[str, ...], Finding]
) -> None:
    kept = FindingIndex()
    kept.replace_all(before)
    differing = {members for members in {*before, *after} if before.get(members) != after.get(members)}
    assert kept.replace_all(after) == {member for members in differing for member in members}
    assert kept.replace_all(after) == set()


def test_a_part_reaches_from_member_to_member_and_from_slot_to_slot() -> None:
    near, far = finding(("a", "b"), "rent", "Is it?"), finding(("b", "c"), "", "Is it?")
    slotted, other = finding(("d", "e"), "rent", "Is it?"), finding(("g", "h"), "port", "Is it?")
    kept = FindingIndex()
    kept.replace_all({one.members: one for one in (near, far, slotted, other)})
    asked: list[tuple[set[str], set[SlotKey]]] = []

    def touching(ids: object, slots: object) -> list[Conflict]:
        asked.append((set(ids), set(slots)))  # type: ignore[call-overload]
        return []

    found = kept.reachable_from({"c"}, touching)
    assert set(found.findings) == {("a", "b"), ("b", "c"), ("d", "e")}
    assert {"c"} in [ids for ids, _ in asked], "the store is asked for conflicts about the same"
