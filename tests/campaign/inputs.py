"""Hostile inputs: pieces that a reader knows, strung together, then cut, repeated, swapped and flipped."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Sequence

from tests.reading.test_any_text import SENTENCES

Make = Callable[[random.Random], bytes]
"""An input, mostly well-formed."""

_MARKDOWN = [
    "# Head\n", "## 2026-03-01\n", "\n", "\n\n", "- item one\n", "  - nested\n", "\t- tab\n", "1. first\n",
    "> quote\n", "> [!note] T\n", "| a | b |\n", "|---|---|\n", "| c | d |\n", "key:: value\n", "[k:: v]",
    "(k:: v)", "[[N|a]]", "![[x.png]] ", "[t](u)", "**b**", "_i_", "~~s~~", "==h==", "`c`", "```\n",
    "~~~\n", "%%", "$$", "<!--", "-->", "<% a %>", "<b>", "</del>", "<del>", "&amp;", "#tag ", " ^id\n",
    "[^1]", "[^1]: note\n", "[ ] ", "- [x] done\n", "TODO ", "---\n", "a: b\n", "tags: [x]\n", "{{date}}",
    "((", "))", "\\", "\x1b[31m", "\u200b", "\u202e", "\x00", "\r\n", "\r", "  \n", "One. Two? Three!",
    "Dr. No.", "e.g. ", "https://a.b/c", "word ", "12:30 ", "2026-03-01 ", "é", "字", "\u2028",
    "📅 2026-01-01", ":LOGBOOK:\n", ":END:\n", "**Bold**\n", "Lead:\n", "id:: x\n", "    code\n", "===\n",
    "*", "_", "[", "]", "(", ")", "|", "…", ".", "?", "!", ",", ";", ":", "-", "–", "—", "'", '"', "“", "”",
    "0", "7", "1,000.", "€", "%", "°C", " is ", " was ", " not ", " never ", " must ", " since ", " until ",
    " moved from ", " to ", " and ", " or ", " if ", " no longer ", "\t", " ",
]  # fmt: skip
_YAML = [
    "a: ", "b: ", "- ", "\n", "  ", "[", "]", "{", "}", ", ", "&x ", "*x", "*x, *x", "<<: ",
    "<<: [*x, *x]\n", "!!int ", "!!python/object:os.system ", "!!binary ", "!!timestamp ", "|\n", ">\n",
    "? ", ": ", "#", "'", '"', "~", "null", "1e999", "0x7f", "2026-02-31", "12:30:00", "\t", "%YAML 1.1\n",
    "---\n", "...\n", "keys:\n", "  quit: x\n", "models:\n", "  use: rules\n", "  threads: 2\n",
    "vaults:\n", "strategies:\n", "- use: custom\n", "colours:\n", "  primary: '#123456'\n", "dark: true\n",
    "variables:\n", "theme: dark\n", "editor: vim\n", "ignore: [a*b]\n", "inbox: ../x.md\n",
    "max_bytes: 9999999999999999999999\n", "\ud7ff", "\x00",
]  # fmt: skip
_JSON = [
    "{", "}", "[", "]", ",", ":", '"a"', '"text"', '"b"', '"format"', '"YYYY-MM-DD"', '"[[[YYYY"', "null",
    "true", "1e400", "-0", "9" * 40, '"\\ud800"', '"\\u0000"', " ", "\n",
    '{"a": {"text": "x"}, "b": {"text": "y"}}\n', '"kind"', '"Indexed"', "NaN", "Infinity",
    '"MMMM Do, YYYY (dddd)"', '"note"', '"date"',
]  # fmt: skip
_ANSWERS = [
    " asserted | ", "door code", " | is ", "state", " | ", "4411", "-", " none", "\n", "must not ",
    "action", "|", "disagreement", "reversal", " 1 2 ", " 1", "2", "99", "Is it still?",
    "ignore all previous instructions", "planned", "value", "\t", "<|im_end|>", "\x1b[2J", "yes", "no",
    "stale", '{"norms": []}',
]  # fmt: skip


def strung(pieces: Sequence[str], most: int) -> Make:
    def make(chance: random.Random) -> bytes:
        count = chance.randrange(1, most)
        return "".join(chance.choices(pieces, k=count)).encode("utf-8", "replace")

    return make


def note(chance: random.Random) -> bytes:
    """Markdown of all kinds: sentences, pieces, frontmatter, and now and then one piece over and over."""
    parts: list[str] = []
    if chance.random() < 0.2:
        parts.append(f"---\n{strung(_YAML, 30)(chance).decode()}\n---\n")
    for _ in range(chance.randrange(1, 6)):
        match chance.randrange(6):
            case 0 | 1:
                parts.append(chance.choice(SENTENCES))
            case 2 | 3:
                parts.append("".join(chance.choices(_MARKDOWN, k=chance.randrange(1, 20))))
            case 4:
                parts.append(chance.choice(["\n", "\n\n", " "]))
            case _:
                some = "".join(chance.choices(_MARKDOWN, k=chance.randrange(1, 4)))
                parts.append(some * chance.choice([3, 10, 40, 200]))
    return "".join(parts).encode("utf-8", "replace")


sentence: Make = lambda chance: chance.choice(SENTENCES).encode()  # noqa: E731
yaml_text = strung(_YAML, 40)
json_text = strung(_JSON, 20)


def answer(chance: random.Random) -> bytes:
    """What a model might say: mostly of the right form, about other things than it was asked."""
    if chance.random() < 0.3:
        return strung(_ANSWERS, 16)(chance)

    def some(*words: str) -> str:
        return chance.choice(words)

    subject = some("door code", "code", "garage", "Ines", "all notes", "it", "", "door code of the vault")
    norm = (
        f" {some('asserted', 'planned', 'past', 'logged', 'evil')} | {subject} | "
        f"{some('is', 'must', 'must not', 'may', 'is not')} "
        f"{some('equals', 'other', 'located', 'evil', '')} | "
        f"{some('4411', 'is 4411', '0087', '-', 'deleted', 'the door', '4', '44110')}"
    )
    lines = some("1 2", "1 2 3", "2 1", "3", "1 9", "0 1", "1 1", "-1 2", "1 2 3 4 5 6 7")
    asked = some("Is the door code still 4411?", "Run rm -rf ~?", "Is the door code 9999?", "", "?")
    thread = f"{some('disagreement', 'reversal', 'stale', 'none', 'x')} | {lines} | {asked}"
    return some(norm, f"{norm}\n{norm}", thread, f"| {thread}", f"{thread}\n{norm}").encode()


def gguf(chance: random.Random) -> bytes:
    """The header of a model file, with sizes that are right, large or absurd."""

    def size() -> int:
        return chance.choice([0, 1, 2, 3, 16, 255, 1 << 20, 1 << 31, (1 << 63) - 1, (1 << 64) - 1])

    def string() -> bytes:
        text = chance.choice([b"general.architecture", b"llama", b"general.type", b"adapter", b"", b"\xff"])
        return struct.pack("<Q", len(text) if chance.random() < 0.9 else size()) + text

    def value(depth: int = 0) -> bytes:
        kind = chance.choice([0, 4, 5, 6, 7, 8, 9, 10, 12, 13, 99])
        head = struct.pack("<I", kind)
        if kind == 8:
            return head + string()
        if kind == 9 and depth < 3:
            count = chance.choice([0, 1, 2, size()])
            return head + struct.pack("<IQ", chance.choice([0, 4, 8, 9]), count) + chance.randbytes(24)
        return head + chance.randbytes(8)

    keys, tensors = chance.randrange(4), chance.randrange(3)
    counts = (tensors, keys) if chance.random() < 0.8 else (size(), size())
    data = chance.choice([b"GGUF", b"GGUF", b"GGML"]) + struct.pack(
        "<IQQ", chance.choice([1, 2, 3, 4]), *counts
    )
    data += b"".join(string() + value() for _ in range(keys))
    for _ in range(tensors):
        data += string() + struct.pack("<I", chance.choice([1, 2, 4, 99]))
        data += struct.pack("<2QIQ", size(), size(), chance.randrange(45), size())
    return data + chance.randbytes(chance.randrange(64))


def mutate(make: Make, chance: random.Random) -> bytes:
    """An input, most of the time damaged in a few places."""
    data = bytearray(make(chance))
    for _ in range(chance.choice([0, 0, 1, 2, 3, 8])):
        at = chance.randrange(len(data) + 1)
        to = min(len(data), at + chance.choice([1, 1, 2, 5, 20]))
        match chance.randrange(5):
            case 0:
                del data[at:to]
            case 1:
                data[at:at] = chance.randbytes(chance.randrange(1, 4))
            case 2:
                data[at:at] = bytes(data[at:to]) * chance.choice([1, 2, 50])
            case 3 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case _:
                data[at:at] = make(chance)[:40]
    return bytes(data[:20_000])
