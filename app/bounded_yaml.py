"""YAML in a small file that anybody may have written: plain data, no deeper and no larger than allowed.

A few lines of YAML can stand for billions of values, by naming one list in another; a reader that unfolds
them ends the program. So the size is counted before anything is made.
"""

from __future__ import annotations

from typing import Any

import yaml

_DEEPEST = 50
_MOST_VALUES = 100_000
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class TooMuch(yaml.YAMLError):
    """It stands for more than anybody would write by hand."""


def load_yaml(data: bytes) -> Any:
    """The one document of a file. Raises yaml.YAMLError or ValueError where it is none, or too much."""
    check_size(data)
    try:
        return yaml.load(data, _Loader)
    except (ValueError, yaml.YAMLError):
        raise
    except Exception as error:  # a value that its own tag does not fit, such as `!!int x`
        raise yaml.YAMLError(f"a value cannot be read ({type(error).__name__})") from error


def check_size(data: bytes) -> None:
    """Raises yaml.YAMLError where the data is not YAML, or would be too much with its names unfolded."""
    sizes: dict[str, int] = {}
    """How many values each named part stands for."""
    open_parts: list[tuple[str | None, int]] = [(None, 0)]
    for event in yaml.parse(data, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            open_parts.append((event.anchor, 1))
            if len(open_parts) > _DEEPEST:
                raise TooMuch("it is nested too deeply")
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, size = open_parts.pop()
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise TooMuch("a part contains itself")
            anchor, size = None, sizes[event.anchor]
        elif isinstance(event, yaml.ScalarEvent):
            anchor, size = event.anchor, 1
        else:
            continue
        if anchor is not None:
            sizes[anchor] = size
        around, so_far = open_parts[-1]
        if so_far + size > _MOST_VALUES:
            raise TooMuch("it stands for too many values")
        open_parts[-1] = (around, so_far + size)
