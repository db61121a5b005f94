"""Findings of several readings as one list, one finding per set of claims."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from app.words import KIND_WEIGHT, TIER_WEIGHT, Finding


def merged(readings: Iterable[Iterable[Finding]]) -> list[Finding]:
    """Every finding once, whichever batches or threads it came up in; in the order of its members.

    Of two about the same claims, the weightier is kept with the reasons of both. A finding whose claims all
    belong to a reversal is merged into it. Two findings that only share a claim stay separate.
    """
    by_members: dict[frozenset[str], Finding] = {}
    for finding in sorted((f for reading in readings for f in reading), key=_rank):
        ids = frozenset(finding.members)
        if len(ids) < 2:
            continue
        held = by_members.get(ids)
        by_members[ids] = finding if held is None else _with_reasons(held, finding)
    arcs = sorted(
        (ids for ids, f in by_members.items() if f.kind == "reversal"), key=lambda i: (-len(i), sorted(i))
    )
    around: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for arc in arcs:
        for member in arc:
            around[member].append(arc)
    out: dict[frozenset[str], Finding] = {}
    for ids, finding in sorted(by_members.items(), key=lambda item: (-len(item[0]), sorted(item[0]))):
        home = next((arc for arc in around[min(ids)] if ids < arc), None)
        if home is None:
            out[ids] = out.get(ids, finding)
        else:
            whole = out.get(home)
            if whole is not None:
                out[home] = _with_reasons(whole, finding)
    return sorted(out.values(), key=lambda f: f.members)


def beside(known: Iterable[Finding], own: Iterable[Finding]) -> list[Finding]:
    """The model's own findings, without those that rules or arcs already cover: two lines in common are one
    matter. Of two own findings about one matter, the surer stays."""
    have = [set(finding.members) for finding in known]
    out: list[Finding] = []
    for finding in sorted(own, key=lambda f: (-f.confidence, f.members)):
        ids = set(finding.members)
        if all(len(ids & other) < 2 for other in have):
            have.append(ids)
            out.append(finding)
    return out


def _rank(finding: Finding) -> tuple[int, float, tuple[str, ...]]:
    """The weightiest first; among equals the surest."""
    return (-KIND_WEIGHT[finding.kind], -finding.confidence, finding.members)


def _with_reasons(whole: Finding, part: Finding) -> Finding:
    reasons = dict.fromkeys((*whole.reasons, *part.reasons))
    tier = max(whole.tier, part.tier, key=TIER_WEIGHT.__getitem__)
    return replace(whole, reasons=tuple(reasons), tier=tier)
