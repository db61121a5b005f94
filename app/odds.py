"""Probabilities as log-odds, which can be added, and back."""

from __future__ import annotations

import math

CERTAIN = 1e-4


def log_odds(probability: float, certain: float = CERTAIN) -> float:
    """Nothing is more certain than `certain` away from 0 and 1."""
    p = min(max(probability, certain), 1 - certain)
    return math.log(p / (1 - p))


def chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
