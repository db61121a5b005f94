"""Names that are not a note's: hidden, temporary, backup and swap files, sync-conflict copies."""

from __future__ import annotations

import re

NOTE_ENDINGS = (".md", ".markdown")
NOT_UTF8 = "name is not valid UTF-8"
HIDDEN_FILE = "hidden file"
HIDDEN_FOLDER = "hidden folder"
CONFLICT_COPY = "sync-conflict copy"
PLACEHOLDER = "iCloud placeholder: the note is not on this machine"
PROGRAM_FOLDER = "packages of a program"
LOGSEQ_BACKUP = "Logseq's own backups"
SYNC_TEMP = "temporary file of a sync tool"
EDITOR_TEMP = "temporary file of an editor"
EDITOR_SWAP = "swap file of an editor"
EDITOR_BACKUP = "backup file of an editor"
EDITOR_LOCK = "lock file of an editor"

# Names that begin with a dot, most telling first; whatever is left is simply hidden.
_HIDDEN_NAMES = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), reason)
    for pattern, reason in (
        (r"\.syncthing\..*\.tmp\Z", SYNC_TEMP),
        (r"\.dropbox", SYNC_TEMP),
        (r"\..+\.icloud\Z", PLACEHOLDER),
        (r"\.#", EDITOR_LOCK),
        (r"\..*\.sw[a-px]\Z", EDITOR_SWAP),
        (r"\.goutputstream-", EDITOR_TEMP),
        (r"\..+\.(?:md|markdown)\.[a-z0-9]{6}\Z", SYNC_TEMP),  # rsync
        (r"\..+\.tmp\Z", EDITOR_TEMP),
    )
)
_TEMP_NAME = re.compile(r"4913\Z|.*\.tmp\Z|.*\.(?:md|markdown)\.(?:tmp\.|sb-).*\Z", re.IGNORECASE | re.DOTALL)
_CONFLICT_NAME = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}"  # Syncthing
    r"|\((?:[^()]* )?conflicted copy\b[^()]*\)"  # Dropbox, Nextcloud, Obsidian Sync
    r"|\(case conflict\b[^()]*\)"
    r"|\(SFConflict [^()]*\)"  # Seafile
    r"|_conflict-\d{8}-\d{6}",  # ownCloud
    re.IGNORECASE,
)


def ignored_file(name: str) -> str | None:
    """Why a file of this name is left out, else None; says nothing about whether it is a note."""
    if name[0] == ".":
        return next((reason for pattern, reason in _HIDDEN_NAMES if pattern.match(name)), HIDDEN_FILE)
    if name[-1] == "~":
        return EDITOR_BACKUP
    if name[0] == "#" and name[-1] == "#" and len(name) > 1:
        return EDITOR_BACKUP
    if is_note_name(name):
        if "onflict" in name or "ONFLICT" in name:
            return CONFLICT_COPY if _CONFLICT_NAME.search(name) else None
        return None
    return EDITOR_TEMP if _TEMP_NAME.match(name) else None


def ignored_folder(rel: str) -> str | None:
    """Why the folder at this path is left out, judging by its last part."""
    parent, _, name = rel.rpartition("/")
    if name[0] == ".":
        return HIDDEN_FOLDER
    if name == "node_modules":
        return PROGRAM_FOLDER
    if name == "bak" and parent.rpartition("/")[2] == "logseq":
        return LOGSEQ_BACKUP
    return None


def is_note_name(name: str) -> bool:
    return name.endswith(".md") or name.lower().endswith(NOTE_ENDINGS)


def concerns_notes(rel: str, is_folder: bool) -> bool:
    """Whether something happening at this path can matter: a note's path, or a folder that is walked."""
    if not rel:
        return True
    if not is_utf8(rel):
        return False
    parts = rel.split("/")
    for end in range(1, len(parts) + is_folder):
        if ignored_folder("/".join(parts[:end])):
            return False
    return is_folder or (is_note_name(parts[-1]) and ignored_file(parts[-1]) is None)


def is_utf8(name: str) -> bool:
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
