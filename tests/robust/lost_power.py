"""A disk that loses its power: what a program wrote, and what of it may be there afterwards.

The writes come from a trace of the system calls. What was synchronised is there; of what was written since,
any part may be missing, in any order, a sector at a time. A file that was renamed may still have its old name
until its folder was synchronised. Not modelled: new files that vanish whole, and disks that lie.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tests.robust.building import PROJECT

SECTOR = 512
_CALLS = "trace=openat,write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat"
_LINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_HANDLE = re.compile(r"^(\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})*)>")
_NUMBERS = re.compile(r", (\d+)")

Kind = Literal["write", "truncate", "create", "sync", "rename", "remove", "say"]


@dataclass(frozen=True)
class Call:
    """One system call that matters."""

    kind: Kind
    path: str
    data: bytes = b""
    at: int = -1
    """Where it writes or cuts; -1: behind what is there."""
    to: str = ""


def traced(script: str, *arguments: str, log: Path) -> list[Call]:
    """Run a script and tell what it did to files; what it writes to stderr is `say`."""
    command = ["strace", "-f", "-qq", "-y", "-xx", "-s", "10000000", "-e", _CALLS, "-o", str(log)]
    subprocess.run(
        [*command, sys.executable, "-c", script, *arguments], check=True, capture_output=True, cwd=PROJECT
    )
    with log.open() as lines:
        return [call for line in lines if (call := _read(line)) is not None]


def _text(written: str) -> str:
    return bytes.fromhex(written.replace("\\x", "")).decode("utf-8", "surrogateescape")


def _read(line: str) -> Call | None:
    found = _LINE.match(line)
    if found is None or int(found[3]) < 0:
        return None
    name, rest = found[1], found[2]
    strings = [bytes.fromhex(one.replace("\\x", "")) for one in _STRING.findall(rest)]
    paths = [one.decode("utf-8", "surrogateescape") for one in strings]
    handle = _HANDLE.match(rest)
    path = _text(handle[2]) if handle else ""
    behind = _STRING.sub("", rest)
    match name:
        case "write":
            kind: Kind = "say" if handle is not None and handle[1] == "2" else "write"
            return Call(kind, path, strings[0])
        case "pwrite64":
            return Call("write", path, strings[0], int(_NUMBERS.findall(behind)[-1]))
        case "ftruncate":
            return Call("truncate", path, at=int(_NUMBERS.findall(behind)[-1]))
        case "fsync" | "fdatasync":
            return Call("sync", path)
        case "openat" if "O_TRUNC" in rest or "O_CREAT" in rest:
            return Call("truncate" if "O_TRUNC" in rest else "create", paths[0], at=0)
        case "rename" | "renameat" | "renameat2":
            return Call("rename", paths[0], to=paths[1])
        case "unlink" | "unlinkat":
            return Call("remove", paths[0])
    return None


@dataclass
class _File:
    safe: bytearray
    loose: list[Call] = field(default_factory=list)
    """Written since it was last synchronised."""


class Disk:
    """The files of one folder, as a disk may hold them."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._files = {str(path): _File(bytearray(path.read_bytes())) for path in folder.iterdir()}
        self._renames: list[tuple[str, _File | None, str]] = []
        """Names given since the folder was last synchronised: the old one, what had the new one, the new."""

    def take(self, call: Call) -> None:
        if call.kind == "sync" and call.path == self._folder:
            self._renames.clear()
        if not call.path.startswith(f"{self._folder}/") or call.path.endswith("-shm"):
            return
        file = self._files.get(call.path)
        match call.kind:
            case "create" | "truncate" | "write":
                if file is None:
                    file = self._files[call.path] = _File(bytearray())
                if call.kind != "create":
                    at = call.at if call.at >= 0 else len(_whole(file))
                    file.loose.append(Call(call.kind, call.path, call.data, at))
            case "sync" if file is not None:
                file.safe, file.loose = _whole(file), []
            case "rename" if file is not None:
                self._renames.append((call.path, self._files.get(call.to), call.to))
                self._files[call.to] = self._files.pop(call.path)
            case "remove":
                self._files.pop(call.path, None)

    def after_power_loss(self, chance: random.Random) -> dict[str, bytes]:
        """One of the states the files may be in when the power is back, by name."""
        files = dict(self._files)
        kept = chance.randint(0, len(self._renames))
        for old, before, new in reversed(self._renames[kept:]):
            files[old] = files.pop(new)
            if before is not None:
                files[new] = before
        return {Path(path).name: _survived(file, chance) for path, file in files.items()}


def _whole(file: _File) -> bytearray:
    data = bytearray(file.safe)
    for call in file.loose:
        _apply(data, call.kind, call.at, call.data)
    return data


def _apply(data: bytearray, kind: Kind, at: int, new: bytes) -> None:
    if kind == "truncate":
        del data[at:]
        return
    if len(data) < at:
        data.extend(bytes(at - len(data)))
    data[at : at + len(new)] = new


def _survived(file: _File, chance: random.Random) -> bytes:
    data = bytearray(file.safe)
    for call in file.loose:
        match chance.randrange(3):
            case 0:
                continue
            case 1:
                _apply(data, call.kind, call.at, call.data)
            case _:
                for at, piece in _sectors(call):
                    if chance.random() < 0.5:
                        _apply(data, call.kind, at, piece)
    return bytes(data)


def _sectors(call: Call) -> Iterator[tuple[int, bytes]]:
    if call.kind == "truncate":
        yield call.at, b""
        return
    for start in range(0, len(call.data), SECTOR):
        yield call.at + start, call.data[start : start + SECTOR]
