"""Writing a decision into the notes, as jobs for the store thread `decisions`: first the proposal, then the
edits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.store.errors import StoreError
from app.tui.decision_jobs import Step
from app.tui.messages import ProposalRead, Written
from app.tui.store_thread import Job

if TYPE_CHECKING:
    from app.store.store import Store
    from app.writeback.conflict_edits import Proposal
    from app.writeback.edits import Style


def propose(
    vault: Path, overrides: Mapping[str, Any], conflict_id: str, winner: str, style: Style
) -> Job:  # fmt: skip
    """What would change if this member were kept; reads the notes and writes nothing."""

    def job(store: Store) -> ProposalRead:
        from app.vault.settings import vault_settings
        from app.writeback.conflict_edits import proposal
        from app.writeback.edits import CannotWrite

        try:
            settings = vault_settings(vault, **overrides)
            found = proposal(store, vault, conflict_id, style, settings, winner=winner)
        except (CannotWrite, StoreError, OSError) as error:
            return ProposalRead(winner, style, None, str(error))
        return ProposalRead(winner, style, found)

    return job


def write(vault: Path, backups: Path, wanted: Proposal, why: str) -> Job:
    """Keep the winner if that is not decided yet, then make the edits that were proposed."""

    def job(store: Store) -> Written:
        from app.writeback.conflict_edits import write as write_notes
        from app.writeback.edits import CannotWrite

        steps: list[Step] = []
        try:
            if wanted.conflict.status == "open":
                steps.append(
                    Step("decision", store.conflicts.keep(wanted.conflict.id, wanted.winner.id, why))
                )
            steps += [Step("written", seq) for seq, _ in write_notes(store, vault, wanted, backups)]
        except (CannotWrite, StoreError, OSError) as error:
            return Written("Kept." if steps else "", tuple(steps), trouble=f"Not written: {error}")
        paths = ", ".join(edit.path for edit in wanted.edits)
        return Written(f"Written into {paths}.", tuple(steps))

    return job
