"""Capture as jobs for a thread of its own: weighing what is being typed, and storing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.message import Message

from app.capture.outcomes import CaptureError, Outcome, Wanted
from app.tui.store_thread import Job

if TYPE_CHECKING:
    from app.capture.draft import Draft
    from app.store.store import Store
    from app.vault.settings import VaultSettings


@dataclass
class Weighed(Message, bubble=False):
    """What would become of the words; None and `trouble` where they cannot be taken."""

    wanted: Wanted
    outcome: Outcome | None
    trouble: str = ""


@dataclass
class Captured(Message, bubble=False):
    """What became of them."""

    wanted: Wanted
    outcome: Outcome | None
    trouble: str = ""


class Desk:
    """Where statements of one vault are written; keeps the index of what is held between wordings."""

    def __init__(
        self, vault: Path, overrides: Mapping[str, Any], inbox: str, today: str, models: Mapping[str, Any]
    ) -> None:
        self.inbox = inbox
        self._models = models
        self._vault, self._overrides, self._today = vault, overrides, today
        self._draft: Draft | None = None

    def weigh(self, wanted: Wanted) -> Job:
        def job(store: Store) -> Weighed:
            try:
                return Weighed(wanted, self._drafted(store).outcome(wanted))
            except CaptureError as error:
                return Weighed(wanted, None, str(error))

        return job

    def store(self, wanted: Wanted) -> Job:
        def job(store: Store) -> Captured:
            from app.capture.capture import capture
            from app.pipeline.index_vault import Pipeline
            from app.pipeline.remembered_opinions import recalled
            from app.store.errors import StoreError
            from app.vault.walk import VaultError

            said = recalled(self._models, store)
            pipeline = Pipeline(self._vault, store, self._settings(), models=said, reads_on=False)
            try:
                return Captured(wanted, capture(wanted, pipeline, self.inbox, self._today))
            except (CaptureError, StoreError, VaultError) as error:
                return Captured(wanted, None, str(error))

        return job

    def _drafted(self, store: Store) -> Draft:
        if self._draft is None:
            from app.capture.draft import Draft

            self._draft = Draft(store, self._vault, self._settings(), self.inbox, self._today)
        return self._draft

    def _settings(self) -> VaultSettings:
        from app.vault.settings import vault_settings

        return vault_settings(self._vault, **self._overrides)
