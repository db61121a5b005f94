"""What can go wrong with the store, as errors whose message can be shown to the person as it is."""

from __future__ import annotations


class StoreError(Exception):
    """Something about the store a person can be told in one line."""


class NotAStore(StoreError):
    """The file is no database, or not one of ours."""


class NewerStore(StoreError):
    """A later version of the program wrote this store."""


class StoreReadOnly(StoreError):
    """The store, or the folder it should be made in, cannot be written."""


class DiskFull(StoreError):
    """There was no room; the transaction was rolled back whole."""


class StoreBusy(StoreError):
    """Another process held the store for longer than the busy timeout."""


class StoreCorrupt(StoreError):
    """SQLite found the file damaged."""


class StoreReplaced(StoreError):
    """The file was deleted, or another put in its place, while it was open."""


class StoreLost(StoreError):
    """The vault was known and decided about, and the store no longer knows it."""


class NotFound(StoreError):
    """No claim, conflict or event has this id."""


class Refused(StoreError):
    """A decision that makes no sense in the present state; nothing was changed."""


class UndoRefused(Refused):
    """Later events depend on what should be undone; nothing was changed."""
