"""Text from a note, made safe to show: what would act on the terminal becomes a symbol or goes."""

from __future__ import annotations

import json
import re

_GONE = "\u00ad\u034f\u180e\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufe0e\ufe0f\ufeff"
"""Take no room themselves but change how their neighbours are drawn or measured."""
_TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Change the direction of what follows, so that a line reads differently from what it says."""

_SYMBOLS: dict[int, str] = {code: chr(0x2400 + code) for code in range(0x20)}
_SYMBOLS |= {0x7F: "␡", 0x09: "    ", 0x0A: " ", 0x0D: " ", 0x2028: " ", 0x2029: " "}
_SYMBOLS |= dict.fromkeys(range(0x80, 0xA0), "�")
_SYMBOLS |= {ord(mark): "�" for mark in _TURNING}
_SYMBOLS |= {ord(mark): "" for mark in _GONE}
_SYMBOLS |= dict.fromkeys(range(0xE0000, 0xE0080), "")
_SYMBOLS |= dict.fromkeys(range(0xD800, 0xE000), "�")

_LETTERS = "".join(re.escape(chr(code)) for code in _SYMBOLS if not 0xD800 <= code <= 0xDFFF)
_ACTING = re.compile(f"[{_LETTERS}\ud800-\udfff]")
# Those below DEL are escaped in JSON anyway; a line end between two lines of it stays.
_ACTING_IN_JSON = re.compile(
    "[" + "".join(re.escape(chr(c)) for c in _SYMBOLS if c >= 0x7F and not 0xD800 <= c <= 0xDFFF) + "]"
)


def shown(text: str) -> str:
    """The text as one line that says what it says and does nothing.

    Control characters become their pictures (␛), marks that turn or join letters are neutralised, line
    ends become blanks. Nothing else changes, so brackets and backslashes stay what they are.
    """
    return text.translate(_SYMBOLS) if _ACTING.search(text) else text


def shown_lines(text: str, limit: int = 2000) -> list[str]:
    """Every line of the text as `shown` gives it; of a very long line only its first `limit` characters."""
    lines = []
    for line in text.splitlines() or [""]:
        cut = line[:limit]
        more = len(line) - len(cut)
        lines.append(shown(cut) + (f" … ({more:,} more characters)" if more else ""))
    return lines


def without_tokens(text: str) -> str:
    """Text for a language model in which nothing reads as one of its control tokens."""
    return text.replace("<|", "< |")


def safe_json(text: str) -> str:
    """JSON that says the same with those characters escaped, so that a terminal may show it as it is."""
    return _ACTING_IN_JSON.sub(lambda found: json.dumps(found.group())[1:-1], text)
