"""Frames arrive whole however the pipe cuts them; what is no frame is noticed."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.frames import Decoder, Garbled, encode, read

heads = st.dictionaries(
    st.text(max_size=5),
    st.one_of(st.integers(), st.text(alphabet=st.characters(exclude_categories=()))),
    max_size=4,
)


@given(st.lists(st.tuples(heads, st.binary(max_size=40)), max_size=5), st.integers(1, 17))
def test_frames_survive_any_cutting(sent: list[tuple[dict[str, object], bytes]], cut: int) -> None:
    stream = b"".join(encode(head, body) for head, body in sent)
    decoder = Decoder()
    got = [frame for n in range(0, len(stream), cut) for frame in decoder.feed(stream[n : n + cut])]
    assert got == sent
    source = io.BytesIO(stream)
    assert [read(source) for _ in sent] == sent
    assert read(source) is None


def test_a_stream_that_breaks_off_has_ended() -> None:
    assert read(io.BytesIO(encode({"a": 1}, b"body")[:-1])) is None


@pytest.mark.parametrize("junk", [b"\xff" * 16, b"\0\0\0\2\0\0\0\0[]", b"\0\0\0\2\0\0\0\0{]"])
def test_junk_is_noticed(junk: bytes) -> None:
    with pytest.raises(Garbled):
        list(Decoder().feed(junk))
    with pytest.raises(Garbled):
        read(io.BytesIO(junk))
