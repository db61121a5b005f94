"""The ways in which programs save a note, step by step as the file system sees them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

Save = Callable[[Path, str], None]


def vim_renaming(note: Path, text: str) -> None:
    """Vim as it comes: probes the folder, moves the original aside, writes a new file, drops the old."""
    probe = note.with_name("4913")
    probe.write_text("")
    probe.unlink()
    backup = note.with_name(note.name + "~")
    note.rename(backup)
    _write_and_sync(note, text)
    backup.unlink()


def vim_copying(note: Path, text: str) -> None:
    """Vim with backupcopy=yes: copies the original aside, then writes over it in place."""
    swap = note.with_name(f".{note.name}.swp")
    swap.write_text("b0VIM")
    backup = note.with_name(note.name + "~")
    shutil.copy2(note, backup)
    _write_and_sync(note, text)
    backup.unlink()
    swap.unlink()


def real_vim(note: Path, text: str, backupcopy: str) -> None:
    """Vim itself, without a screen or anyone's configuration."""
    fresh = note.with_name("fresh.txt")
    fresh.write_text(text)
    subprocess.run(
        [
            *("vim", "-N", "-u", "NONE", "-i", "NONE", "-es"),
            *("-c", f"set noundofile writebackup backupcopy={backupcopy}"),
            *("-c", "silent %d_", "-c", "silent 0r fresh.txt", "-c", "w!", "-c", "qa!"),
            note.name,
        ],
        cwd=note.parent,
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=60,
    )
    fresh.unlink()


def in_place(note: Path, text: str) -> None:
    """VS Code and Obsidian: cut the file to nothing and write it again."""
    with note.open("r+", encoding="utf-8") as file:
        file.truncate(0)
        file.flush()
        file.write(text)


def in_pieces(note: Path, text: str) -> None:
    """A slow writer: every line is a write of its own."""
    with note.open("w", encoding="utf-8") as file:
        for line in text.splitlines(keepends=True):
            file.write(line)
            file.flush()


def atomic(note: Path, text: str) -> None:
    """A temporary file beside the note takes its place."""
    fresh = note.with_name(f"{note.name}.tmp.4711")
    _write_and_sync(fresh, text)
    os.replace(fresh, note)  # noqa: PTH105


def gedit(note: Path, text: str) -> None:
    fresh = note.with_name(".goutputstream-AB12CD")
    _write_and_sync(fresh, text)
    note.rename(note.with_name(note.name + "~"))
    fresh.rename(note)
    note.with_name(note.name + "~").unlink()


def emacs(note: Path, text: str) -> None:
    """A lock that is a link to nothing, an autosave file, a backup by renaming."""
    lock = note.with_name(f".#{note.name}")
    lock.symlink_to("someone@somewhere.4711:1700000000")
    autosave = note.with_name(f"#{note.name}#")
    autosave.write_text(text)
    note.rename(note.with_name(note.name + "~"))
    _write_and_sync(note, text)
    autosave.unlink()
    lock.unlink()
    note.with_name(note.name + "~").unlink()


def syncthing(note: Path, text: str) -> None:
    fresh = note.with_name(f".syncthing.{note.name}.tmp")
    fresh.write_text(text)
    os.utime(fresh, (1_700_000_000, 1_700_000_000))
    fresh.replace(note)


def dropbox(note: Path, text: str) -> None:
    """Written in a cache folder of the vault, then moved over the note."""
    cache = note.parent / ".dropbox.cache"
    cache.mkdir(exist_ok=True)
    (cache / "incoming").write_text(text)
    (cache / "incoming").replace(note)


def rsync(note: Path, text: str) -> None:
    """The program itself where it is installed, else what it does: a hidden name with six random letters."""
    if shutil.which("rsync"):
        source = note.parent.parent / "rsync-source"
        source.mkdir(exist_ok=True)
        (source / note.name).write_text(text)
        subprocess.run(["rsync", "-I", "--times", str(source / note.name), str(note)], check=True, timeout=60)
        return
    fresh = note.with_name(f".{note.name}.Xy12Zw")
    fresh.write_text(text)
    fresh.replace(note)


def sed(note: Path, text: str) -> None:
    """`sed -i` itself, putting the text in place of everything."""
    script = note.parent.parent / "script.sed"
    script.write_text("1{r fresh.txt\nd}\n1!d\n")
    (script.parent / "fresh.txt").write_text(text)
    subprocess.run(["sed", "-i", "-f", script.name, str(note)], cwd=script.parent, check=True, timeout=60)


def shell_append(note: Path, text: str) -> None:
    """`>>` in a shell; the text given is what stands there afterwards."""
    more = text.removeprefix(note.read_text())
    with note.open("a", encoding="utf-8") as file:
        file.write(more)


def delete_and_recreate(note: Path, text: str) -> None:
    note.unlink()
    note.write_text(text)


WAYS: dict[str, Save] = {
    "vim": vim_renaming,
    "vim, backupcopy=yes": vim_copying,
    "VS Code, Obsidian": in_place,
    "in pieces": in_pieces,
    "atomic": atomic,
    "gedit": gedit,
    "emacs": emacs,
    "Syncthing": syncthing,
    "Dropbox": dropbox,
    "rsync": rsync,
    "sed -i": sed,
    "append": shell_append,
    "delete and recreate": delete_and_recreate,
}


def git(folder: Path, *words: str) -> None:
    """Run git in the folder with nobody's configuration."""
    plain = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "PATH": os.environ["PATH"]}
    names = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(
        ["git", *names, *words], cwd=folder, env=plain, check=True, capture_output=True, timeout=60
    )


def _write_and_sync(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
