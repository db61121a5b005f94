"""The evidence of every pair that meets in a labelled vault."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from app.cli.statements import read_claims
from app.detection import norm_findings
from app.detection.align import align
from app.detection.candidates import WordIndex, meetings
from app.detection.claim_index import ClaimIndex
from app.detection.decide import learnt
from app.detection.evidence import Meeting, evidence
from app.detection.pair_gates import how_held
from app.detection.pairs import age, nearer
from app.detection.structure import structure
from app.reading.frame import Reading
from app.reading.parser import Parse
from app.reading.read import comparable, read, texts_to_parse
from app.words import Claim
from training.decision.parses import kept_parses
from training.judge.rows import lines
from training.labelled import Labelled
from training.vectors import kept_vectors, nearest

NEIGHBOURS = 10
FARTHEST = 24
ALARM = ("conflict", "outdated")
_FLOOR = 0.25
_THINNED_AT_ONCE = 4096
_COMPARED = 0.004
_ONE_IN = 20


@dataclass(slots=True)
class Row:
    vault: str
    pair: tuple[str, str]
    """Claim ids, the older first."""
    numbers: dict[str, float]
    gold: str
    """The conflict it belongs to, "related" for a pair that need not be shown, or empty."""
    alike: bool = False
    alone: bool = False
    claims: tuple[Claim, ...] = ()
    """The two of an authored pair."""
    times: float = 1.0
    """Stands for so many pairs like it."""

    @property
    def shown(self) -> bool:
        return bool(self.gold) and self.gold != "related"

    @property
    def weight(self) -> float:
        return 0.0 if self.gold == "related" else self.times

    @property
    def source(self) -> str:
        """The vault, or the file of authored pairs."""
        return self.vault.partition("#")[0]


def met(
    vault: Labelled,
    readings: dict[str, Reading],
    vectors: dict[str, np.ndarray],
    found: Collection[frozenset[str]],
) -> dict[frozenset[str], Meeting]:
    """By words, by meaning, or because their norms contradict each other."""
    index = WordIndex()
    worth = {id for id, claim in vault.claims.items() if comparable(claim, readings[id])}
    for id in worth:
        index.add(id, readings[id])
    out = meetings({id: index.near(id) for id in sorted(worth)}, worth)
    for both in found:
        if both <= worth:
            out.setdefault(both, Meeting(rank_a=FARTHEST, rank_b=FARTHEST))
    ids = sorted(worth)
    matrix = np.stack([vectors[vault.claims[id].statement.text] for id in ids])
    near = nearest(ids, matrix, FARTHEST, -1.0)
    places = {id: {other: n for n, other in enumerate(around)} for id, around in near.items()}
    row = {id: n for n, id in enumerate(ids)}
    for id, around in near.items():
        for n, (other, cosine) in enumerate(around.items()):
            if n < NEIGHBOURS and cosine >= _FLOOR:
                out.setdefault(frozenset((id, other)), Meeting(rank_a=FARTHEST, rank_b=FARTHEST))
    for both, meeting in out.items():
        a, b = sorted(both)
        out[both] = replace(
            meeting,
            cosine=float(matrix[row[a]] @ matrix[row[b]]),
            near_a=places[a].get(b, FARTHEST),
            near_b=places[b].get(a, FARTHEST),
        )
    return out


def rows(vault: Labelled, parses: dict[str, Parse], vectors: dict[str, np.ndarray]) -> list[Row]:
    readings = {id: read(claim, parses) for id, claim in vault.claims.items()}
    found = {frozenset(f.members) for f in norm_findings.findings(ClaimIndex(vault.claims.values()))}
    pairs = met(vault, readings, vectors, found)
    held = {id: how_held(claim) for id, claim in vault.claims.items()}
    kept: list[Row] = []
    out: list[Row] = []
    for both, meeting in pairs.items():
        a, b = sorted((vault.claims[id] for id in both), key=age)
        if a.statement.text.casefold() == b.statement.text.casefold():
            continue
        x, y = readings[a.id], readings[b.id]
        said = structure(a, b, both in found)
        numbers = evidence(a, b, (x, y), align(x, y), meeting, (held[a.id], held[b.id]), said)
        gold = vault.gold.get(both, "related" if both in vault.related else "")
        out.append(Row(vault.name, (a.id, b.id), numbers, gold, both in vault.alike))
        if not vault.conflicts and len(out) == _THINNED_AT_ONCE:
            kept += _thinned(out)
            out.clear()
    return kept + (out if vault.conflicts else _thinned(out))


def _thinned(some: Sequence[Row]) -> list[Row]:
    """Of the pairs of a quiet vault that hardly anybody would compare, one in many stands for all."""
    likely = learnt().near.probabilities([row.numbers for row in some])
    kept = [row for row, p in zip(some, likely, strict=True) if p >= _COMPARED]
    rest = [row for row, p in zip(some, likely, strict=True) if p < _COMPARED]
    return kept + [replace(row, times=float(_ONE_IN)) for row in rest[::_ONE_IN]]


@dataclass(slots=True)
class AuthoredPairs:
    """Pairs by themselves, as `belie judge` sees them."""

    told: list[tuple[str, Claim, Claim, str]]
    """Where it stands, both claims, and the label."""

    @property
    def claims(self) -> list[Claim]:
        return [claim for _, a, b, _ in self.told for claim in (a, b)]

    def rows(self, parses: dict[str, Parse], vectors: dict[str, np.ndarray]) -> list[Row]:
        return [row for one in self.told if (row := _pair_row(*one, parses, vectors)) is not None]


def texts(of: Labelled | AuthoredPairs) -> set[str]:
    """What has to be parsed to read them."""
    return {text for claim in _claims(of) for text in texts_to_parse(claim)}


def statements(of: Labelled | AuthoredPairs) -> set[str]:
    return {claim.statement.text for claim in _claims(of)}


def _claims(of: Labelled | AuthoredPairs) -> Iterable[Claim]:
    return of.claims.values() if isinstance(of, Labelled) else of.claims


def pair_rows(files: Sequence[Path]) -> AuthoredPairs:
    told = []
    for path in files:
        for n, row in enumerate(lines(path)):
            group = row.get("group") or row["a"]["text"]
            a, b = (
                replace(
                    read_claims(side["text"], f"{path.stem}-{n}-{s}", title=side["note"], date=side["date"]),
                    note=side["note"] or "",
                )
                for s, side in (("a", row["a"]), ("b", row["b"]))
            )
            told.append((f"{path.stem}#{zlib.crc32(group.encode()) % 40}", a, b, row["label"]))
    return AuthoredPairs(told)


def _pair_row(
    where: str,
    a: Claim,
    b: Claim,
    label: str,
    parses: dict[str, Parse],
    vectors: dict[str, np.ndarray],
) -> Row | None:
    readings = {claim.id: read(claim, parses) for claim in (a, b)}
    if not all(comparable(claim, readings[claim.id]) for claim in (a, b)):
        return None
    index = WordIndex()
    for id, reading in readings.items():
        index.add(id, reading)
    both = frozenset(readings)
    by_words = meetings({id: index.near(id) for id in readings}, both).get(both)
    cosine = float(vectors[a.statement.text] @ vectors[b.statement.text])
    meeting = replace(nearer(by_words, cosine, 0, 0), alone=True)
    a, b = sorted((a, b), key=age)
    x, y = readings[a.id], readings[b.id]
    norms = structure(a, b, bool(norm_findings.findings(ClaimIndex((a, b)))))
    numbers = evidence(a, b, (x, y), align(x, y), meeting, (how_held(a), how_held(b)), norms)
    return Row(where, (a.id, b.id), numbers, "conflict" if label in ALARM else "", False, True, (a, b))


def kept_rows(sources: Mapping[str, Labelled | AuthoredPairs], cache: Path) -> dict[str, list[Row]]:
    """The rows of each, kept on disk; remove the folder `rows` when the reading or the evidence changed."""
    kept = cache / "rows"
    kept.mkdir(parents=True, exist_ok=True)
    missing = {name: of for name, of in sources.items() if not (kept / f"{name}.pkl").exists()}
    parses = kept_parses(set().union(*(texts(of) for of in missing.values())), cache / "parses.pkl")
    vectors = kept_vectors(set().union(*(statements(of) for of in missing.values())), cache / "emb.pkl")
    for name, of in missing.items():
        made = rows(of, parses, vectors) if isinstance(of, Labelled) else of.rows(parses, vectors)
        (kept / f"{name}.pkl").write_bytes(pickle.dumps(made))
        print(f"{name}: {len(made)} pairs", flush=True)
    return {name: pickle.loads((kept / f"{name}.pkl").read_bytes()) for name in sources}
