"""Text from notes, made safe for a terminal: nothing in it can move the cursor or hide."""

from __future__ import annotations

import unicodedata

_VISIBLE = {i: chr(0x2400 + i) for i in range(0x20)} | {0x7F: "␡"}
_BREAKS = str.maketrans({"\n": " ", "\t": " ", "\r": " "})


def shown(text: str) -> str:
    """One printable line: control characters as symbols, direction and zero-width marks gone."""
    text = text.translate(_BREAKS).translate(_VISIBLE)
    if text.isascii():
        return text
    return "".join(
        c
        for c in text
        if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") or c == "\u200d"
    )
