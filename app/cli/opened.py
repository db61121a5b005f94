"""A vault opened for a command: its store, brought up to date with its notes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app import places, settings
from app.capture.outcomes import CaptureError
from app.cli.errors import CommandError
from app.cli.progress import clear_progress, show_progress
from app.forks.files import open_fork
from app.models.host import ModelHost
from app.models.requests import Failed
from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.pipeline.messages import held_back_words
from app.pipeline.remembered_opinions import recalled
from app.pipeline.run import Run
from app.pipeline.stage_list import Models
from app.plain import shown
from app.services.vaults import open_store, store_place, vault_folder
from app.store.errors import DiskFull, StoreError
from app.store.store import Store
from app.strategies.settle import Done, Where, settle
from app.vault.settings import vault_settings
from app.vault.walk import VaultError
from app.words import Conflict


@dataclass(frozen=True, slots=True)
class Opened:
    root: Path
    store: Store
    pipeline: Pipeline
    config: settings.Settings
    fork: str | None = None
    """The store is a fork's: no note is read into it, and none is written because of it."""


DEFAULT_VAULT = "the known vault that the current folder is or lies in, else the last one opened"


def add_vault(parser: argparse.ArgumentParser, *, json: bool = True, inner: bool = False) -> None:
    """The options every command has; `inner` for a command's command, which must not undo the outer one's."""
    default = argparse.SUPPRESS if inner else None
    parser.add_argument(
        "--vault", metavar="V", default=default, help=f"the folder of notes (default: {DEFAULT_VAULT})"
    )
    if json:
        parser.add_argument(
            "--json",
            action="store_true",
            default=argparse.SUPPRESS if inner else False,
            help="print one JSON object",
        )


def add_vault_argument(parser: argparse.ArgumentParser) -> None:
    """The same for a command that takes the folder itself."""
    parser.add_argument(
        "folder", nargs="?", metavar="VAULT", help=f"the folder of notes (default: {DEFAULT_VAULT})"
    )
    parser.add_argument("--vault", metavar="V", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


@contextmanager
def opened(
    named: str | None,
    *,
    look: bool = True,
    fork: str | None = None,
    host: ModelHost | None = None,
    recall: bool = True,
) -> Iterator[Opened]:
    """The vault's own store, or a fork's, open while the block runs; with `look` the notes are read first,
    by the rules and the models of `host`. Without a host no model is asked, but with `recall` what they said
    before still counts.

    Whatever goes wrong with vault, store or inbox ends the command with a sentence.
    """
    root = vault_folder(named)
    config = settings.load()
    with open_store(root) if fork is None else _fork(root, fork) as store:
        try:
            own = vault_settings(root, **config.overrides(root))
            readers = recalled(config.models, store) if recall and host is None else Models.of(host, store)
            around = Around(on_progress=show_progress)
            pipeline = Pipeline(root, store, own, around=around, models=readers, reads_on=host is not None)
            vault = Opened(root, store, pipeline, config, fork)
            if look:
                read(vault)
            yield vault
        except (StoreError, VaultError, CaptureError) as error:
            raise CommandError(str(error)) from error
        finally:
            clear_progress()


def _fork(root: Path, name: str) -> Store:
    try:
        return open_fork(store_place(root), name)
    except StoreError as error:
        raise CommandError(str(error)) from error


def add_fork(parser: argparse.ArgumentParser, *, inner: bool = False) -> None:
    """The option of commands that can look at a fork, or decide in it."""
    default = argparse.SUPPRESS if inner else None
    parser.add_argument("--fork", metavar="NAME", default=default, help="in this fork, not in the present")


def read(vault: Opened) -> Run | None:
    """Bring the store up to date; one that cannot be written shows what was last read, and None is
    returned."""
    if vault.fork is not None:
        return None
    if vault.store.read_only:
        print("belie: the store cannot be written, so this is what was last read.", file=sys.stderr)
        return None
    try:
        done = vault.pipeline.run()
    except DiskFull:
        clear_progress()
        print("belie: the disk is full, so this is what was last read.", file=sys.stderr)
        return None
    clear_progress()
    warn_held_back(done)
    warn_canon(done.canon)
    warn_settled(settle(vault.store, vault.config.rules(vault.root), Where(vault.root, places.config_dir())))
    return done


def warn_canon(disputed: Iterable[Conflict]) -> None:
    """That a canon note was written where there is a dispute, as the workspace says it, on stderr."""
    for conflict in disputed:
        told = f"you wrote to a canon note whose claim is disputed: {shown(conflict.question)}"
        print(f"belie: {told} ({conflict.id})", file=sys.stderr)


def warn_held_back(done: Run) -> None:
    """That most of the vault is gone, on stderr: only the person knows whether that is meant."""
    if done.held_back:
        clear_progress()
        print(f"belie: {held_back_words(done)}", file=sys.stderr)


def warn_unjudged(failed: Failed | None) -> None:
    """That the judge could not be asked about what just became active, on stderr."""
    if failed is not None:
        print(
            f"belie: near pairs were not judged, the rules read alone: {shown(failed.reason)}.",
            file=sys.stderr,
        )


def warn_settled(done: Done) -> None:
    """What strategies did while a command was doing something else, on stderr."""
    for id, event in done.applied.items():
        print(f"belie: {id} was settled by a strategy; belie undo {event} takes it back.", file=sys.stderr)
    for why in sorted(set(done.failed.values())):
        print(f"belie: a strategy left the choice to you: {shown(why)}.", file=sys.stderr)
