"""Labelled vaults as claims and gold pairs, for learning what evidence is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import yaml
from rapidfuzz import fuzz

from app.claims.claim_changes import diff
from app.claims.note_reader import norms
from app.vault.note import read_note
from app.vault.settings import vault_settings
from app.words import Claim

OWN = Path(__file__).parent / "vaults"
_QUIET: dict[str, list] = {"conflicts": [], "must_not_flag": []}


@dataclass(frozen=True, slots=True)
class Labelled:
    name: str
    claims: dict[str, Claim]
    gold: dict[frozenset[str], str]
    """Pairs that must be shown, and of which conflict (its id, kind and tier)."""
    related: frozenset[frozenset[str]]
    """Pairs inside one conflict that need not be shown themselves, such as the two ends of a reversal."""
    alike: frozenset[frozenset[str]]
    """Look-alikes: pairs that must not be shown."""
    conflicts: dict[str, dict]
    lost: list[str]
    """Gold members that no claim was found for."""


def labelled(root: Path) -> Labelled:
    """A vault without labels counts as one in which nothing is to be shown."""
    labels = root / "gold.yaml"
    gold = yaml.safe_load(labels.read_text(encoding="utf-8")) if labels.exists() else _QUIET
    settings = vault_settings(root)
    claims: dict[str, Claim] = {}
    taken: set[str] = set()
    for path in sorted((root / "notes").rglob("*.md")):
        relative = path.relative_to(root).as_posix()
        note = read_note(relative, path.read_bytes(), settings)
        for change in diff({}, [note], taken=taken, at="2026-06-30T00:00:00Z"):
            claim = replace(change.claim, norms=norms(change.claim.statement, note))
            if claim.status == "active" and not claim.silent:
                claims[claim.id] = claim
    by_path: dict[str, list[Claim]] = {}
    for claim in claims.values():
        by_path.setdefault(claim.statement.path, []).append(claim)
    pairs: dict[frozenset[str], str] = {}
    related: set[frozenset[str]] = set()
    alike: set[frozenset[str]] = set()
    lost: list[str] = []

    def placed(entry: dict) -> list[str]:
        ids = []
        for member in entry["members"]:
            found = _claim(root, member, by_path)
            if found is None:
                lost.append(f"{root.name} {entry['id']}: {member['quote']}")
            else:
                ids.append(found.id)
        return ids

    for conflict in gold["conflicts"]:
        ids = placed(conflict)
        order = sorted(ids, key=lambda id: (claims[id].statement.date or "", ids.index(id)))
        wanted = list(combinations(order, 2))
        if conflict["kind"] == "reversal" and len(order) > 2:
            wanted = [(order[-2], order[-1])]
        elif conflict["kind"] == "stale":  # the newer ones agree with each other
            wanted = [(order[0], later) for later in order[1:]]
        for both in combinations(order, 2):
            (
                pairs.setdefault(frozenset(both), conflict["id"])
                if both in wanted
                else related.add(frozenset(both))
            )
    for entry in gold["must_not_flag"]:
        alike.update(frozenset(both) for both in combinations(placed(entry), 2))
    pairs = {both: id for both, id in pairs.items() if len(both) == 2}
    return Labelled(
        root.name,
        claims,
        pairs,
        frozenset(both for both in related if len(both) == 2),
        frozenset(both for both in alike - pairs.keys() if len(both) == 2),
        {c["id"]: c for c in gold["conflicts"]},
        lost,
    )


def _claim(root: Path, member: dict, by_path: dict[str, list[Claim]]) -> Claim | None:
    """The claim on the quoted line that is most like the quote."""
    lines = (root / member["note"]).read_text(encoding="utf-8").split("\n")
    line = next(n for n, text in enumerate(lines, 1) if member["quote"] in text)
    there = [c for c in by_path.get(member["note"], ()) if c.statement.line <= line <= c.statement.end_line]
    return max(
        there,
        key=lambda c: (
            fuzz.partial_ratio(member["quote"], c.statement.quote)
            + fuzz.ratio(member["quote"], c.statement.quote) / 10
        ),
        default=None,
    )


def roots(train: Path, quiet: Path | None = None) -> Iterator[Path]:
    """The labelled vaults, and those of `training.quiet`."""
    for folder in (train / "vaults", OWN):
        yield from (path.parent for path in sorted(folder.glob("*/gold.yaml")))
    if quiet is not None:
        yield from (path.parent for path in sorted(quiet.glob("*/notes")))
