"""The inbox note as bytes: where it is, how it ends, and the same note with one more statement in it."""

from __future__ import annotations

import codecs
from fnmatch import fnmatchcase

from app.capture.outcomes import CaptureError, Wanted
from app.vault.noise import concerns_notes
from app.vault.note import read_note
from app.vault.settings import VaultSettings

SOURCE = "source"
"""The key under which a learned statement names where it was found out."""
_PROBE = "The end of this note holds 1 probe."
_MOST_CHARACTERS = 2_000


def check_place(path: str, settings: VaultSettings) -> str:
    """The inbox's path, if a note there would be read."""
    parts = path.split("/")
    if path.startswith(("/", "~")) or "\\" in path or any(part in ("", ".", "..") for part in parts):
        raise CaptureError(f"The inbox “{path}” is not a path inside the vault, such as Notes/Inbox.md.")
    if not concerns_notes(path, False):
        raise CaptureError(f"The inbox “{path}” is not a note that Belie reads.")
    above = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    if any(fnmatchcase(part, pattern.rstrip("/")) for part in above for pattern in settings.ignore):
        raise CaptureError(
            f"The inbox “{path}” is left out by your settings, so nothing would be read from it."
        )
    return path


def as_line(wanted: Wanted) -> str:
    """The statement as it is written: one line, its source behind it as an inline field."""
    text = _one_line(wanted.text)
    if not text:
        raise CaptureError("There is no text to hold.")
    if len(text) > _MOST_CHARACTERS:
        raise CaptureError(
            f"The text is longer than {_MOST_CHARACTERS:,} characters; that is a note, not a statement."
        )
    if wanted.source is None:
        return text
    source = _one_line(wanted.source).replace("[", "(").replace("]", ")")
    if not source:
        raise CaptureError("learn needs a source: who or what says so.")
    return f"{text} [{SOURCE}:: {source}]"


def _one_line(text: str) -> str:
    """Blanks for line ends and tabs; what a terminal or another program might act on is left out."""
    return " ".join("".join(c if c.isprintable() or c.isspace() else "" for c in text).split())


def with_line(path: str, data: bytes | None, line: str, today: str, settings: VaultSettings) -> bytes:
    """The note with the line as its last paragraph, under a heading with today's date.

    A paragraph and not a bullet: neighbours in a list are read as an enumeration or a log, while every
    captured statement is to stand for itself.
    """
    end = _end(path, data, settings) if data else (_PROBE, None)
    if end is None or end[0] != _PROBE:
        raise CaptureError(
            f"{path} ends inside a comment or a code block, so nothing after it would be read."
        )
    heading = [] if end[1] == today else [f"## {today}"]
    after = _with_paragraphs(data, [*heading, line])
    if _end(path, after, settings) != (_PROBE, today):
        raise CaptureError(
            "This text would hide what comes after it: it is a heading, or opens a comment or code."
        )
    return after


def _end(path: str, data: bytes | None, settings: VaultSettings) -> tuple[str, str | None] | None:
    """What becomes of a paragraph at the end: its text, if it is read at all, and its date."""
    return _last(path, _with_paragraphs(data, [_PROBE]), settings)


def _last(path: str, data: bytes, settings: VaultSettings) -> tuple[str, str | None] | None:
    """The text and the date of the last statement."""
    found = read_note(path, data, settings).statements
    return (found[-1].text, found[-1].date) if found else None


def _with_paragraphs(data: bytes | None, paragraphs: list[str]) -> bytes:
    """The bytes there are stay as they are; encoding and line ends go on as they were."""
    data = data or b""
    encoding = _encoding(data)
    # A lone CR counts as a line end only where there is no other.
    sample = data.decode(encoding, "replace")
    end = "\r\n" if "\r\n" in sample else "\r" if "\r" in sample and "\n" not in sample else "\n"
    blank = sample.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lead = "" if not blank or blank.endswith("\n\n") else "\n" if blank.endswith("\n") else "\n\n"
    added = lead + "\n\n".join(paragraphs) + "\n"
    return data + added.replace("\n", end).encode(encoding, "replace")


def _encoding(data: bytes) -> str:
    if data.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    return "utf-16-be" if data.startswith(codecs.BOM_UTF16_BE) else "utf-8"
