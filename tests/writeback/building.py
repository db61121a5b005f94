"""Claims out of a note's bytes, as the index would hold them."""

from __future__ import annotations

from app.reading.norm_rules import normalize
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Claim
from app.writeback.edits import Style
from app.writeback.propose import propose

SETTINGS = VaultSettings()


def claims(path: str, data: bytes, settings: VaultSettings = SETTINGS) -> list[Claim]:
    note = read_note(path, data, settings)
    return [
        Claim(f"{n:08}", statement, note.title, normalize(statement, note), aliases=note.aliases)
        for n, statement in enumerate(note.statements)
    ]


def claim(path: str, data: bytes, text: str) -> Claim:
    return next(found for found in claims(path, data) if found.statement.text == text)


WINNER = claims("Home/House.md", b"# Doors\n\nThe garage door code is 0087.\n")[0]
LINK = "[[Home/House#Doors|House]]"
MARK = f"⟶ superseded by {LINK}"


def after(note: str, text: str, style: Style, winner: Claim = WINNER) -> str:
    """The note as it would be with the statement of this text written back."""
    data = note.encode()
    return propose(data, claim("Garage.md", data, text), winner, style).after.decode()
