"""The nearest neighbours are those a plain search finds, whatever was added and removed before."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.models.neighbours import Neighbours

RANDOM = numpy.random.default_rng(4)
VECTORS = RANDOM.normal(size=(40, 8)).astype(numpy.float32)
VECTORS /= numpy.linalg.norm(VECTORS, axis=1, keepdims=True)
VECTORS[30:] = VECTORS[:10]  # equal texts are common in notes


def plain(held: dict[str, NDArray[numpy.float32]], query: NDArray[numpy.float32], k: int) -> list[str]:
    order = sorted(held, key=lambda id: (-float((held[id].astype(float) * query.astype(float)).sum()), id))
    return order[:k]


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 19), st.integers(0, 39)), max_size=60),
    st.integers(1, 12),
)
def test_after_any_adding_and_removing(steps: list[tuple[bool, int, int]], k: int) -> None:
    found, held = Neighbours(8), dict[str, NDArray[numpy.float32]]()
    for add, id, vector in steps:
        if add:
            found.add_many([(f"c{id}", VECTORS[vector])])
            held[f"c{id}"] = VECTORS[vector]
        else:
            found.remove(f"c{id}")
            held.pop(f"c{id}", None)
    assert len(found) == len(held)
    answer = found.nearest_of(list(held), k)
    assert answer.keys() == held.keys()
    for id in held:
        others = {other: vector for other, vector in held.items() if other != id}
        assert [n.id for n in answer[id]] == plain(others, held[id], k)
        assert found.nearest_of([id], k)[id] == answer[id]


def test_vectors_as_they_are_cached() -> None:
    found = Neighbours(8)
    found.add_many((f"c{n}", row.astype(numpy.float16).tobytes()) for n, row in enumerate(VECTORS[:20]))
    found.add_many([("again", VECTORS[7])])
    (best,) = found.nearest_of(["again"], 1)["again"]
    assert best.id == "c7" and best.cosine == pytest.approx(1, abs=1e-2)


def test_none_are_none() -> None:
    assert Neighbours(8).nearest_of(["a"], 5) == {}


def test_equals_come_by_id() -> None:
    found = Neighbours(8)
    found.add_many((id, VECTORS[0]) for id in ("d", "b", "c", "a"))
    assert [n.id for n in found.nearest_of(["d"], 2)["d"]] == ["a", "b"]


def test_a_vector_of_another_width_is_refused() -> None:
    found = Neighbours(8)
    with pytest.raises(ValueError, match="among vectors of 8"):
        found.add_many([("a", VECTORS[0][:4])])
