"""The vault doctor: what is ignored, broken or missing, in the notes, the store, the settings, the models."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import on
from textual.message import Message
from textual.widget import Widget

from app.tui.folders import short
from app.tui.screens.place import Place, place_bindings
from app.tui.widgets.page import BLANK, Block, Line, Page, heading
from app.tui.widgets.pane import Pane
from app.tui.wording import plural

if TYPE_CHECKING:
    from app.store.store import Store

_NOTE = "note:"
"""Keys of blocks that are about a file of the vault begin so."""


@dataclass
class Examined(Message, bubble=False):
    """What was found; the models follow, as trying them takes a while."""

    answer: dict[str, Any]
    trouble: str = ""


@dataclass
class ModelsTried(Message, bubble=False):
    models: dict[str, Any]


class Doctor(Place):
    HOLDER = "doctor"
    NAME = "Doctor"
    ABOUT = "Looks for what Belie leaves out, cannot read or lacks, and says how to put it right."
    BINDINGS = place_bindings("doctor")
    AUTO_FOCUS = "#doctor"

    def __init__(self) -> None:
        super().__init__()
        self._answer: dict[str, Any] | None = None
        self._models: dict[str, Any] | None = None

    def content(self) -> Iterable[Widget]:
        yield Pane("Doctor", content=Page(id="doctor"), id="doctor-pane")

    def begin(self) -> None:
        self._answer = self._models = None
        self.query_one("#doctor-pane", Pane).say("Examining vault, store and models …")
        vault = self.workspace.session.vault

        def examine(store: Store) -> Examined:
            from app.services.errors import ServiceError
            from app.services.examination import examine

            try:
                answer = examine(vault, with_models=False)
            except ServiceError as error:
                return Examined({}, str(error))
            return Examined({**answer, "counts": store.counts()})

        def models(_: Store) -> ModelsTried:
            from app.services.examination import models

            return ModelsTried(models())

        self.workspace.session.story.ask(self, examine, name="doctor")
        self.workspace.session.story.ask(self, models, name="doctor's models")

    @on(Examined)
    def _examined(self, message: Examined) -> None:
        if message.trouble:
            self.failed(message.trouble)
            return
        self._answer = message.answer
        self._show()

    @on(ModelsTried)
    def _models_tried(self, message: ModelsTried) -> None:
        self._models = message.models
        self._show()

    def _show(self) -> None:
        if self._answer is None:
            return
        pane = self.query_one("#doctor-pane", Pane)
        pane.say("")
        troubles = _troubles(self._answer) + len(_lacking(self._models))
        well = "all is well" if self._models is not None else "all is well so far"
        pane.name_as("Doctor", plural(troubles, "problem") if troubles else well)
        self.query_one("#doctor", Page).show(
            [
                *_vault(self._answer),
                *_store(self._answer),
                *_config(self._answer),
                *_model_blocks(self._models),
            ]
        )
        self.tell_keys()

    @property
    def _note(self) -> str | None:
        block = self.query_one("#doctor", Page).here
        key = block.key if block is not None else None
        return key.removeprefix(_NOTE).partition("\0")[0] if key and key.startswith(_NOTE) else None

    def able(self) -> frozenset[str]:
        return frozenset({"again", "edit"} if self._note else {"again"})

    @on(Page.Chosen)
    def _chosen(self) -> None:
        self.action_doctor_edit()

    def action_doctor_again(self) -> None:
        self.begin()

    def action_doctor_edit(self) -> None:
        if self._note:
            self.edit(self.workspace.session.vault / self._note)


def _troubles(answer: dict[str, Any]) -> int:
    store = answer["store"]
    return sum(
        len(found)
        for found in (
            store["problems"], store["notes_with_problems"], answer["unreadable"],
            answer["config"]["problems"],
        )
    )  # fmt: skip


def _lacking(models: dict[str, Any] | None) -> list[str]:
    from app.services.examination import is_wanting

    tried = models["try"] if models is not None else {}
    return [name for name, part in tried.items() if is_wanting(name, part)]


def _fact(
    said: str, about: str = "", look: str = "success", sign: str = "✓", key: str | None = None
) -> Block:
    lines = [Line(said, "text", head=f"{sign} ", head_look=look)]
    if about:
        lines.append(Line(about, "muted", head="  "))
    return Block(tuple(lines), key=key)


def _file(row: dict[str, str], what: str, look: str, sign: str) -> Block:
    return _fact(row["path"], row[what], look, sign, key=f"{_NOTE}{row['path']}\0{row[what]}")


def _vault(answer: dict[str, Any]) -> list[Block]:
    counts = answer["counts"]
    blocks = [
        heading("The vault"),
        _fact(
            f"{plural(answer['notes'], 'note')}, {plural(counts.claims, 'statement')}, {counts.open:,} open",
            short(Path(answer["vault"])),
        ),
    ]
    watches = answer["watching"]["inotify_watches"]
    if watches is not None:
        blocks.append(_fact(f"up to {watches:,} folders can be watched", "beyond that, Belie polls"))
    blocks += [_file(row, "reason", "error", "✗") for row in answer["unreadable"]]
    blocks += [_file(row, "problem", "warning", "⚠") for row in answer["store"]["notes_with_problems"]]
    if answer["ignored"]:
        blocks += [BLANK, heading("Left out", plural(len(answer["ignored"]), "file"))]
        blocks += [_file(row, "reason", "muted", "·") for row in answer["ignored"]]
    return blocks


def _store(answer: dict[str, Any]) -> list[Block]:
    store = answer["store"]
    path = short(Path(store["path"]))
    blocks = [BLANK, heading("The store")]
    if store["problems"]:
        blocks += [
            _fact(problem, "docs/troubleshooting.md tells what to do", "error", "✗")
            for problem in store["problems"]
        ]
    elif not store["extractor"]:
        blocks.append(_fact("nothing has been read yet", path, "muted", "·"))
    else:
        blocks.append(_fact("whole: tables, ledger and its chain of hashes agree", path))
    if store["read_only"]:
        blocks.append(_fact("it cannot be written", "decisions are not possible", "warning", "⚠"))
    return blocks


def _config(answer: dict[str, Any]) -> list[Block]:
    config = answer["config"]
    found = [_fact(problem, "", "warning", "⚠") for problem in config["problems"]]
    fine = _fact("nothing wrong with them", short(Path(config["path"])))
    return [BLANK, heading("Your settings"), *(found or [fine])]


def _model_blocks(models: dict[str, Any] | None) -> list[Block]:
    blocks = [BLANK, heading("The models")]
    if models is None:
        return [*blocks, _fact("being tried …", "", "muted", "…")]
    from app.services.examination import past_error, state_of, to_add

    for name, part in models["try"].items():
        good = name not in _lacking(models)
        addable = good and part["state"] == "absent"
        repair = f"To repair it: {part['repair']}" if part["repair"] and not addable else ""
        about = ". ".join(said for said in (part["reason"], repair) if said)
        look, sign = ("muted", "·") if addable else ("success", "✓") if good else ("warning", "⚠")
        blocks.append(_fact(f"{name}: {state_of(part)}", about, look, sign))
    if error := models.get("last_error"):
        said = f"last error: {error['error']}"
        if error["old"]:
            blocks.append(_fact(said, past_error(error), "muted", "·"))
        else:
            repair = f"To repair it: {error['repair']}" if error["repair"] else ""
            about = ". ".join(filter(None, (str(error["at"]), repair)))
            blocks.append(_fact(said, about, "warning", "⚠"))
    if missing := to_add(models):
        blocks += [BLANK, heading("What could be added")]
        blocks += [
            _fact(f"{one['name']}: {one['adds']}", f"To add it: {one['get']}", "muted", "+")
            for one in missing
        ]
    return blocks
