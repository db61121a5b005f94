"""Writing a decision into the notes: the diff first, in the style that is chosen; nothing without a yes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from app.plain import shown
from app.tui import writeback_jobs
from app.tui.answers import core
from app.tui.messages import ProposalRead, Written
from app.tui.reading import DetailView, MemberView
from app.tui.widgets.choice import Choice
from app.tui.widgets.words import Words
from app.writeback.diff import diff
from app.writeback.edits import STYLES, Style

if TYPE_CHECKING:
    from app.tui.app import Workspace
    from app.writeback.conflict_edits import Proposal

_MEANING: dict[Style, str] = {
    "annotate": "marks the losing statement, with a link to what holds",
    "strike": "strikes the losing statement through",
    "replace": "puts the winner's value in the place of the losing one",
    "frontmatter": "says in the losing note's properties what replaces it",
}
_COLOURS = {"+": "$success", "-": "$error", "@": "$muted"}


class WriteBack(ModalScreen["Written | None"]):
    """Answers with what was written; None: the notes are as they were."""

    BINDINGS = [  # noqa: RUF012
        Binding("escape,q", "dismiss(None)", "leave the notes alone"),
        Binding("enter,y", "write", "write"),
        Binding("right,l,tab", "style(1)", show=False),
        Binding("left,h,shift+tab", "style(-1)", show=False),
        Binding("j,down", "scroll('down')", show=False),
        Binding("k,up", "scroll('up')", show=False),
        Binding("pagedown,space", "scroll('page_down')", show=False),
        Binding("pageup", "scroll('page_up')", show=False),
        *(Binding(str(number), f"keep({number})", show=False) for number in range(1, 10)),
    ]

    def __init__(self, workspace: Workspace, view: DetailView, winner: str, why: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._view = view
        self._winner = winner
        self._why = why
        self._style: Style = "strike"
        self._proposal: Proposal | None = None
        self._writing = False

    def compose(self) -> ComposeResult:
        with Vertical(id="write-back") as box:
            box.border_title = Content("Write it into the notes")
            box.border_subtitle = Content("Enter writes, ← → style, Esc leaves them alone")
            yield Words(id="write-winner")
            yield Choice(STYLES, id="write-styles")
            yield Words(id="write-meaning")
            with VerticalScroll(id="write-scroll", can_focus=False):
                yield Words(id="write-diff")

    def on_mount(self) -> None:
        self._propose()

    def _propose(self) -> None:
        self._proposal = None
        self.query_one("#write-styles", Choice).choose(self._style)
        self.query_one("#write-meaning", Words).put(Content.styled(_MEANING[self._style], "$muted"))
        self.query_one("#write-winner", Words).put(self._winner_words())
        job = writeback_jobs.propose(
            self._workspace.session.vault,
            self._workspace.session.overrides,
            self._view.conflict.id,
            self._winner,
            self._style,
        )
        self._workspace.session.decisions.ask(self, job, name="proposal")

    @property
    def _member(self) -> MemberView | None:
        return next((one for one in self._view.members if one.claim.id == self._winner), None)

    def _winner_words(self) -> Content:
        member = self._member
        if member is None:
            return Content("")
        verb = "keeps" if self._view.conflict.status == "open" else "kept"
        others = "" if self._view.conflict.status != "open" else "   a number keeps another"
        return Content.assemble(
            (f" {member.number} ", "bold reverse"), f" {verb} {core(member)}",
            (f"  {shown(member.claim.note)}{others}", "$muted"),
        )  # fmt: skip

    @on(ProposalRead)
    def _proposal_read(self, message: ProposalRead) -> None:
        if (message.winner, message.style) == (self._winner, self._style):
            self._proposal = message.proposal
            told = _diff(message.proposal) if message.proposal else Content.styled(
                shown(message.trouble), "$warning"
            )  # fmt: skip
            self.query_one("#write-diff", Words).put(told)

    # keys
    def action_style(self, way: int) -> None:
        self._style = STYLES[(STYLES.index(self._style) + way) % len(STYLES)]
        self._propose()

    @on(Choice.Picked, "#write-styles")
    def _style_picked(self, message: Choice.Picked) -> None:
        self._style = cast("Style", message.name)
        self._propose()

    def action_keep(self, number: int) -> None:
        """Another winner, as long as none is decided on."""
        if self._view.conflict.status == "open" and number <= len(self._view.members):
            self._winner = self._view.members[number - 1].claim.id
            self._propose()

    def action_scroll(self, way: str) -> None:
        getattr(self.query_one("#write-scroll", VerticalScroll), f"scroll_{way}")(animate=False)

    def action_write(self) -> None:
        if self._proposal is not None and self._proposal.edits and not self._writing:
            self._writing = True
            job = writeback_jobs.write(
                self._workspace.session.vault, self._workspace.backups, self._proposal, self._why
            )
            self._workspace.session.decisions.ask(self, job)

    @on(Written)
    def _written(self, message: Written) -> None:
        self.dismiss(message)


def _diff(wanted: Proposal) -> Content:
    """Every edit as a diff, and what is left alone; text from notes, shown and not parsed."""
    lines: list[Content] = []
    for edit in wanted.edits:
        for line in diff(edit).removesuffix("\n").split("\n"):
            head = line[:3] in ("---", "+++")
            colour = "bold" if head else _COLOURS.get(line[:1], "")
            lines.append(Content.styled(shown(line.removesuffix("\r")), colour))
        lines.append(Content(""))
    for claim, why in wanted.refused:
        place = shown(f"{claim.statement.path}:{claim.statement.line}")
        lines.append(Content.styled(f"{place} is left alone. {shown(why)}", "$warning"))
    return Content("\n").join(lines)
