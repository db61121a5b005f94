"""The mirror: what is currently true by the notes, project by project or folder by folder, disputed lines
marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget

from app.mirror.chapters import Chapter, Section, chapters
from app.mirror.chapters import Line as Said
from app.mirror.pages import NO_FOLDER
from app.plain import shown
from app.tui.screens.place import Place, place_bindings
from app.tui.widgets.page import BLANK, Block, Line, Page, heading
from app.tui.widgets.pane import Pane
from app.tui.wording import plural

if TYPE_CHECKING:
    from app.store.store import Store

_SOURCES = 4
"""More places than this are counted, not named."""


@dataclass
class MirrorRead(Message, bubble=False):
    chapters: tuple[Chapter, ...]


@dataclass
class PagesWritten(Message, bubble=False):
    said: str
    trouble: str = ""


class Mirror(Place):
    HOLDER = "mirror"
    NAME = "Mirror"
    ABOUT = (
        "What is true today by your notes: without what you retired, struck out or replaced in words. "
        "Grouped by project, else by folder, then by note and heading. ⚠ marks what is disputed."
    )
    BINDINGS = place_bindings("mirror")
    AUTO_FOCUS = "#mirror"

    def __init__(self) -> None:
        super().__init__()
        self._chapters: tuple[Chapter, ...] = ()
        self._shown = 0
        self._disputed_only = False
        self._read_once = False
        self._lines: dict[str, Said] = {}

    def content(self) -> Iterable[Widget]:
        with Horizontal(id="mirror-panes"):
            yield Pane("Contents", content=Page(id="chapters"), id="chapters-pane")
            yield Pane("Mirror", content=Page(id="mirror"), id="mirror-pane")

    def begin(self) -> None:
        if not self._read_once:
            self._pane.say("Reading what your notes say …")
        self.workspace.session.story.ask(self, _read, name="mirror")

    def failed(self, text: str) -> None:
        if not self._chapters:
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
        can = {"disputed", "export"} if self._chapters else set()
        if len(self._chapters) > 1:
            can |= {"next", "previous"}
        if self._here is not None:
            can.add("edit")
            if self._here.disputes:
                can.add("show")
        return frozenset(can)

    @on(MirrorRead)
    def _mirror_read(self, message: MirrorRead) -> None:
        self._chapters, self._read_once = message.chapters, True
        self._shown = min(self._shown, max(0, len(self._chapters) - 1))
        self.query_one("#mirror-panes").set_class(len(self._chapters) < 2, "-single")
        self.query_one("#chapters", Page).show([_chapter_block(one) for one in self._chapters])
        self._show_chapter()

    def _show_chapter(self) -> None:
        self._lines.clear()
        if not self._chapters:
            self._pane.say(
                "Nothing is asserted in these notes yet.", "Plans, questions and logs do not count."
            )
            self._page.show([])
            self.tell_keys()
            return
        chapter = self._chapters[self._shown]
        blocks = self._blocks(chapter.sections)
        self._page.show(blocks)
        nothing = self._disputed_only and not blocks
        self._pane.say(
            "Nothing is disputed here." if nothing else "", "d shows everything." if nothing else ""
        )
        self.query_one("#chapters", Page).show(
            [_chapter_block(one) for one in self._chapters], prefer=_key(chapter)
        )
        self._entitle()
        self.tell_keys()

    def _blocks(self, sections: Sequence[Section]) -> list[Block]:
        blocks: list[Block] = []
        for number, section in enumerate(sections):
            lines = [line for line in section.lines if line.disputes or not self._disputed_only]
            if not lines:
                continue
            blocks += [BLANK] if blocks else []
            blocks.append(heading(" › ".join((section.note, *section.heading))))
            for place, line in enumerate(lines):
                key = f"{number}:{place}"
                self._lines[key] = line
                blocks.append(_line_block(line, key))
        return blocks

    def _entitle(self) -> None:
        chapter = self._chapters[self._shown]
        title = chapter.name or (NO_FOLDER if len(self._chapters) > 1 else "What is true today")
        here = f"{self._here.sources[0][0]}:{self._here.sources[0][1]}" if self._here is not None else ""
        place = f"{self._shown + 1} of {len(self._chapters)}" if len(self._chapters) > 1 else ""
        self._pane.name_as(
            title + (" · disputed only" if self._disputed_only else ""),
            "  ·  ".join(part for part in (here, place) if part),
        )

    @on(Page.Moved, "#mirror")
    def _moved(self) -> None:
        self._entitle()

    @on(Page.Moved, "#chapters")
    def _chapter_moved(self) -> None:
        block = self.query_one("#chapters", Page).here
        found = next((i for i, one in enumerate(self._chapters) if block and _key(one) == block.key), None)
        if found is not None and found != self._shown:
            self._shown = found
            self._show_chapter()

    @on(Page.Chosen, "#chapters")
    def _chapter_chosen(self) -> None:
        self.set_focus(self._page)

    @on(Page.Chosen, "#mirror")
    def _chosen(self) -> None:
        self.action_mirror_show()

    # keys
    def action_mirror_next(self) -> None:
        self._turn(1)

    def action_mirror_previous(self) -> None:
        self._turn(-1)

    def _turn(self, way: int) -> None:
        self._shown = (self._shown + way) % len(self._chapters)
        self._page.action_first()
        self._show_chapter()

    def action_mirror_disputed(self) -> None:
        self._disputed_only = not self._disputed_only
        self._show_chapter()

    def action_mirror_show(self) -> None:
        if self._here is not None and self._here.disputes:
            self.workspace.navigator.show_conflict(self._here.disputes[0].conflict)

    def action_mirror_edit(self) -> None:
        if self._here is not None:
            path, line = self._here.sources[0]
            self.edit(self.workspace.session.vault / path, line)

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
    return MirrorRead(chapters(store.claims.active(), contested))


def _key(chapter: Chapter) -> str:
    return chapter.name if chapter.name is not None else "\0none"


def _chapter_block(chapter: Chapter) -> Block:
    disputed = sum(bool(line.disputes) for line in chapter.lines)
    counted = plural(len(chapter.lines), "line")
    more = (
        Line(f"⚠ {disputed:,} disputed", "warning", head=f"{counted}  ")
        if disputed
        else Line(counted, "muted")
    )
    return Block((Line(chapter.name or NO_FOLDER, "strong"), more), key=_key(chapter))


def _line_block(line: Said, key: str) -> Block:
    until = f" until {line.until}" if line.until else ""
    lines = [Line(line.text + until, "text", head="  ", aside=line.date or "")]
    lines += [Line(dispute.title, "warning", head="  ⚠ ", head_look="warning") for dispute in line.disputes]
    others = line.sources[1:]
    if others:
        places = [f"{path}:{number}" for path, number in others[:_SOURCES]]
        more = len(others) - len(places)
        places += [f"and {more} more"] if more else []
        lines.append(Line("  ".join(places), "muted", head="  also in "))
    return Block(tuple(lines), key=key)
