"""Reading a GGUF header: what is whole, what is not, and whom an adapter fits."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.files import Unusable
from app.models.gguf_header import fits, read_header
from tests.models import tiny_gguf


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tiny_gguf.adapter(tmp_path / "adapter.gguf")


def test_keys_and_shapes_are_read(file: Path) -> None:
    header = read_header(file)
    assert header.keys["adapter.lora.alpha"] == 8.0
    assert header.tensors == {
        "blk.0.attn_q.weight.lora_a": (64, 4),
        "blk.0.attn_q.weight.lora_b": (4, 64),
    }


def test_a_file_cut_anywhere_is_damaged(file: Path) -> None:
    whole = file.read_bytes()
    for end in {*range(0, 400, 7), len(whole) - 1}:
        file.write_bytes(whole[:end])
        with pytest.raises(Unusable, match=r"adapter\.gguf"):
            read_header(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="cannot be read"):
        read_header(tmp_path / "none.gguf")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.gguf"
    file.write_bytes(b"GGUF" + data)
    with contextlib.suppress(Unusable):
        read_header(file)


def test_numbers_that_would_fill_the_memory_are_refused(file: Path) -> None:
    for keys, tensors in ((1 << 60, 0), (0, 1 << 60)):
        file.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, tensors, keys))
        with pytest.raises(Unusable, match="damaged"):
            read_header(file)
    name = struct.pack("<Q", 1) + b"k"
    file.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + name + struct.pack("<IIQ", 9, 4, 1 << 50))
    with pytest.raises(Unusable, match="damaged"):
        read_header(file)


def test_an_adapter_fits_only_its_own_kind_and_shape(file: Path, tmp_path: Path) -> None:
    model = tiny_gguf.model(tmp_path / "model.gguf", width=64)
    fits(file, model)
    with pytest.raises(Unusable, match="another model"):
        fits(file, tiny_gguf.model(tmp_path / "wide.gguf", width=128))
    with pytest.raises(Unusable, match="of the kind"):
        fits(tiny_gguf.adapter(file, architecture="qwen2"), model)
    with pytest.raises(Unusable, match="not a LoRA"):
        fits(model, model)
