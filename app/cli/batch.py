"""Rows of JSON, one a line, from a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from typing import Any, TypeVar

from app.cli.errors import CommandError
from app.regular_file import open_regular

T = TypeVar("T")


def rows(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file with their line numbers; a bad line is an error that names it."""
    try:
        with TextIOWrapper(open_regular(path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise CommandError(f"{path}, line {number}: not JSON ({error}).") from error
                if not isinstance(row, dict):
                    raise CommandError(f"{path}, line {number}: an object is expected.")
                yield number, row
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}.") from error


def text(row: dict[str, Any], key: str, number: int) -> str | None:
    """The text under a key of a row, None where there is none; anything else is an error."""
    value = row.get(key)
    if value is None or isinstance(value, str):
        return value
    raise CommandError(f"Line {number}: “{key}” should be text.")


def chunked(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """So many at once; where the next one is an error, those before it still count."""
    some: list[T] = []
    try:
        for item in items:
            some.append(item)
            if len(some) == size:
                yield some
                some = []
    except CommandError:
        if some:
            yield some
        raise
    if some:
        yield some
