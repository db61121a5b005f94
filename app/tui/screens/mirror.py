"""The mirror: what the notes currently say, a page for each project, disputed lines marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget

from app.mirror.subjects import Line as Said
from app.mirror.subjects import Project, Subject, projects
from app.plain import shown
from app.tui.editor_session import open_note
from app.tui.screens.place import Place, place_bindings
from app.tui.widgets.page import BLANK, Block, Line, Page, heading
from app.tui.widgets.pane import Pane
from app.tui.wording import plural, titled

if TYPE_CHECKING:
    from app.store.store import Store

_NO_PROJECT = "Without a project"
_SOURCES = 4
"""More places than this are counted, not named."""


@dataclass
class MirrorRead(Message, bubble=False):
    projects: tuple[Project, ...]


@dataclass
class PagesWritten(Message, bubble=False):
    said: str
    trouble: str = ""


class Mirror(Place):
    HOLDER = "mirror"
    NAME = "Mirror"
    ABOUT = (
        "What your notes assert today, the newest first, each line with where it is said. "
        "⚠ marks what an open conflict disputes."
    )
    BINDINGS = place_bindings("mirror")
    AUTO_FOCUS = "#mirror"

    def __init__(self) -> None:
        super().__init__()
        self._projects: tuple[Project, ...] = ()
        self._shown = 0
        self._disputed_only = False
        self._read_once = False
        self._lines: dict[str, Said] = {}

    def content(self) -> Iterable[Widget]:
        with Horizontal(id="mirror-panes"):
            yield Pane("Projects", content=Page(id="projects"), id="projects-pane")
            yield Pane("Mirror", content=Page(id="mirror"), id="mirror-pane")

    def begin(self) -> None:
        if not self._read_once:
            self._pane.say("Reading what your notes say …")
        self.workspace.session.story.ask(self, _read, name="mirror")

    def failed(self, text: str) -> None:
        if not self._projects:
            self.query_one("#mirror-panes").add_class("-single")
        self._pane.say(text, "Esc goes back.", trouble=True)

    @property
    def _pane(self) -> Pane:
        return self.query_one("#mirror-pane", Pane)

    @property
    def _page(self) -> Page:
        return self.query_one("#mirror", Page)

    @property
    def _here(self) -> Said | None:
        block = self._page.here
        return self._lines.get(block.key or "") if block is not None else None

    def able(self) -> frozenset[str]:
        can = {"disputed", "export"} if self._projects else set()
        if len(self._projects) > 1:
            can |= {"next", "previous"}
        if self._here is not None:
            can.add("edit")
            if self._here.disputes:
                can.add("show")
        return frozenset(can)

    @on(MirrorRead)
    def _mirror_read(self, message: MirrorRead) -> None:
        self._projects, self._read_once = message.projects, True
        self._shown = min(self._shown, max(0, len(self._projects) - 1))
        self.query_one("#mirror-panes").set_class(len(self._projects) < 2, "-single")
        self.query_one("#projects", Page).show([_project_block(p) for p in self._projects])
        self._show_project()

    def _show_project(self) -> None:
        self._lines.clear()
        if not self._projects:
            self._pane.say(
                "Nothing is asserted in these notes yet.", "Plans, questions and logs do not count."
            )
            self._page.show([])
            self.tell_keys()
            return
        project = self._projects[self._shown]
        subjects = [
            s for s in project.subjects if not self._disputed_only or any(x.disputes for x in s.lines)
        ]
        self._page.show(self._blocks(subjects))
        nothing = self._disputed_only and not subjects
        self._pane.say(
            "Nothing is disputed here." if nothing else "", "d shows everything." if nothing else ""
        )
        self.query_one("#projects", Page).show(
            [_project_block(p) for p in self._projects], prefer=_key(project)
        )
        self._entitle()
        self.tell_keys()

    def _blocks(self, subjects: Sequence[Subject]) -> list[Block]:
        blocks: list[Block] = []
        for number, subject in enumerate(subjects):
            blocks += [BLANK] if blocks else []
            blocks.append(heading(titled(subject.name) or "Unnamed"))
            for place, line in enumerate(subject.lines):
                key = f"{number}:{place}"
                self._lines[key] = line
                blocks.append(_line_block(line, key))
        return blocks

    def _entitle(self) -> None:
        project = self._projects[self._shown]
        title = project.name or (_NO_PROJECT if len(self._projects) > 1 else "What your notes say")
        place = f"{self._shown + 1} of {len(self._projects)}" if len(self._projects) > 1 else ""
        self._pane.name_as(title + (" · disputed only" if self._disputed_only else ""), place)

    @on(Page.Moved, "#mirror")
    def _moved(self) -> None:
        self.tell_keys()

    @on(Page.Moved, "#projects")
    def _project_moved(self) -> None:
        block = self.query_one("#projects", Page).here
        found = next((i for i, p in enumerate(self._projects) if block and _key(p) == block.key), None)
        if found is not None and found != self._shown:
            self._shown = found
            self._show_project()

    @on(Page.Chosen, "#projects")
    def _project_chosen(self) -> None:
        self._page.focus()

    @on(Page.Chosen, "#mirror")
    def _chosen(self) -> None:
        self.action_mirror_show()

    # keys
    def action_mirror_next(self) -> None:
        self._turn(1)

    def action_mirror_previous(self) -> None:
        self._turn(-1)

    def _turn(self, way: int) -> None:
        self._shown = (self._shown + way) % len(self._projects)
        self._page.action_first()
        self._show_project()

    def action_mirror_disputed(self) -> None:
        self._disputed_only = not self._disputed_only
        self._show_project()

    def action_mirror_show(self) -> None:
        if self._here is not None and self._here.disputes:
            self.workspace.navigator.show_conflict(self._here.disputes[0].conflict)

    def action_mirror_edit(self) -> None:
        if self._here is not None:
            path, line = self._here.sources[0]
            trouble = open_note(self.app, self.workspace.session.vault / path, line, self.workspace.editor)
            if trouble:
                self.warn(trouble)

    def action_mirror_export(self) -> None:
        vault = self.workspace.session.vault

        def job(store: Store) -> PagesWritten:
            from app.mirror.write import CannotMirror
            from app.services.mirror_pages import default_folder, write_mirror

            folder = default_folder(vault)
            try:
                done = write_mirror(store, vault, folder)
            except (CannotMirror, OSError) as error:
                return PagesWritten("", str(error))
            return PagesWritten(f"{plural(len(done.written) + len(done.unchanged), 'page')} in {folder}")

        self.workspace.session.story.ask(self, job, name="pages")

    @on(PagesWritten)
    def _written(self, message: PagesWritten) -> None:
        if message.trouble:
            self.warn(message.trouble)
        else:
            self.notify(shown(message.said), timeout=8, markup=False)


def _read(store: Store) -> MirrorRead:
    contested = [*store.conflicts.open(), *store.conflicts.with_status("snoozed")]
    return MirrorRead(projects(store.claims.active(), contested))


def _key(project: Project) -> str:
    return project.name if project.name is not None else "\0none"


def _project_block(project: Project) -> Block:
    lines = [line for subject in project.subjects for line in subject.lines]
    disputed = sum(bool(line.disputes) for line in lines)
    counted = plural(len(lines), "line")
    more = (
        Line(f"⚠ {disputed:,} disputed", "warning", head=f"{counted}  ")
        if disputed
        else Line(counted, "muted")
    )
    return Block((Line(project.name or _NO_PROJECT, "strong"), more), key=_key(project))


def _line_block(line: Said, key: str) -> Block:
    until = f" until {line.until}" if line.until else ""
    lines = [Line(line.text + until, "text", head="  ", aside=line.date or "")]
    lines += [Line(dispute.title, "warning", head="  ⚠ ", head_look="warning") for dispute in line.disputes]
    places = [f"{path}:{number}" for path, number in line.sources[:_SOURCES]]
    more = len(line.sources) - len(places)
    places += [f"and {more} more"] if more else []
    lines.append(Line("  ".join(places), "muted", head="  "))
    return Block(tuple(lines), key=key)
