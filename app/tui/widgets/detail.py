"""The selected conflict, whole: its question, its members, and why it is shown."""

from __future__ import annotations

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content

from app.plain import shown
from app.tui.cells import fit
from app.tui.commands import bindings
from app.tui.reading import DetailView
from app.tui.widgets.member import MemberCard
from app.tui.widgets.words import Words
from app.tui.wording import KIND_GLYPH, KIND_MEANING, stage_words, sure_words


class Detail(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Shows one conflict; the cards are kept and refilled, so going down the queue makes no new widgets."""

    BINDINGS = bindings("detail")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.view: DetailView | None = None
        self.marked = 1
        self._cards: list[MemberCard] = []

    def compose(self) -> ComposeResult:
        yield Words(id="question")
        yield Words(id="kind")
        yield Container(id="members")
        yield Words(id="why")

    def show(self, view: DetailView) -> None:
        """Fill everything in; the marked member stays marked while the conflict is the same."""
        same = self.view is not None and self.view.conflict.id == view.conflict.id
        self.view = view
        conflict = view.conflict
        self.query_one("#question", Words).put(Content(shown(conflict.question)))
        self.query_one("#kind", Words).put(
            Content.assemble(
                (f"{KIND_GLYPH[conflict.kind]} {conflict.kind}", f"${_colour(conflict.kind)}"),
                (f"   {KIND_MEANING[conflict.kind]}", "$muted"),
            )
        )
        self._show_members(view)
        self.mark(self.marked if same else 1)
        self.query_one("#why", Words).put(_why(view))
        if not same:
            self.scroll_home(animate=False)

    def mark(self, number: int) -> None:
        """Mark the member that `e` opens."""
        count = len(self.view.members) if self.view else 0
        self.marked = (number - 1) % count + 1 if count else 1
        for card in self._cards:
            card.set_class(card.number == self.marked, "-marked")

    @property
    def _roomy(self) -> bool:
        """Room for the lines around each member; without it their own words come first."""
        return self.app.size.height >= 28

    def on_resize(self) -> None:
        if self.view is not None:
            self._show_members(self.view)

    def _show_members(self, view: DetailView) -> None:
        box = self.query_one("#members")
        missing = len(view.members) - len(self._cards)
        if missing > 0:
            fresh = [MemberCard() for _ in range(missing)]
            self._cards += fresh
            box.mount_all(fresh)
        for index, card in enumerate(self._cards):
            card.display = index < len(view.members)
            if index < len(view.members):
                member = view.members[index]
                card.show(member, winner=view.conflict.winner == member.claim.id, roomy=self._roomy)
        box.set_class(len(view.members) == 2, "-pair")


def _colour(kind: str) -> str:
    return {"disagreement": "error", "reversal": "secondary", "stale": "warning"}[kind]


def _why(view: DetailView) -> Content:
    """Each stage's reason on a line of its own, columns aligned."""
    reasons = view.conflict.reasons
    if not reasons:
        return Content("")
    width = max(cell_len(shown(stage_words(reason))) for reason in reasons)
    found_by = " and ".join(view.conflict.found_by)
    head = ("Why", "bold $muted"), (f"   found by the {found_by}" if found_by else "", "$muted")
    lines = [Content.assemble(*head)]
    for reason in reasons:
        said = shown(reason.detail) or shown(reason.verdict)
        verdict = f"  {shown(reason.verdict)}" if reason.detail else ""
        lines.append(
            Content.assemble(
                (fit(stage_words(reason), width + 2), "$muted"),
                said,
                (f"{verdict}, {sure_words(reason)}", "$muted"),
            )
        )
    return Content("\n").join(lines)
