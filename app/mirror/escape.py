"""Note text on a page of ours: one line that says what it said and is markup of no kind."""

from __future__ import annotations

import re

from app.vault.markup import SAFE

# A backslash before any of these is Markdown for the character itself, in every dialect. The colon keeps
# addresses and `key:: value` from becoming links and fields, the at sign addresses of people.
_SPECIAL = re.compile(r"[\\`*_{}\[\]()<>#!|~^=$%&@:]")
_WWW = re.compile(r"\b(www)\.", re.IGNORECASE)
_OPENS_A_BLOCK = re.compile(r"(?:[-+]|\d{1,9}(?=[.)]))")


def escaped(text: str) -> str:
    text = " ".join(SAFE.sub(" ", text).split())
    text = _WWW.sub(r"\1\\.", _SPECIAL.sub(r"\\\g<0>", text))
    opening = _OPENS_A_BLOCK.match(text)
    if opening is None:
        return text
    if text[0] in "-+":
        return "\\" + text
    # The bracket of "1)" is escaped already.
    number = opening.end()
    return text if text[number] == "\\" else f"{text[:number]}\\{text[number:]}"
