"""Walking a vault: which files are notes, what is left out and why, what could not be looked at."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from fnmatch import translate
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from app.vault.noise import (
    HIDDEN_FILE,
    NOT_UTF8,
    PLACEHOLDER,
    concerns_notes,
    ignored_file,
    ignored_folder,
    is_note_name,
    is_utf8,
)
from app.vault.settings import VaultSettings

TOO_LARGE = "larger than the size limit"
LINK_OUT = "link out of the vault"
LINK_LOOP = "link that leads back to itself"
LINK_TO_FOLDER = "link to a folder inside the vault, which is read anyway"
LINK_TO_NOTE = "link to a note that is read anyway"
LINK_TO_OTHER = "link to a file that is not a note"
BROKEN_LINK = "link to nothing"
SPECIAL = "not a regular file"
LEFT_OUT = "left out by your settings"

_KIND = stat.S_IFMT(0o777777)
"""The bits of a mode that say what kind of file it is."""


class VaultError(Exception):
    """The vault as a whole cannot be read; the message is for the person."""


# Tuples rather than dataclasses: a walk makes one per note, and these cost a third as much to make.
class Seen(NamedTuple):
    """A note as the file system describes it."""

    path: str
    size: int
    mtime_ns: int
    inode: int


class Ignored(NamedTuple):
    path: str
    reason: str


class Unreadable(NamedTuple):
    """A file or folder that is there but cannot be looked at; the empty path is the vault itself."""

    path: str
    reason: str


class Walk(NamedTuple):
    """What a walk found, each part sorted by path."""

    seen: tuple[Seen, ...]
    ignored: tuple[Ignored, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    bare: bool = False
    """The vault's folder has no entries at all, as a mount point has when nothing is mounted."""


def walk(root: Path, settings: VaultSettings) -> Walk:
    """Everything in the vault that is or could be a note; raises VaultError when there is no vault."""
    _check_root(root)
    found = _Finds(os.path.realpath(root), settings)
    folders = [""]
    while folders:
        _list_folder(folders.pop(), found, folders)
    unreadable = dict(found.placeholders)
    # An evicted note that came back is read as usual, even while its placeholder is still there.
    if unreadable:
        for note in found.seen:
            unreadable.pop(note.path, None)
    unreadable.update(found.unreadable)
    return Walk(
        tuple(sorted(found.seen, key=itemgetter(0))),
        tuple(sorted(found.ignored)),
        tuple(Unreadable(path, reason) for path, reason in sorted(unreadable.items())),
        found.bare,
    )


def walk_if_there(root: Path, settings: VaultSettings) -> Walk:
    """As `walk`, but a missing vault is no error: all of it is unreadable, none of it deleted."""
    try:
        return walk(root, settings)
    except VaultError as error:
        return Walk((), (), (Unreadable("", str(error)),))


class _Finds:
    """What the walk has gathered so far."""

    def __init__(self, base: str, settings: VaultSettings) -> None:
        self.base = base
        self.max_bytes = settings.max_bytes
        self.leaves_out = _matcher(settings.ignore)
        self.seen: list[Seen] = []
        self.ignored: list[Ignored] = []
        self.unreadable: dict[str, str] = {}
        self.placeholders: dict[str, str] = {}
        self.bare = True


def _matcher(patterns: tuple[str, ...]) -> Callable[[str], object] | None:
    """A test for paths the person wants left out; None when there is nothing to test for."""
    if not patterns:
        return None
    return re.compile("|".join(translate(pattern.rstrip("/")) for pattern in patterns)).match


def _check_root(root: Path) -> None:
    try:
        if not stat.S_ISDIR(root.stat().st_mode):
            raise VaultError(f"{_printable(str(root))} is a file; a vault is a folder of notes")
        with os.scandir(root):
            pass
    except FileNotFoundError:
        raise VaultError(f"{_printable(str(root))} does not exist") from None
    except (OSError, ValueError) as error:
        raise VaultError(f"{_printable(str(root))} cannot be read: {_why(error)}") from error


def _list_folder(rel: str, found: _Finds, folders: list[str]) -> None:
    """Sort one folder's entries into the finds; folders to be walked go on the list.

    This loop is the whole cost of a start with nothing changed, so what is plainly a note passes through it
    without a call of ours.
    """
    prefix = rel + "/" if rel else ""
    note_seen, max_bytes, leaves_out = found.seen.append, found.max_bytes, found.leaves_out
    kind_of, regular = _KIND, stat.S_IFREG
    entry = None
    try:
        with os.scandir(found.base + "/" + rel if rel else found.base) as entries:
            for entry in entries:
                name = entry.name
                if leaves_out and leaves_out(prefix + name):
                    found.ignored.append(Ignored(_printable(prefix + name), LEFT_OUT))
                    continue
                plain = name.endswith(".md") and name[0] not in ".#" and "nflict" not in name
                if not (
                    (plain and name.isascii() and not entry.is_symlink())
                    or _may_be_note(entry, prefix + name, found, folders)
                ):
                    continue
                try:
                    state = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    found.unreadable[prefix + name] = _why(error)
                    continue
                kind = state.st_mode & kind_of
                if kind == regular and state.st_size <= max_bytes:
                    note_seen(Seen(prefix + name, state.st_size, state.st_mtime_ns, state.st_ino))
                elif kind == stat.S_IFDIR:
                    folders.append(prefix + name)
                else:
                    found.ignored.append(Ignored(prefix + name, TOO_LARGE if kind == regular else SPECIAL))
    except (FileNotFoundError, NotADirectoryError):
        # Went away between being listed and being opened: deleted, unless it is the vault itself.
        if not rel:
            found.unreadable[""] = "the vault went away while it was being walked"
    except OSError as error:
        found.unreadable[rel] = _why(error)
    if entry is not None:
        found.bare = False


def _may_be_note(entry: os.DirEntry[str], path: str, found: _Finds, folders: list[str]) -> bool:
    """Place an entry that is not plainly a note; True when it is to be looked at as one after all."""
    name = entry.name
    if entry.is_symlink():
        _look_at_link(path, name, found)
        return False
    is_folder = entry.is_dir(follow_symlinks=False)
    reason = ignored_folder(path) if is_folder else ignored_file(name)
    if reason is None and not is_utf8(name) and (is_folder or is_note_name(name)):
        reason = NOT_UTF8
    if reason is not None:
        found.ignored.append(Ignored(_printable(path), reason))
        if reason == PLACEHOLDER:
            note = name[1 : -len(".icloud")]
            if is_note_name(note):
                found.placeholders[path[: -len(name)] + note] = PLACEHOLDER
    elif is_folder:
        folders.append(path)
    return reason is None and not is_folder and is_note_name(name)


def _look_at_link(path: str, name: str, found: _Finds) -> None:
    """Links are never followed; say so where one stands in for a note or a folder."""
    if name[0] == ".":
        # Emacs' lock files are links to nothing; other hidden links are as uninteresting as hidden files.
        found.ignored.append(Ignored(_printable(path), ignored_file(name) or HIDDEN_FILE))
        return
    full = found.base + "/" + path
    to_folder, reason = False, None
    try:
        to_folder = stat.S_ISDIR(Path(full).stat().st_mode)
    except FileNotFoundError:
        reason = BROKEN_LINK
    except OSError as error:
        # Any other failure lies beyond the link, and says nothing about where the link leads.
        reason = LINK_LOOP if error.errno == errno.ELOOP else None
    if is_note_name(name) or to_folder or reason == LINK_LOOP:
        found.ignored.append(
            Ignored(_printable(path), reason or _where_link_leads(found.base, full, to_folder))
        )


def _where_link_leads(base: str, full: str, to_folder: bool) -> str:
    target = os.path.realpath(full)
    if target != base and not target.startswith(base + "/"):
        return LINK_OUT
    if to_folder:
        here = full.rpartition("/")[0]
        return LINK_LOOP if here == target or here.startswith(target + "/") else LINK_TO_FOLDER
    return LINK_TO_NOTE if concerns_notes(target[len(base) + 1 :], False) else LINK_TO_OTHER


def _printable(path: str) -> str:
    """The path with bytes that are no UTF-8 written out, so that it can be shown."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error)
