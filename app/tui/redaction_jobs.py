"""Redaction, as jobs for the store thread `decisions`: first what would go, then the redaction itself."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.message import Message

from app.tui.store_thread import Job
from app.tui.wording import plural

if TYPE_CHECKING:
    from app.store.store import Store
    from app.words import Claim


@dataclass
class RedactionRead(Message, bubble=False):
    """The claims that would be redacted with this one; none if its words are gone already."""

    claims: tuple[Claim, ...]


@dataclass
class RedactionDone(Message, bubble=False):
    """The outcome of a redaction."""

    said: str
    trouble: str = ""


def consider(claim: str) -> Job:
    return lambda store: RedactionRead(tuple(store.claims.redactable(claim)))


def redact(vault: Path, overrides: Mapping[str, Any], claim: str, reason: str) -> Job:
    """Remove the words from forks, backups and store; write the mirror's pages again without them."""

    def job(store: Store) -> RedactionDone:
        from app.mirror.write import CannotMirror, drop_pages
        from app.services.mirror_pages import default_folder, write_mirror
        from app.services.redaction import forget
        from app.store.errors import StoreError
        from app.vault.settings import vault_settings
        from app.writeback.edits import CannotWrite
        from app.writeback.redaction import still_standing

        claims = store.claims.redactable(claim)
        folder = default_folder(vault)
        mirrored = drop_pages(folder)
        try:
            forget(store, claims, claim, reason)
        except (StoreError, CannotWrite, OSError) as error:
            return RedactionDone("", str(error))
        finally:
            if mirrored:
                with suppress(CannotMirror, OSError):  # pages that cannot be written stay away
                    write_mirror(store, vault, folder)
        paths = {one.statement.path for one in claims}
        standing = still_standing(vault, store, paths, vault_settings(vault, **overrides))
        said = f"{plural(len(claims), 'statement')} redacted; this cannot be undone."
        return RedactionDone(f"{said} It still stands in {', '.join(standing)}." if standing else said)

    return job
