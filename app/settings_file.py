"""The person's configuration file, changed in place: comments, order and unknown keys stay as they are."""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import CommentMark
from ruamel.yaml.tokens import CommentToken

from app.bounded_yaml import check_size
from app.in_folder import replace
from app.private_files import make_private
from app.regular_file import read_regular

_MAX_BYTES = 256 * 1024
_LIST = re.compile(r"^( *)[^\s#-][^\n]*:[ \t]*\n( *)- ", re.MULTILINE)
_NAME = re.compile(r"^( *)[^\s#-][^\n]*:[ \t]*\n(\1 +)[^\s#-]", re.MULTILINE)

Keys = Sequence[str]
"""The way to a setting: ("models", "use")."""


class CannotChange(Exception):
    """Why the file cannot be changed; the message is for the person."""


class SettingsFile:
    """Reads the file once; every change is written whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._yaml = YAML(typ="rt")
        self._yaml.preserve_quotes = True
        self._yaml.width = 4096  # a long value is one line, as it was
        self._stored = self._read()

    def _read(self) -> CommentedMap:
        try:
            data = read_regular(self.path, _MAX_BYTES + 1)
        except FileNotFoundError:
            return CommentedMap()
        except OSError as error:
            raise CannotChange(f"{self.path} cannot be read: {error.strerror}.") from error
        if len(data) > _MAX_BYTES:
            raise CannotChange(f"{self.path} is too large to be changed here.")
        self._indent_as(data.decode("utf-8", "replace"))
        try:
            check_size(data)
            stored = self._yaml.load(data)
        except Exception as error:  # a value that its own tag does not fit makes the reader fail anyhow
            raise CannotChange(f"{self.path} is not valid YAML; repair it in your editor first.") from error
        if stored is None:
            stored = CommentedMap()
            # A file of comments alone keeps them above what is added.
            text = data.decode("utf-8", "replace").strip()
            if text:
                stored.yaml_set_start_comment(
                    "\n".join(line.removeprefix("#").strip(" ") for line in text.splitlines())
                )
        if not isinstance(stored, CommentedMap):
            raise CannotChange(f"{self.path} holds no list of settings; repair it in your editor first.")
        return stored

    def _indent_as(self, text: str) -> None:
        """Write as the file is written: how far lists and settings stand under their name."""
        under_list, under_name = _LIST.search(text), _NAME.search(text)
        offset = len(under_list[2]) - len(under_list[1]) if under_list else 2
        mapping = len(under_name[2]) - len(under_name[1]) if under_name else 2
        self._yaml.indent(mapping=max(1, mapping), sequence=max(0, offset) + 2, offset=max(0, offset))

    def get(self, keys: Keys) -> Any:
        """The value as it stands in the file; None where there is none."""
        here: Any = self._stored
        for key in keys:
            if not isinstance(here, dict) or key not in here:
                return None
            here = here[key]
        return here

    def key_of(self, folder: Path) -> str:
        """The name under which a vault stands in the file, however it is written there."""
        owns = self.get(("vaults",))
        for name in owns if isinstance(owns, dict) else ():
            with contextlib.suppress(OSError, RuntimeError):
                if Path(str(name)).expanduser().resolve() == folder.resolve():
                    return str(name)
        return str(folder)

    def set(self, keys: Keys, value: Any) -> None:
        here: Any = self._stored
        for key in keys[:-1]:
            if not isinstance(here.get(key), dict):
                here[key] = CommentedMap()
            here = here[key]
        here[keys[-1]] = value
        self._write()

    def set_all(self, keys: Keys, values: Mapping[str, Any]) -> None:
        """Make the settings under a name exactly these; without any it goes."""
        if not values:
            return self.remove(keys)
        held = self.get(keys)
        if not isinstance(held, CommentedMap) or not held:
            return self.set(keys, CommentedMap(values))
        after = _take_lines_after(held, [*held][-1])
        for key in [key for key in held if key not in values]:
            _delete(held, key)
        held.update(values)
        _put_lines_after(held, [*held][-1], after)
        return self._write()

    def remove(self, keys: Keys) -> None:
        """Take a setting out, and what is empty without it."""
        way: list[tuple[Any, str]] = []
        here: Any = self._stored
        for key in keys:
            if not isinstance(here, dict) or key not in here:
                return
            way.append((here, key))
            here = here[key]
        # The innermost that holds something else, too.
        holder, name = next(((h, k) for h, k in reversed(way) if len(h) > 1), way[0])
        _delete(holder, name)
        self._write()

    def _write(self) -> None:
        text = io.BytesIO()
        if self._stored or self.path.exists():
            self._yaml.dump(self._stored, text)
        data = text.getvalue() if self._stored else b""
        try:
            make_private(self.path.parent)
            # A link to a file elsewhere (dotfiles) stays a link.
            target = self.path.resolve()
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=".config-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                if target.exists():
                    Path(name).chmod(target.stat().st_mode & 0o777)
                replace(Path(name), target)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise CannotChange(f"{self.path} cannot be written: {error.strerror}.") from error


# The library keeps the lines between two settings with the one above; they stay when that one goes.
def _place(holder: Any, key: Any) -> tuple[dict[Any, Any], Any, int]:
    """Where an entry keeps what is written behind it: the last entry within it does, where it has any."""
    held = holder[key]
    if isinstance(held, CommentedMap) and held:
        return _place(held, [*held][-1])
    if isinstance(held, CommentedSeq) and held:
        return _place(held, len(held) - 1)
    return holder.ca.items, key, 2 if isinstance(holder, CommentedMap) else 0


def _take_lines_after(holder: CommentedMap, key: str) -> str:
    """Take away the lines between an entry and whatever follows it."""
    comments, name, place = _place(holder, key)
    token = comments[name][place] if name in comments else None
    if token is None:
        return ""
    own, _, lines = token.value.partition("\n")
    token.value = f"{own}\n"
    return str(lines)


def _put_lines_after(holder: CommentedMap, key: str, lines: str) -> None:
    comments, name, place = _place(holder, key)
    tokens = comments.setdefault(name, [None] * 4)
    if tokens[place] is not None:
        tokens[place].value += lines
    elif lines:
        tokens[place] = CommentToken(f"\n{lines}", CommentMark(0), None)


def _delete(holder: CommentedMap, key: str) -> None:
    lines = _take_lines_after(holder, key)
    keys = [*holder]
    place = keys.index(key)
    del holder[key]
    holder.ca.items.pop(key, None)
    if place:
        _put_lines_after(holder, keys[place - 1], lines)
    elif lines:
        above = holder.ca.comment or [None, None]
        holder.ca.comment = [above[0], [*(above[1] or ()), CommentToken(lines, CommentMark(0), None)]]
