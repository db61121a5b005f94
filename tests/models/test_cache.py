"""Nothing is embedded twice: vectors are kept in the store by content hash and model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.models.cache import model_id, vectors
from app.models.host import ModelHost
from app.models.setup import Setup
from app.store.store import Store
from tests.models import tiny

TEXTS = {f"h{n}": f"the code is {n}" for n in range(30)}


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(embedder=str(tiny.sentence_folder(tmp_path / "own")), threads=1)


@pytest.fixture
def host(setup: Setup) -> Iterator[ModelHost]:
    with ModelHost(setup) as made:
        yield made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "s.db"


def test_the_second_time_no_process_is_started(host: ModelHost, setup: Setup, path: Path) -> None:
    with Store.open(path) as store:
        first = vectors(TEXTS, host, store.caches.embeddings)
        assert (first.fresh, first.width, len(first.by_hash)) == (30, 32, 30)
    with Store.open(path) as store, ModelHost(setup) as idle:
        again = vectors(TEXTS, idle, store.caches.embeddings)
        assert (again.fresh, again.by_hash, again.model) == (0, first.by_hash, first.model)
        assert idle.pid is None


def test_only_what_is_new_is_embedded(host: ModelHost, path: Path) -> None:
    with Store.open(path) as store:
        vectors(TEXTS, host, store.caches.embeddings)
        assert vectors({**TEXTS, "new": "the door"}, host, store.caches.embeddings).fresh == 1


def test_another_model_has_its_own_vectors(host: ModelHost, path: Path, tmp_path: Path) -> None:
    other = Setup(embedder=str(tiny.sentence_folder(tmp_path / "other", seed=9)), threads=1)
    with Store.open(path) as store, ModelHost(other) as second:
        a, b = vectors(TEXTS, host, store.caches.embeddings), vectors(TEXTS, second, store.caches.embeddings)
        assert a.model != b.model and b.fresh == 30
        assert store.caches.embeddings.get(["h1"], a.model) != store.caches.embeddings.get(["h1"], b.model)


def test_a_store_that_cannot_be_written_costs_only_time(host: ModelHost, path: Path) -> None:
    Store.open(path).close()
    with Store.open(path, read_only=True) as store:
        for _ in range(2):
            assert vectors(TEXTS, host, store.caches.embeddings).fresh == 30


def test_without_an_embedder_what_is_known_is_still_there(
    host: ModelHost, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(path) as store:
        vectors(TEXTS, host, store.caches.embeddings)
        host.close()
        answer = vectors({**TEXTS, "new": "the door"}, host, store.caches.embeddings)
        assert len(answer.by_hash) == 30
        assert answer.failed is not None and answer.failed.why == "closed"


def test_the_model_that_really_ran_names_the_vectors(tmp_path: Path, path: Path) -> None:
    """A folder whose weights turn out to be damaged: the default stands in, and is found again."""
    spoiled = tiny.sentence_folder(tmp_path / "spoiled")
    (spoiled / "model.safetensors").write_bytes(b"nothing")
    setup = Setup(embedder=str(spoiled), threads=1)
    expected = model_id(setup)
    with Store.open(path) as store, ModelHost(setup) as host:
        answer = vectors(TEXTS, host, store.caches.embeddings)
        if answer.failed is None:  # the default's package is installed
            assert answer.model != expected
            assert set(store.caches.embeddings.get(TEXTS, answer.model)) == set(TEXTS)
        assert store.caches.embeddings.get(TEXTS, expected or "") == {}


def test_many_at_once(path: Path) -> None:
    many = {f"{n:032x}": n.to_bytes(8, "big") for n in range(5000)}
    with Store.open(path) as store:
        store.caches.embeddings.put(many, "m")
        store.caches.embeddings.put(many, "m")
        assert store.caches.embeddings.get(many, "m") == many
