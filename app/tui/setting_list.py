"""The settings the settings screen can change: what they are called, mean, default to and may hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.models.setup import Setup
from app.settings import INBOX, LEAST_CONTEXT
from app.vault.settings import VaultSettings

Form = Literal["choice", "text", "flag", "number", "list"]
_V = VaultSettings()
_SHIPPED = "Belie's own"


@dataclass(frozen=True, slots=True)
class Setting:
    keys: tuple[str, ...]
    form: Form
    about: str
    default: Any = None
    choices: tuple[str, ...] = ()
    per_vault: bool = False
    """Can be set for one vault alone."""
    at_once: bool = False
    """Takes effect without a new start."""
    least: int = 1
    """Of a number."""
    unset: str = "none"
    """What holds where there is neither a value nor a default."""

    @property
    def name(self) -> str:
        return ": ".join(self.keys)


GROUPS: tuple[tuple[str, tuple[Setting, ...]], ...] = (
    ("The workspace", (
        Setting(("theme",), "choice", "The theme to start with; T goes through them.", "dark", at_once=True),
        Setting(("editor",), "text", "What e opens a note with: nvim, code, or a template with {path} and "
                "{line}.", at_once=True, unset="$VISUAL, else $EDITOR"),
        Setting(("inbox",), "text", "The note captured statements go to, inside the vault.", INBOX,
                per_vault=True),
    )),
    ("Models", (
        Setting(("models", "use"), "choice", "Whether models read along with the rules.", "embedded",
                ("rules", "embedded")),
        Setting(("models", "embedder"), "text", "A folder with an embedding model of your own.",
                unset=_SHIPPED),
        Setting(("models", "judge"), "text", "A folder with a judge of your own.", unset=_SHIPPED),
        Setting(("models", "llama"), "text", "A GGUF file of your own.", unset=_SHIPPED),
        Setting(("models", "threads"), "number", "How many processor threads the models may take.",
                unset="as many as help"),
        Setting(("models", "memory_mb"), "number", "Megabytes the models may allocate.", Setup().memory_mb),
        Setting(("models", "context"), "number", "Tokens the language model looks at; whole stories take "
                "4,096.", Setup().context, least=LEAST_CONTEXT),
    )),
    ("How vaults are read", (
        Setting(("silent_folders",), "list", "Folders whose notes never conflict.", _V.silent_folders,
                per_vault=True),
        Setting(("draft_folders",), "list", "Folders of drafts, which never conflict until you promote them.",
                _V.draft_folders, per_vault=True),
        Setting(("folders_are_projects",), "flag", "The top folder is the project of notes that name none.",
                _V.folders_are_projects, per_vault=True),
        Setting(("ignore",), "list", "Further paths to leave out, as patterns.", _V.ignore, per_vault=True),
        Setting(("daily_formats",), "list", "Note names that are days.", _V.daily_formats, per_vault=True),
        Setting(("logseq",), "flag", "Read as a Logseq graph.", per_vault=True,
                unset="found out by its folders"),
        Setting(("max_bytes",), "number", "Larger files are left out.", _V.max_bytes, per_vault=True),
    )),
)  # fmt: skip

SETTINGS: tuple[Setting, ...] = tuple(setting for _, group in GROUPS for setting in group)


def words(value: Any) -> str:
    """A value as a person would write it in the screen's one line."""
    if value is None or value == () or value == []:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return str(value)


def typed(value: Any) -> str:
    """A value as it stands in the line to type in."""
    return "" if value is None else str(value) if isinstance(value, int) else words(value) if value else ""


class NotUsable(ValueError):
    """What was typed is no value of this setting; the message is for the person."""


def understood(setting: Setting, text: str) -> Any:
    """What was typed, as a value; raises NotUsable."""
    text = text.strip()
    match setting.form:
        case "number":
            digits = text.replace(",", "").replace("_", "").replace(" ", "")
            if not digits.isascii() or not digits.isdigit() or int(digits) < setting.least:
                raise NotUsable(f"A whole number from {setting.least:,} on.")
            return int(digits)
        case "list":
            return _parts(text)
        case _:
            return text


def _parts(text: str) -> Sequence[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
