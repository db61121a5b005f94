"""Changes one block of the person's configuration file, and leaves every other line as they wrote it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from app.cli.errors import CommandError
from app.private_files import make_private
from app.regular_file import read_regular

_KEY = re.compile(r"^[^\s#-]")


def set_block(path: Path, name: str, values: Mapping[str, Any]) -> None:
    """Make `name` hold exactly these values; without any it goes. Raises CommandError, and then the file is
    as it was."""
    try:
        old = read_regular(path).decode().replace("\r\n", "\n")
    except FileNotFoundError:
        old = ""
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}.") from error
    new = with_block(old, name, values)
    before, after = _parsed(old, path), _parsed(new, path)
    wanted = {key: value for key, value in before.items() if key != name} | (
        {name: dict(values)} if values else {}
    )
    if after != wanted:
        raise CommandError(
            f"{path} is written in a way that Belie cannot change; set “{name}” in it yourself."
        )
    try:
        make_private(path.parent)
        _replace(path, new)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}.") from error


def with_block(text: str, name: str, values: Mapping[str, Any]) -> str:
    """The text with another block of this name, in its old place, or at the end."""
    lines = text.splitlines(keepends=True)
    start = next(
        (n for n, line in enumerate(lines) if re.match(rf"[\"']?{re.escape(name)}[\"']?\s*:", line)), None
    )
    block = yaml.safe_dump({name: dict(values)}, allow_unicode=True, sort_keys=False) if values else ""
    if start is None:
        return text + ("\n" if text and not text.endswith("\n") else "") + block
    end = next((n for n in range(start + 1, len(lines)) if _KEY.match(lines[n])), len(lines))
    while end > start + 1 and _loose(lines[end - 1]):
        end -= 1
    return "".join(lines[:start]) + block + "".join(lines[end:])


def _loose(line: str) -> bool:
    """Comments and blank lines before the next key belong to that."""
    return not line.strip() or line.startswith("#")


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        stored = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise CommandError(f"{path} is broken ({str(error).splitlines()[0]}); mend it first.") from error
    if stored is None:
        return {}
    if not isinstance(stored, dict):
        raise CommandError(f"{path} should be a list of settings; mend it first.")
    return stored


def _replace(path: Path, text: str) -> None:
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    real = path.resolve()  # a link into somebody's dotfiles stays one
    handle, temporary = tempfile.mkstemp(dir=real.parent, prefix=".config-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(real)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
