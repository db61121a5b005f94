"""Cuts texts into the word pieces of a BERT, as its tokenizer.json says.

The package `tokenizers` does the same for every kind of tokenizer, and brings 33 MB and a network client.
What it makes of a text is what this makes of it, id by id; a test compares them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

_WORDS_KEPT = 100_000
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
Piece = tuple[int | Literal["A", "B"], int]
"""Of the form of an answer: an id that always stands there, or one of the texts; and the segment it is in."""


class OtherTokenizer(ValueError):
    """The tokenizer is not one of word pieces; the message says what it is."""


@dataclass(frozen=True, slots=True)
class Encoding:
    ids: list[int]
    type_ids: list[int]


class WordPieces:
    """What a tokenizer.json describes, without padding; longer texts are cut."""

    def __init__(self, described: Mapping[str, Any], max_tokens: int) -> None:
        """Raises OtherTokenizer, or KeyError and TypeError where the description is damaged."""
        model, normalizer = described["model"], described["normalizer"] or {}
        for part, wanted in ((model, "WordPiece"), (normalizer, "BertNormalizer"),
                             (described["pre_tokenizer"] or {}, "BertPreTokenizer")):  # fmt: skip
            if part.get("type") != wanted:
                raise OtherTokenizer(f"its tokenizer has a {part.get('type') or 'missing part'}, no {wanted}")
        self._vocabulary: dict[str, int] = model["vocab"]
        self._unknown = self._vocabulary[model["unk_token"]]
        self._prefix: str = model["continuing_subword_prefix"]
        self._longest_word: int = model["max_input_chars_per_word"]
        self._cleans, self._parts_ideographs = normalizer["clean_text"], normalizer["handle_chinese_chars"]
        self._lowers = normalizer["lowercase"]
        accents = normalizer["strip_accents"]
        self._strips = self._lowers if accents is None else accents
        added = described.get("added_tokens") or []
        self._added = {token["content"]: int(token["id"]) for token in added}
        self._before = _any_of([token["content"] for token in added if not token["normalized"]])
        self._after = _any_of([token["content"] for token in added if token["normalized"]])
        self._single, self._pair = _forms(described["post_processor"])
        self._max_tokens = max_tokens
        self._pieces = lru_cache(_WORDS_KEPT)(self._cut)

    def encode_batch(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> list[Encoding]:
        return [self._encode(text) for text in texts]

    def _encode(self, text: str | tuple[str, str]) -> Encoding:
        if isinstance(text, str):
            form, parts = self._single, {"A": self._ids(text)}
        else:
            form, parts = self._pair, {"A": self._ids(text[0]), "B": self._ids(text[1])}
        room = self._max_tokens - sum(1 for piece, _ in form if isinstance(piece, int))
        _shorten(parts, room)
        ids: list[int] = []
        kinds: list[int] = []
        for piece, kind in form:
            new = [piece] if isinstance(piece, int) else parts[piece]
            ids += new
            kinds += [kind] * len(new)
        return Encoding(ids, kinds)

    def _ids(self, text: str) -> list[int]:
        found: list[int] = []
        for outer in _split(self._before, text):
            if outer in self._added and self._before and self._before.fullmatch(outer):
                found.append(self._added[outer])
                continue
            for inner in _split(self._after, self._normal(outer)):
                if inner in self._added and self._after and self._after.fullmatch(inner):
                    found.append(self._added[inner])
                    continue
                for word in _words(inner):
                    found += self._pieces(word)
        return found

    def _normal(self, text: str) -> str:
        if text.isascii() and text.isprintable():  # nothing to clean, part or strip
            return text.lower() if self._lowers else text
        if self._cleans:
            text = "".join(" " if char.isspace() else char for char in text if not _is_dropped(char))
        if self._parts_ideographs:
            text = "".join(f" {char} " if _is_ideograph(char) else char for char in text)
        if self._strips:
            apart = unicodedata.normalize("NFD", text)
            text = "".join(char for char in apart if unicodedata.category(char) != "Mn")
        # One by one: what stands around a letter does not change its lower case here.
        return "".join(char.lower() for char in text) if self._lowers else text

    def _cut(self, word: str) -> tuple[int, ...]:
        """The longest piece that the vocabulary has, then the longest of the rest, and so on."""
        if len(word) > self._longest_word:
            return (self._unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = word[start:end] if start == 0 else self._prefix + word[start:end]
                if (id := self._vocabulary.get(piece)) is not None:
                    found.append(id)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)


def _any_of(words: Sequence[str]) -> re.Pattern[str] | None:
    ordered = sorted(words, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered))) if ordered else None


def _split(pattern: re.Pattern[str] | None, text: str) -> list[str]:
    """The text with the words of the pattern apart from the rest."""
    if pattern is None or pattern.search(text) is None:
        return [text]
    found: list[str] = []
    at = 0
    for match in pattern.finditer(text):
        found += [text[at : match.start()], match[0]]
        at = match.end()
    return [*found, text[at:]]


def _words(text: str) -> list[str]:
    """At blanks, and around every mark of punctuation."""
    found: list[str] = []
    for run in text.split():
        if run.isalnum():
            found.append(run)
            continue
        start = 0
        for n, char in enumerate(run):
            if _is_punctuation(char):
                found += [run[start:n], char] if n > start else [char]
                start = n + 1
        if start < len(run):
            found.append(run[start:])
    return found


def _shorten(parts: dict[str, list[int]], room: int) -> None:
    """The longer text gives way until both are of one length."""
    if sum(map(len, parts.values())) <= room:
        return
    if len(parts) == 1:
        del parts["A"][max(0, room) :]
        return
    short, long = sorted(parts, key=lambda name: len(parts[name]))
    least = len(parts[short])
    most = max(least, room - least)
    if least > room or least + most > room:
        least, most = room // 2, room // 2 + room % 2
    del parts[short][least:], parts[long][most:]


def _forms(described: Mapping[str, Any]) -> tuple[list[Piece], list[Piece]]:
    """What a text and a pair of texts look like with the ids that stand around them."""
    match described["type"]:
        case "BertProcessing":
            start, end = int(described["cls"][1]), int(described["sep"][1])
            single: list[Piece] = [(start, 0), ("A", 0), (end, 0)]
            return single, [*single, ("B", 1), (end, 1)]
        case "RobertaProcessing":
            start, end = int(described["cls"][1]), int(described["sep"][1])
            single = [(start, 0), ("A", 0), (end, 0)]
            return single, [*single, (end, 0), ("B", 0), (end, 0)]
        case "TemplateProcessing":
            special = described["special_tokens"]
            return _template(described["single"], special), _template(described["pair"], special)
        case other:
            raise OtherTokenizer(f"its tokenizer ends in a {other}")


def _template(steps: Sequence[Mapping[str, Any]], special: Mapping[str, Any]) -> list[Piece]:
    made: list[Piece] = []
    for step in steps:
        if "Sequence" in step:
            made.append((step["Sequence"]["id"], int(step["Sequence"]["type_id"])))
        else:
            token = step["SpecialToken"]
            made += [(int(id), int(token["type_id"])) for id in special[token["id"]]["ids"]]
    return made


@lru_cache(4096)
def _is_dropped(char: str) -> bool:
    if char in "\t\n\r":
        return False
    return char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs")


@lru_cache(4096)
def _is_punctuation(char: str) -> bool:
    if char.isascii():
        return not char.isalnum() and char.isprintable() and char != " "
    return unicodedata.category(char).startswith("P")


def _is_ideograph(char: str) -> bool:
    return char > "\u33ff" and any(first <= ord(char) <= last for first, last in _IDEOGRAPHS)
