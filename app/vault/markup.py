"""The patterns of inline markup. Every repetition is bounded, so no text can make them slow."""

from __future__ import annotations

import re

INVISIBLE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f"
)
_TASK_SIGNS = "📅✅⏳🛫➕❌🔁⏫🔼🔽"
# One class first and the rest behind it: the engine then skips from one such character to the next.
SPECIAL = re.compile(
    rf"[\\`\[\]<&#*_^!~={{(h⟶{_TASK_SIGNS}{INVISIBLE}]"
    rf"(?:(?<=[^!~={{(h])|(?<=!)\[|(?<=~)~|(?<==)=|(?<=\{{)\{{|(?<=\()\(|(?<=h)ttps?://)"
)
CODE = re.compile(r"`([^`]+)`(?!`)|``((?:[^`]|`(?!`)){1,200})``(?!`)|`+")
WIKILINK = re.compile(r"\[\[([^\[\]\n]{1,400})\]\]")
IMAGE = re.compile(
    r"!\[[^\[\]\n]{0,400}\](?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,2000}\)|\[[^\[\]\n]{0,100}\])"
)
FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,60}\]")
LINK_END = re.compile(
    r"\](?:\(\s?(?:<[^<>\n]{0,1000}>|(?:[^()\s]|\([^()\s]{0,300}\)){0,2000})"
    r"(?:\s+(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s?\)|\[[^\[\]\n]{0,200}\])"
)
ANGLE_LINK = re.compile(r"<((?:https?://|mailto:)[^\s<>]{1,2000})>")
HTML_TAG = re.compile(r"<(/?)([A-Za-z][\w-]{0,30})(?:\s[^<>]{0,2000})?/?>")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]\w{1,30});")
URL = re.compile(r"https?://[^\s<>\"'`|\])]+")
TAG = re.compile(r"#(?:\[\[([^\[\]\n]{1,100})\]\]|([\w/-]{1,100}))")
ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]{1,60}[ \t]*(?=\n|$)")
INLINE_FOOTNOTE = re.compile(r"\^\[[^\[\]\n]{0,1000}\]")
MACRO = re.compile(
    r"\{\{\{?(?:embed|query|renderer|youtube|video|tweet|cards?|cloze|zotero|pdf|iframe|function)\b"
    r"[^{}\n]{0,500}\}?\}\}",
    re.IGNORECASE,
)
BLOCK_REFERENCE = re.compile(r"\(\([0-9a-fA-F-]{8,40}\)\)")
TERMINAL_ESCAPE = re.compile(
    r"\x1b(?:\[[0-9;?]{0,30}[ -/]{0,5}[@-~]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)?)?|.", re.DOTALL
)
TASK_MARK = re.compile(
    r"[📅✅⏳🛫➕❌]\ufe0f?\s*\d{4}-\d\d-\d\d|🔁\ufe0f?\s*every[^📅✅⏳🛫➕❌\n]{0,40}|[⏫🔼🔽]\ufe0f?"
)
FIELD = re.compile(
    r"\[([^\[\]()`:\n]{1,60})::[ \t]"
    r"((?:[^\[\]\n]|\[\[[^\[\]\n]{1,200}\]\]|\[[^\[\]\n]{0,200}\]\([^()\n]{0,500}\)){0,300})\]"
    r"|\(([^\[\]()`:\n]{1,60})::[ \t]([^()\n]{0,300})\)"
)
MORE_TAGS = re.compile(r"(?:[ \t,]+#[\w/-]{1,100})*")
LINE_END = re.compile(r"[ \t,]*(?:\^[\w-]{1,60}[ \t]*)?(?=\n|$)")
NEEDS_OBJECT = re.compile(
    r"(?:^|\s)(?:a|an|the|in|on|to|of|for|with|via|from|at|by|and|or|see|into|is|are|use|called|under|per|our|my)\s$",
    re.IGNORECASE,
)
SUPERSEDED = re.compile(
    r"⟶ superseded by (?:\[\[[^\[\]\n]{1,400}\]\]|\[[^\[\]\n]{0,200}\]\([^()\s]{1,1500}\))"
)
"""What writing back puts behind a statement that lost to another."""
SAFE = re.compile(f"[{INVISIBLE}]")
STOPS = re.compile(r"[.!?…]")


def wikilink_text(inner: str) -> str:
    """What a wikilink shows: its alias, else the note (and heading) it points at."""
    target, bar, alias = inner.partition("|")
    if bar:
        alias = alias.rsplit("|", 1)[-1].strip()
        if alias:
            return alias
    target = target.rstrip("\\")
    note, _, anchor = target.partition("#")
    note = note.rsplit("/", 1)[-1].strip() if not note.startswith("http") else note
    note = note.removesuffix(".md")
    anchor = "" if anchor.startswith("^") else anchor.split("#")[-1].strip()
    return f"{note} {anchor}".strip() if anchor else note
