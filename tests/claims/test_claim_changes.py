"""What became of claims when notes changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.claims.claim_changes import diff
from app.claims.ids import claim_id, conflict_id
from app.store.changes import ClaimChange, Gone
from app.words import Claim, Norm, Note, Statement

AT = "2026-06-30T12:00:00"


def note(path: str, *lines: str | tuple[str, str], **fields: object) -> Note:
    """A note with one statement a line, as text or (heading, text)."""
    seen: Counter[tuple[str, str]] = Counter()
    statements = []
    for n, line in enumerate(lines, start=1):
        heading, text = line if isinstance(line, tuple) else ("", line)
        statements.append(
            Statement(path, n, n, text, text, "sentence", (heading,), ordinal=seen[heading, text])
        )
        seen[heading, text] += 1
    made = Note(path, "hash", path, statements=tuple(statements))
    return replace(made, **fields)  # type: ignore[arg-type]


class Vault:
    """The claims of a vault, kept by applying what diff says."""

    def __init__(self) -> None:
        self.claims: dict[str, Claim] = {}

    def by_path(self, *, retracted: bool) -> dict[str, list[Claim]]:
        found: dict[str, list[Claim]] = {}
        for claim in self.claims.values():
            if (claim.status == "retracted") == retracted:
                found.setdefault(claim.statement.path, []).append(claim)
        return found

    def save(
        self, *notes: Note | Gone, moved: Mapping[str, str] | None = None, promoted: Iterable[str] = ()
    ) -> list[ClaimChange]:
        changes = diff(
            self.by_path(retracted=False),
            notes,
            retracted=self.by_path(retracted=True),
            moved=moved,
            taken=self.claims,
            promoted=set(promoted),
            at=AT,
        )
        for change in changes:
            self.claims[change.claim.id] = change.claim
        return changes

    def id(self, text: str) -> str:
        (found,) = [c.id for c in self.claims.values() if c.statement.text == text]
        return found

    def standing(self) -> dict[str, str]:
        """Claim to path:line text, of everything that stands in a note."""
        return {
            c.id: f"{c.statement.path}:{c.statement.line} {c.statement.text}"
            for c in self.claims.values()
            if c.status != "retracted"
        }


def kinds(changes: Sequence[ClaimChange]) -> list[tuple[str, str]]:
    return sorted((change.kind, change.claim.statement.text) for change in changes)


@pytest.fixture
def vault() -> Vault:
    return Vault()


def test_what_is_new_is_added(vault: Vault) -> None:
    of = note(
        "a.md", "One.", layer="entity", entity="decision", project="p", silent="archive", aliases=("x",)
    )
    [change] = vault.save(of)
    claim = change.claim
    assert (change.kind, change.before, claim.status, claim.first_seen) == ("added", None, "active", AT)
    assert (claim.layer, claim.entity, claim.project, claim.silent, claim.aliases) == (
        "entity", "decision", "p", "archive", ("x",),
    )  # fmt: skip
    assert claim.id == claim_id("a.md", ("",), "One.", 0, ())


def test_what_is_the_same_is_kept_with_its_norms(vault: Vault) -> None:
    vault.save(note("a.md", "One."))
    id = vault.id("One.")
    vault.claims[id] = replace(vault.claims[id], norms=(Norm("one"),))
    [change] = vault.save(note("a.md", "One."))
    assert (change.kind, change.claim) == ("kept", change.before)
    assert change.claim.norms == (Norm("one"),)


def test_another_line_or_heading_or_date_is_an_update(vault: Vault) -> None:
    vault.save(note("a.md", ("Home", "One."), ("Home", "Two.")))
    ids = (vault.id("One."), vault.id("Two."))
    changes = vault.save(
        note("a.md", ("Home", "New and unlike the others."), ("Home", "One."), ("Work", "Two."))
    )
    assert kinds(changes) == [
        ("added", "New and unlike the others."), ("updated", "One."), ("updated", "Two."),
    ]  # fmt: skip
    assert (vault.id("One."), vault.id("Two.")) == ids
    assert vault.claims[ids[1]].statement.heading == ("Work",)


def test_a_changed_note_property_updates_its_claims(vault: Vault) -> None:
    vault.save(note("a.md", "One."))
    assert kinds(vault.save(note("a.md", "One.", layer="state"))) == [("updated", "One.")]
    assert kinds(vault.save(note("a.md", "One.", layer="state", aliases=("b",)))) == [("updated", "One.")]


def test_cut_in_one_note_and_pasted_in_another_is_a_move(vault: Vault) -> None:
    vault.save(note("a.md", "Stays.", "The code is 4411."), note("b.md", "Also stays."))
    id = vault.id("The code is 4411.")
    changes = vault.save(note("a.md", "Stays."), note("b.md", "Also stays.", "The code is 4411."))
    assert kinds(changes) == [("kept", "Also stays."), ("kept", "Stays."), ("moved", "The code is 4411.")]
    assert vault.claims[id].statement.path == "b.md"


def test_text_of_a_note_that_is_gone_is_known_where_it_was_pasted(vault: Vault) -> None:
    vault.save(note("a.md", "The code is 4411.", "Not taken along."))
    assert kinds(vault.save(Gone("a.md"), note("b.md", "The code is 4411."))) == [
        ("moved", "The code is 4411."), ("retracted", "Not taken along."),
    ]  # fmt: skip


def test_the_same_frontmatter_in_two_notes_is_two_things(vault: Vault) -> None:
    def with_status(path: str) -> Note:
        statement = Statement(path, 1, 1, "status: live", "status: live", "property", key="status")
        return replace(note(path), statements=(statement,))

    vault.save(with_status("a.md"))
    assert kinds(vault.save(note("a.md"), with_status("b.md"))) == [
        ("added", "status: live"), ("retracted", "status: live"),
    ]  # fmt: skip


def test_a_moved_file_keeps_its_claims(vault: Vault) -> None:
    vault.save(note("a.md", "One.", "Two."))
    before = set(vault.standing())
    changes = vault.save(note("sub/b.md", "One.", "Two."), moved={"sub/b.md": "a.md"})
    assert {c.kind for c in changes} == {"moved"}
    assert set(vault.standing()) == before
    assert {c.statement.path for c in vault.claims.values()} == {"sub/b.md"}


def test_a_file_moved_and_edited(vault: Vault) -> None:
    vault.save(note("a.md", "One.", "Entirely different words here."))
    changes = vault.save(note("b.md", "One."), Gone("a.md"), moved={"b.md": "a.md"})
    assert kinds(changes) == [("moved", "One."), ("retracted", "Entirely different words here.")]
    assert {c.path for c in changes} == {"b.md"}
    assert kinds(vault.save(note("b.md", "One.", "Entirely different words here.")))[1][0] == "returned"


def test_a_new_file_under_a_name_that_moved_away(vault: Vault) -> None:
    vault.save(note("a.md", "One."))
    id = vault.id("One.")
    changes = vault.save(note("b.md", "One."), note("a.md", "One."), moved={"b.md": "a.md"})
    assert sorted((c.kind, c.path) for c in changes) == [("added", "a.md"), ("moved", "b.md")]
    assert vault.claims[id].statement.path == "b.md"


def test_text_gone_is_retracted_and_text_back_is_the_same_claim(vault: Vault) -> None:
    vault.save(note("a.md", "One.", "Two."))
    id = vault.id("Two.")
    [_, gone] = vault.save(note("a.md", "One."))
    assert (gone.kind, gone.claim.status, gone.claim.statement.text) == ("retracted", "retracted", "Two.")
    [_, back] = vault.save(note("a.md", "One.", "Two."))
    assert (back.kind, back.claim.id, back.claim.status) == ("returned", id, "active")


def test_what_a_person_superseded_comes_back_superseded(vault: Vault) -> None:
    vault.save(note("a.md", "One.", "Two."))
    id, winner = vault.id("Two."), vault.id("One.")
    vault.claims[id] = replace(vault.claims[id], status="superseded", superseded_by=winner)
    vault.save(note("a.md", "One."))
    [_, back] = vault.save(note("a.md", "One.", "Two."))
    assert (back.claim.status, back.claim.superseded_by) == ("superseded", winner)


def test_a_rewording_knows_what_it_was(vault: Vault) -> None:
    vault.save(
        note("a.md", ("Home", "The garage door code is 4411."), ("Home", "The bins go out on Monday."))
    )
    old = {text: vault.id(text) for text in ("The garage door code is 4411.", "The bins go out on Monday.")}
    changes = vault.save(
        note("a.md", ("Home", "The bins go out on Tuesday now."), ("Home", "The garage door code is 0087."))
    )
    previous = {c.claim.statement.text: c.claim.previous for c in changes if c.kind == "added"}
    assert previous == {
        "The bins go out on Tuesday now.": old["The bins go out on Monday."],
        "The garage door code is 0087.": old["The garage door code is 4411."],
    }
    assert sum(c.kind == "retracted" for c in changes) == 2


def test_other_words_are_no_rewording(vault: Vault) -> None:
    vault.save(note("a.md", "The garage door code is 4411."))
    changes = vault.save(note("a.md", "Ask Maria about bread flour."))
    assert [c.claim.previous for c in changes if c.kind == "added"] == [None]


def test_a_field_with_another_value_is_a_rewording(vault: Vault) -> None:
    def field(value: str) -> Note:
        text = f"pin: {value}"
        return replace(note("a.md"), statements=(Statement("a.md", 1, 1, text, text, "field", key="pin"),))

    vault.save(field("4"))
    old = vault.id("pin: 4")
    assert vault.save(field("a wholly different thing"))[0].claim.previous == old


def test_alike_words_far_apart_are_no_rewording(vault: Vault) -> None:
    filler = [("Middle", f"Filler {n}.") for n in range(10)]
    vault.save(note("a.md", ("Top", "The garage door code is 4411."), *filler))
    changes = vault.save(note("a.md", *filler, ("End", "The garage door code is 0087.")))
    assert [c.claim.previous for c in changes if c.kind == "added"] == [None]


def test_drafts_give_candidates(vault: Vault) -> None:
    vault.save(note("a.md", "One.", "Two.", draft=True))
    assert {c.status for c in vault.claims.values()} == {"candidate"}
    one = vault.id("One.")
    vault.claims[one] = replace(vault.claims[one], status="active")
    changes = vault.save(note("a.md", "One.", "Two.", draft=True), promoted=[one])
    assert [c.kind for c in changes] == ["kept", "kept"]
    assert [c.claim.status for c in vault.save(note("a.md", "One.", "Two."))] == ["active", "active"]
    assert [c.claim.status for c in vault.save(note("a.md", "One.", "Two.", draft=True))] == [
        "candidate",
        "candidate",
    ]


def test_equal_texts_are_told_apart_by_heading_and_order(vault: Vault) -> None:
    vault.save(note("a.md", ("Mon", "Ran 5 km."), ("Tue", "Ran 5 km."), ("Tue", "Ran 5 km.")))
    by_line = [c.id for c in sorted(vault.claims.values(), key=lambda c: c.statement.line)]
    vault.save(note("a.md", ("Tue", "Ran 5 km."), ("Tue", "Ran 5 km."), ("Mon", "Ran 5 km.")))
    assert [c.id for c in sorted(vault.claims.values(), key=lambda c: c.statement.line)] == [
        by_line[1], by_line[2], by_line[0],
    ]  # fmt: skip


def test_notes_not_named_are_left_alone(vault: Vault) -> None:
    vault.save(note("a.md", "One."), note("b.md", "Two."))
    assert kinds(vault.save(note("b.md"))) == [("retracted", "Two.")]
    assert kinds(diff(vault.by_path(retracted=False), [])) == []


def test_ten_thousand_equal_lines_are_no_trouble(vault: Vault) -> None:
    lines = ["Same."] * 10_000
    vault.save(note("a.md", *lines))
    changes = vault.save(note("b.md", *lines[:-1]), Gone("a.md"))
    assert Counter(c.kind for c in changes) == {"moved": 9_999, "retracted": 1}


# Properties

TEXTS = st.sampled_from(
    ["One.", "Two.", "The code is 4411.", "The code is 0087.", "Tea at four.", "Tea at five."]
)
LINES = st.lists(st.tuples(st.sampled_from(["", "Home"]), TEXTS), max_size=6)
PATHS = ("a.md", "b.md", "c.md")


@st.composite
def saves(draw: st.DrawFn) -> list[Note | Gone]:
    paths = draw(st.lists(st.sampled_from(PATHS), unique=True, min_size=1))
    return [
        Gone(path) if draw(st.integers(0, 4)) == 0 else note(path, *draw(LINES), draft=draw(st.booleans()))
        for path in paths
    ]


@given(st.lists(saves(), max_size=6))
def test_the_standing_claims_are_the_vaults_statements(batches: list[list[Note | Gone]]) -> None:
    vault, files = Vault(), dict[str, Note]()
    for batch in batches:
        changes = vault.save(*batch)
        for of in batch:
            if isinstance(of, Note):
                files[of.path] = of
            else:
                files.pop(of.path, None)
        assert len({c.claim.id for c in changes}) == len(changes)
        assert sorted(vault.standing().values()) == sorted(
            f"{of.path}:{s.line} {s.text}" for of in files.values() for s in of.statements
        )
        present = [of for of in batch if isinstance(of, Note)]
        assert {c.kind for c in vault.save(*present)} <= {"kept"}


@given(st.lists(saves(), max_size=4), st.randoms())
def test_the_order_of_notes_does_not_matter(batches: list[list[Note | Gone]], chance: object) -> None:
    one, other = Vault(), Vault()
    for batch in batches:
        shuffled = list(batch)
        chance.shuffle(shuffled)  # type: ignore[attr-defined]
        one.save(*batch)
        other.save(*shuffled)
        assert one.claims == other.claims


@given(LINES, LINES)
def test_edited_away_and_back_gives_the_same_claims(
    before: list[tuple[str, str]], between: list[tuple[str, str]]
) -> None:
    vault = Vault()
    vault.save(note("a.md", *before))
    ids = vault.standing()
    vault.save(note("a.md", *between))
    vault.save(note("a.md", *before))
    assert sorted(vault.standing().values()) == sorted(ids.values())
    texts = Counter(text for _, text in before)
    for id, place in vault.standing().items():
        # Equal texts may trade places with each other, never with another text.
        if texts[vault.claims[id].statement.text] == 1:
            assert ids[id] == place


# Ids


def test_a_claims_id_is_eight_base32_characters_of_what_it_says_and_where() -> None:
    id = claim_id("a.md", ("Home",), "One.", 0, ())
    assert len(id) == 8
    assert set(id) <= set("abcdefghijklmnopqrstuvwxyz234567")
    others = [("b.md", ("Home",), "One.", 0), ("a.md", (), "One.", 0), ("a.md", ("Home",), "Two.", 0),
              ("a.md", ("Home",), "One.", 1), ("a.md", ("Home", ""), "One.", 0)]  # fmt: skip
    assert len({id, *(claim_id(*other, ()) for other in others)}) == 6


def test_a_taken_id_gives_the_next() -> None:
    first = claim_id("a.md", (), "One.", 0, ())
    second = claim_id("a.md", (), "One.", 0, {first})
    third = claim_id("a.md", (), "One.", 0, {first, second})
    assert len({first, second, third}) == 3


def test_a_conflicts_id_does_not_depend_on_the_order_of_its_members() -> None:
    assert conflict_id(["a", "b"]) == conflict_id(("b", "a"))
    assert conflict_id(["a", "b"]).startswith("c-")
    assert len(conflict_id(["a", "b"])) == 10
    assert conflict_id(["a", "b"]) != conflict_id(["a", "c"])
    assert conflict_id(["a", "b"], {conflict_id(["a", "b"])}) != conflict_id(["a", "b"])
