"""The YAML block at the head of a note, read event by event so that neither bombs nor breakage matter."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml

MAX_CHARS = 64 * 1024
MAX_KEYS = 500
MAX_ITEMS = 500
MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Property:
    """One top-level key with its scalar or list of scalars, as written (no YAML type guessing)."""

    key: str
    items: tuple[str, ...]
    line: int
    end_line: int
    is_list: bool = False

    @property
    def text(self) -> str:
        return ", ".join(self.items)


@dataclass(frozen=True, slots=True)
class Frontmatter:
    properties: tuple[Property, ...] = ()
    problems: tuple[str, ...] = ()
    end_line: int = 0
    """The last line of the block, its closing fence included; 0 without one."""
    template: bool = False
    """It holds placeholders that a template plugin would fill in."""
    by_key: dict[str, Property] = field(default_factory=dict)
    """By key in lower case; the last of duplicate keys counts."""

    def items(self, *keys: str) -> tuple[str, ...]:
        return tuple(item for key in keys if key in self.by_key for item in self.by_key[key].items)

    def text(self, key: str) -> str | None:
        found = self.by_key.get(key)
        return found.text if found and found.items else None


NONE = Frontmatter()
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_LOOSE = re.compile(r"^([^\s#:\-\[\]{}\"'|>][^:\n]{0,80}?):[ \t]+(\S.*)$")
_PLACEHOLDER = re.compile(r"\{\{[^{}\n]{0,500}+\}\}|<%[^\n]{0,500}?%>")
_EMPTY = {"", "~", "null", "Null", "NULL"}


def read_frontmatter(text: str) -> Frontmatter:
    """Read the block `text` opens with (newlines already `\\n`, no BOM); lines count from 1."""
    if not text.startswith("---"):
        return NONE
    opening = text.find("\n")
    if opening < 0 or text[3:opening].strip():
        return NONE
    closing = _CLOSING.search(text, opening + 1)
    if closing is None:
        return NONE  # a rule, not a block: it is read as Markdown
    block = text[opening + 1 : closing.start()]
    end_line = block.count("\n") + 2
    if len(block) > MAX_CHARS:
        return Frontmatter(problems=("frontmatter too large, line 1",), end_line=end_line)
    if not block.strip():
        return Frontmatter(end_line=end_line)
    properties, problems = _read_events(block)
    by_key: dict[str, Property] = {}
    for found in properties:
        key = found.key.lower()
        if key in by_key:
            problems.append(f"frontmatter key {found.key!r} twice, line {found.line}")
        by_key[key] = found
    template = ("{{" in block or "<%" in block) and _PLACEHOLDER.search(block) is not None
    kept = tuple(found for found in properties if by_key[found.key.lower()] is found)
    return Frontmatter(kept, tuple(problems), end_line, template, by_key)


def _read_events(block: str) -> tuple[list[Property], list[str]]:
    """Top-level properties; what stands before an error is kept and the lines after it are read loosely."""
    reader = _Reader()
    problems: list[str] = []
    try:
        # The C parser emits events without recursing or expanding aliases, so the input cannot hurt.
        for event in yaml.parse(block, Loader=yaml.CSafeLoader):
            if not reader.take(event):
                break
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        bad_line = (mark.line if mark else 0) + 2
        problems.append(f"broken frontmatter, line {bad_line}")
        reader.salvage(block, bad_line)
    if reader.problem:
        problems.append(reader.problem)
    return reader.properties, problems


def _last_line(event: yaml.Event) -> int:
    """The event's last line; a block value ends at the start of the line after it."""
    mark = event.end_mark
    if mark is None:
        return 0
    return mark.line if mark.column else mark.line - 1


def _first_line(event: yaml.Event) -> int:
    return event.start_mark.line if event.start_mark else 0


class _Reader:
    """Turns YAML events into properties; only the first two levels mean anything here."""

    def __init__(self) -> None:
        self.properties: list[Property] = []
        self.problem: str | None = None
        self._depth = 0
        self._key: str | None = None
        self._key_line = 0
        self._items: list[str] = []
        self._is_list = False
        self._anchors: dict[str, str] = {}

    def take(self, event: yaml.Event) -> bool:
        """False when there is nothing more worth reading."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            return self._enter(event)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._depth -= 1
            if self._depth == 1:
                self._finish(_last_line(event))
        elif isinstance(event, yaml.AliasEvent):
            value = self._anchors.get(event.anchor or "", "")
            if self._depth == 2 and self._is_list:
                self._add(value)
            elif self._depth == 1:
                self._value_or_key(value, event)
        elif isinstance(event, yaml.DocumentEndEvent):
            return False
        return len(self.properties) < MAX_KEYS

    def _enter(self, event: yaml.Event) -> bool:
        if self._depth == 0 and not isinstance(event, yaml.MappingStartEvent):
            self.problem = f"frontmatter is not a list of keys, line {_first_line(event) + 2}"
            return False
        if self._depth == 1:
            self._is_list = isinstance(event, yaml.SequenceStartEvent)
            self._items = []
            if self._key is None:  # a mapping as a key, such as {{date}} leaves: no name to use
                self._key = ""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.problem = f"frontmatter nested too deep, line {_first_line(event) + 2}"
            return False
        return True

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        value = event.value
        if not event.style and value in _EMPTY:
            value = ""
        if event.anchor and len(self._anchors) < MAX_KEYS:
            self._anchors[event.anchor] = value
        if self._depth == 0:
            self.problem = f"frontmatter is not a list of keys, line {_first_line(event) + 2}"
        elif self._depth == 1:
            self._value_or_key(value, event)
        elif self._depth == 2 and self._is_list:
            self._add(value)

    def _value_or_key(self, value: str, event: yaml.Event) -> None:
        if self._key is None:
            self._key, self._key_line, self._is_list = value, _first_line(event), False
            self._items = []
            return
        self._add(value)
        self._finish(_last_line(event))

    def _add(self, value: str) -> None:
        value = " ".join(value.split())
        if value and len(self._items) < MAX_ITEMS:
            self._items.append(value)

    def _finish(self, last: int) -> None:
        key = (self._key or "").strip()
        if key and len(key) <= 100:
            line = self._key_line + 2
            self.properties.append(
                Property(key, tuple(self._items), line, max(line, last + 2), self._is_list)
            )
        self._key, self._items, self._is_list = None, [], False

    def salvage(self, block: str, bad_line: int) -> None:
        """After an error: `key: value` lines not read yet, taken at their word."""
        self.properties = [found for found in self.properties if found.end_line < bad_line]
        seen = {found.line for found in self.properties}
        for number, text in enumerate(block.split("\n"), 2):
            match = _LOOSE.match(text) if number not in seen else None
            if match is None or len(self.properties) >= MAX_KEYS:
                continue
            value = match.group(2).strip()
            if _PLACEHOLDER.search(value):
                continue
            inner = (
                value[1:-1] if value[0] == "[" and value[-1] == "]" and not value.startswith("[[") else None
            )
            items = [
                part.strip().strip("\"'") for part in (inner.split(",") if inner is not None else [value])
            ]
            kept = tuple(item for item in items if item)
            self.properties.append(Property(match.group(1).strip(), kept, number, number, inner is not None))
        self.properties.sort(key=lambda found: found.line)
