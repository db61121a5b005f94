"""Everything that reads what others wrote, each as a function of bytes that raises only where it fails."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from app import settings
from app.bounded_yaml import load_yaml
from app.cli.batch import rows
from app.cli.errors import CommandError
from app.cli.judge import judge_pairs
from app.cli.statements import read_claims
from app.detective import thread_answer
from app.models.files import Unusable
from app.models.frames import Decoder, Garbled
from app.models.gguf_header import read_header
from app.pipeline.handle import decode
from app.plain import safe_json, shown
from app.reading import norm_answer, norm_rules
from app.settings_file import CannotChange, SettingsFile
from app.store.decision_copy import copy_path, read_copy
from app.store.errors import StoreError
from app.store.store import Store
from app.tui import themes
from app.tui.commands.registry import keymap
from app.vault.note import read_note
from app.vault.settings import VaultSettings, vault_settings
from app.words import Claim
from tests.campaign.inputs import Make, answer, gguf, json_text, note, sentence, yaml_text
from tests.vault.test_reading_properties import check

_ACTS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MOST_STATEMENTS = 30


@dataclass(frozen=True)
class Reader:
    name: str
    share: float
    """How many of a thousand inputs it gets."""
    make: Make
    read: Callable[[bytes], None]


@lru_cache(maxsize=1)
def _file() -> Path:
    return Path(tempfile.mkdtemp(prefix="belie-fuzz-")) / "input"


def _written(data: bytes) -> Path:
    _file().write_bytes(data)
    return _file()


def read_a_note(data: bytes) -> None:
    found = read_note("Note.md", data, VaultSettings())
    check(found, data)
    for statement in found.statements[:_MOST_STATEMENTS]:
        norm_rules.normalize(statement, found)


def read_a_logseq_page(data: bytes) -> None:
    found = read_note("journals/2026_03_01.md", data, VaultSettings(logseq=True, folders_are_projects=True))
    check(found, data)


def show(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    assert not _ACTS.search(shown(text)), "it acts on a terminal"
    value = {"text": text}
    assert json.loads(safe_json(json.dumps(value, ensure_ascii=False))) == value


def judge_a_pair(data: bytes) -> None:
    half = len(data) // 2
    texts = [part.decode("utf-8", "replace") for part in (data[:half], data[half:])]
    claims = [read_claims(text, id, title="Garage", date=None) for text, id in zip(texts, "ab", strict=True)]
    for judged in judge_pairs([(claims[0], claims[1])], None):
        assert 0.0 <= judged.alarm <= 1.0


def read_yaml(data: bytes) -> None:
    from yaml import YAMLError

    with contextlib.suppress(YAMLError, ValueError):
        load_yaml(data)


def read_a_configuration(data: bytes) -> None:
    path = _written(data)
    found = settings.load(path)
    keymap(found.keys)
    with contextlib.suppress(CannotChange):
        SettingsFile(path)


def read_a_theme(data: bytes) -> None:
    with contextlib.suppress(themes.BrokenTheme):
        themes.read(_written(data))


def read_a_model_header(data: bytes) -> None:
    with contextlib.suppress(Unusable):
        read_header(_written(data))


def read_rows(data: bytes) -> None:
    with contextlib.suppress(CommandError):
        list(rows(str(_written(data))))


def read_daily_notes(data: bytes) -> None:
    folder = _file().parent / "vault"
    (folder / ".obsidian").mkdir(parents=True, exist_ok=True)
    (folder / ".obsidian" / "daily-notes.json").write_bytes(data)
    with contextlib.suppress(ValueError):
        format_ = json.dumps({"format": data.decode("utf-8", "replace")})
        (folder / ".obsidian" / "daily-notes.json").write_text(format_)
    found = vault_settings(folder)
    read_note("2026-03-01 x/March 1st, 2026 (Sunday).md", b"The door is red.\n", found)


@lru_cache(maxsize=1)
def _thread() -> tuple[Claim, ...]:
    said = ("The door code is 4411.", "The door code is 0087.", "The door code is 4411 again.")
    return tuple(read_claims(text, f"c{n}", title="Garage", date=None) for n, text in enumerate(said))


def read_a_models_answer(data: bytes) -> None:
    """Whatever a prompt in a note makes the model say, it is about the lines at hand, in the fixed form."""
    text = data.decode("utf-8", "replace")
    claim = _thread()[0]
    for norm in norm_answer.read_answer(text, claim.statement, "Garage") or ():
        here = claim.statement.text.casefold()
        assert norm.value is None or norm.value.casefold() in here, "a value that nobody wrote"
        assert not norm.sure
    told = thread_answer.read_answer(text, _thread())
    if told is not None:
        assert set(told.members) <= {claim.id for claim in _thread()}


def hear_a_process(data: bytes) -> None:
    with contextlib.suppress(Garbled):
        list(Decoder().feed(data))
    with contextlib.suppress(ValueError, KeyError, TypeError):  # as the listener does
        decode(data.decode("utf-8", "replace"))


def read_a_decision_copy(data: bytes) -> None:
    path = _written(b"")
    copy_path(path).write_bytes(data)
    assert read_copy(path) is None


def import_rows(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    with Store.open(":memory:") as store:
        with contextlib.suppress(StoreError):
            store.load([*_exported()[:1], *text.splitlines()])
        assert store.verify() == []


@lru_cache(maxsize=1)
def _exported() -> list[str]:
    with Store.open(":memory:") as store:
        return list(store.export())


READERS = [
    Reader("note", 480, note, read_a_note),
    Reader("Logseq page", 100, note, read_a_logseq_page),
    Reader("terminal", 80, note, show),
    Reader("YAML", 60, yaml_text, read_yaml),
    Reader("configuration", 40, yaml_text, read_a_configuration),
    Reader("theme", 20, yaml_text, read_a_theme),
    Reader("GGUF header", 60, gguf, read_a_model_header),
    Reader("rows", 30, json_text, read_rows),
    Reader("daily notes", 20, json_text, read_daily_notes),
    Reader("model's answer", 60, answer, read_a_models_answer),
    Reader("process", 30, json_text, hear_a_process),
    Reader("decision copy", 15, json_text, read_a_decision_copy),
    Reader("import", 2, json_text, import_rows),
    Reader("pair", 3, sentence, judge_a_pair),
]
