"""Word pieces are those of the package `tokenizers`, id by id, for every tokenizer that ships."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from app.models.files import LARGE, WEIGHTS
from app.models.wordpiece import OtherTokenizer, WordPieces
from tests.models import tiny

SHIPPED = [
    path for path in (WEIGHTS / "judge-tokenizer.json", LARGE / "judge-tokenizer.json") if path.is_file()
]
ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "\n".join(path.read_text() for path in sorted((ROOT / "sample_vault").rglob("*.md")))
LINES = [line for line in SAMPLE.splitlines() if line.strip()]
ODD = [
    "", " ", "\u00a0\u2003x\u3000y", "Überweisung İstanbul ΑΣ ΣΑΣ ß ﬁ Ǆ", "naïve café e\u0301clair",
    "日本語のノート and 한국어", "😀 👩‍👩‍👧 zero\u200bwidth soft\u00adhyphen",
    "[SEP] in a note, [MASK] too, <mask> <unk> <UNK>", "\t\r\n", "ab\x85cd\u2028ef",
    "a\x00b\ufffdc\x1bd\ue000e", "x" * 101, "y" * 100, "“quoted” — dash… ¿qué? $5 ^~`|<>+=",
]  # fmt: skip


def both(path: Path, max_tokens: int) -> tuple[WordPieces, Tokenizer]:
    theirs = Tokenizer.from_file(str(path))
    theirs.no_padding()
    theirs.enable_truncation(max_tokens)
    return WordPieces(json.loads(path.read_text()), max_tokens), theirs


def plain(encodings: Any) -> list[tuple[list[int], list[int]]]:
    return [(list(one.ids), list(one.type_ids)) for one in encodings]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("max_tokens", [12, 128])
def test_the_lines_of_a_vault_and_odd_ones(path: Path, max_tokens: int) -> None:
    ours, theirs = both(path, max_tokens)
    texts = LINES + ODD
    assert plain(ours.encode_batch(texts)) == plain(theirs.encode_batch(texts))
    pairs = list(zip(texts, texts[7:] + texts[:7], strict=True))
    assert plain(ours.encode_batch(pairs)) == plain(theirs.encode_batch(pairs))


# Not all of Unicode: characters that were added in the last ten years are unknown to the package's tables.
CHARACTERS = st.one_of(
    st.characters(max_codepoint=0x4FF, exclude_categories=["Cn"]),
    st.characters(min_codepoint=0x2000, max_codepoint=0x206F, exclude_categories=["Cn"]),
    st.characters(min_codepoint=0x3041, max_codepoint=0x9FA5, exclude_categories=["Cn"]),
    st.characters(min_codepoint=0x1F300, max_codepoint=0x1F5FF),
    st.sampled_from(["\ufffd", "\ue000", "[SEP]", "[CLS]", "<mask>", " "]),
)
TEXT = st.lists(CHARACTERS, max_size=40).map("".join)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_any_text(path: Path) -> None:
    ours, theirs = both(path, 24)

    @given(TEXT, TEXT)
    def same(a: str, b: str) -> None:
        assert plain(ours.encode_batch([a])) == plain(theirs.encode_batch([a]))
        assert plain(ours.encode_batch([(a, b)])) == plain(theirs.encode_batch([(a, b)]))

    same()


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("model", "no WordPiece"),
        ("normalizer", "no BertNormalizer"),
        ("pre_tokenizer", "no BertPreTokenizer"),
    ],
)
def test_another_kind_is_named(part: str, says: str) -> None:
    described = json.loads(tiny.tokenizer().to_str())
    described[part]["type"] = "Unigram"
    with pytest.raises(OtherTokenizer, match=f"Unigram, {says}"):
        WordPieces(described, 64)
