"""What must hold for any vault: no order of files and no bystander changes what is found, or its name."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import VaultSettings
from tests.support.claims_of_notes import Said
from tests.support.grammar import STORIES, UNRELATED

pytestmark = pytest.mark.campaign
FULL = os.environ.get("BELIE_CAMPAIGN") == "full"
some = settings(max_examples=400 if FULL else 20, deadline=None)

File = tuple[str, str]
"""(path, text)."""


def files(story: Sequence[Said]) -> list[File]:
    """Each note under a name of its own."""
    out = []
    for number, said in enumerate(story):
        front = dict(said.front) | ({"date": said.date} if said.date else {})
        head = "---\n" + "".join(f"{k}: {v}\n" for k, v in front.items()) + "---\n" if front else ""
        out.append((f"{number}/{said.title or 'Handbook'}.md", f"{head}{said.body}\n"))
    return out


class Found:
    """What a store holds after these files were written and read, so many at a time."""

    def __init__(self, notes: Sequence[File], at_once: int | None = None) -> None:
        with tempfile.TemporaryDirectory(prefix="belie-any-") as folder, Store.open(":memory:") as store:
            line = Pipeline(Path(folder), store, VaultSettings())
            step = at_once or max(1, len(notes))
            for start in range(0, len(notes), step):
                for path, text in notes[start : start + step]:
                    file = Path(folder) / path
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(text)
                line.run()
            self.claims = {c.id: (c.statement.path, c.statement.text, c.norms) for c in store.claims.all()}
            self.conflicts = store.conflicts.open()

    @property
    def named(self) -> list[tuple[object, ...]]:
        """Conflicts with their ids."""
        return sorted((c.id, *self._told(c)) for c in self.conflicts)

    @property
    def said(self) -> list[tuple[object, ...]]:
        """Conflicts without: an id is of the first members, and a newcomer joins."""
        return sorted(self._told(c) for c in self.conflicts)

    @staticmethod
    def _told(c: object) -> tuple[object, ...]:
        return (c.kind, c.tier, c.members, c.question, c.confidence)  # type: ignore[attr-defined]


@some
@given(STORIES, st.integers(0, 2**32))
def test_the_same_vault_gives_the_same_ids_in_whatever_order_its_files_were_made(
    story: list[Said], seed: int
) -> None:
    notes = files(story)
    shuffled = notes[:]
    random.Random(seed).shuffle(shuffled)
    one, other = Found(notes), Found(shuffled)
    assert other.claims == one.claims
    assert other.named == one.named


@some
@given(STORIES, st.integers(0, 2**32))
def test_notes_that_come_one_by_one_in_any_order_end_in_the_same_conflicts(
    story: list[Said], seed: int
) -> None:
    notes = files(story)
    shuffled = notes[:]
    random.Random(seed).shuffle(shuffled)
    whole, piecemeal = Found(notes), Found(shuffled, at_once=1)
    assert piecemeal.claims == whole.claims
    assert piecemeal.said == whole.said


@some
@given(STORIES, st.booleans())
def test_a_bystander_changes_no_other_pair(story: list[Said], first: bool) -> None:
    notes = files(story)
    (bystander,) = [(f"bystander/{path}", text) for path, text in files([UNRELATED])]
    alone = Found(notes)
    joined = Found([bystander, *notes] if first else [*notes, bystander], at_once=len(notes))
    assert joined.said == alone.said
    assert joined.claims.items() >= alone.claims.items()
