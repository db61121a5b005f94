"""Want of memory: recognised in what is said, and blamed on whoever had too little."""

from __future__ import annotations

import pytest

from app.models import memory


@pytest.mark.parametrize(
    ("said", "lacked"),
    [
        ("libtorch.so: cannot allocate memory", True),
        ("libonnx.so: failed to map segment from shared object", True),
        ("RuntimeError: can't start new thread", True),
        ("MemoryError", True),
        ("terminate called after throwing an instance of 'std::bad_alloc'", True),
        ("OpenBLAS error: Memory allocation still failed after 10 retries, giving up.", True),
        ("ImportError: numpy.core.multiarray failed to import", False),
        ("Segmentation fault: bad memory access", False),
        ("", False),
    ],
)
def test_words_of_want_of_memory(said: str, lacked: bool) -> None:
    assert memory.lacked(said) == lacked


@pytest.mark.parametrize(
    ("limit", "taken", "free", "told"),
    [
        (1024, 900, 8000, "the models may use 1,024 MB of memory, which was not enough"),
        (1024, 900, None, "the models may use 1,024 MB of memory, which was not enough"),
        (3072, 200, 310, "the machine has 310 MB of memory left, which was not enough"),
        (0, 200, 1310, "the machine has 1,310 MB of memory left, which was not enough"),
        (0, 200, None, "the machine has too little memory left"),
    ],
    ids=["the limit", "nothing known of the machine", "a full machine", "no limit", "neither"],
)
def test_whoever_has_less_is_named(limit: int, taken: int, free: int | None, told: str) -> None:
    assert memory.told(limit, taken, free) == told


def test_what_this_machine_says_is_made_of_real_figures() -> None:
    assert memory.reason(1) == "the models may use 1 MB of memory, which was not enough"
    assert " 0 MB" not in memory.reason(0)
