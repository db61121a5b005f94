"""Two lines judged by hand and the same two lines in a vault get the same verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.judge import judge_pairs
from app.cli.statements import read_claims
from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import vault_settings

PAIRS = (
    ("The piano is in the hall.", "The piano is in the study."),
    ("Leo is right-footed.", "Leo is left-footed."),
    ("Glass goes in the green bin.", "Glass goes in the blue bin."),
    ("The museum is closed on Mondays.", "The museum is open on Mondays."),
    ("The door code is 4411.", "The door code is 0087."),
    ("Guests must register at the desk.", "Guests must not register at the desk."),
    ("The session timeout is 60 seconds.", "The session timeout is 1 minute."),
    ("The timeout is 30 s in prod.", "The timeout is 60 s in staging."),
    ("The door code is 4411.", "Is the door code 0087?"),
    ("Mia has a cat.", "The train leaves at noon."),
)


def in_a_vault(a: str, b: str, folder: Path) -> tuple[str, ...]:
    for title, text in (("Attic", a), ("Barn", b)):
        (folder / f"{title}.md").write_text(f"{text}\n", encoding="utf-8")
    with Store.open(":memory:") as store:
        Pipeline(folder, store, vault_settings(folder)).run()
        return tuple(conflict.tier for conflict in store.conflicts.open())


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_judge_and_check_agree(a: str, b: str, tmp_path: Path) -> None:
    claims = read_claims(a, "a", title="Attic"), read_claims(b, "b", title="Barn")
    (judged,) = judge_pairs([claims], None)
    assert in_a_vault(a, b, tmp_path) == (() if judged.tier == "clean" else (judged.tier,))
