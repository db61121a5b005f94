"""Reading a GGUF header: what is whole, what is not, and whom an adapter fits."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.files import Unusable
from app.models.gguf_header import fits, read_header, read_model
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


@pytest.mark.parametrize(
    ("kind", "bits"),
    [
        pytest.param(0, 32, id="F32"),
        pytest.param(1, 16, id="F16"),
        pytest.param(30, 16, id="BF16"),
        pytest.param(26, 32, id="I32"),
        pytest.param(2, 4.5, id="Q4_0"),
        pytest.param(3, 5, id="Q4_1"),
        pytest.param(6, 5.5, id="Q5_0"),
        pytest.param(7, 6, id="Q5_1"),
        pytest.param(8, 8.5, id="Q8_0"),
        pytest.param(10, 2.625, id="Q2_K"),
        pytest.param(11, 3.4375, id="Q3_K"),
        pytest.param(12, 4.5, id="Q4_K"),
        pytest.param(13, 5.5, id="Q5_K"),
        pytest.param(14, 6.5625, id="Q6_K"),
        pytest.param(15, 9.125, id="Q8_K"),
        pytest.param(16, 2.0625, id="IQ2_XXS"),
        pytest.param(17, 2.3125, id="IQ2_XS"),
        pytest.param(18, 3.0625, id="IQ3_XXS"),
        pytest.param(19, 1.5625, id="IQ1_S"),
        pytest.param(20, 4.5, id="IQ4_NL"),
        pytest.param(21, 3.4375, id="IQ3_S"),
        pytest.param(22, 2.5625, id="IQ2_S"),
        pytest.param(23, 4.25, id="IQ4_XS"),
        pytest.param(29, 1.75, id="IQ1_M"),
        pytest.param(34, 1.6875, id="TQ1_0"),
        pytest.param(35, 2.0625, id="TQ2_0"),
        pytest.param(39, 4.25, id="MXFP4"),
    ],
)
def test_weights_of_every_common_kind_that_lack_a_byte_are_missed(
    kind: int, bits: float, tmp_path: Path
) -> None:
    """`bits` a weight, as llama.cpp's own tables have them."""
    size = int(256 * 256 * bits / 8)
    assert read_header(tiny_gguf.model(tmp_path / "model.gguf", width=256, kind=kind, data=size)).tensors
    with pytest.raises(Unusable, match="ends too early"):
        read_header(tiny_gguf.model(tmp_path / "model.gguf", width=256, kind=kind, data=size - 1))


def test_of_a_kind_that_came_later_nobody_can_tell_the_end(tmp_path: Path) -> None:
    assert read_header(tiny_gguf.model(tmp_path / "model.gguf", width=256, kind=99, data=7)).tensors


def test_an_adapter_is_whole_but_no_model(file: Path, tmp_path: Path) -> None:
    assert read_model(tiny_gguf.model(tmp_path / "model.gguf", width=64)).tensors
    with pytest.raises(Unusable, match="is an adapter"):
        read_model(file)
    file.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 0) + bytes(8))
    with pytest.raises(Unusable, match="no weights"):
        read_model(file)


def test_an_adapter_fits_only_its_own_kind_and_shape(file: Path, tmp_path: Path) -> None:
    model = tiny_gguf.model(tmp_path / "model.gguf", width=64)
    fits(file, model)
    with pytest.raises(Unusable, match="another model"):
        fits(file, tiny_gguf.model(tmp_path / "wide.gguf", width=128))
    with pytest.raises(Unusable, match="of the kind"):
        fits(tiny_gguf.adapter(file, architecture="qwen2"), model)
    with pytest.raises(Unusable, match="not a LoRA"):
        fits(model, model)
