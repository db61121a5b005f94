"""The mirror as Markdown: a page per chapter and an index, by name; pure and the same every time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

from app.mirror.chapters import Chapter, Line, Section, chapters
from app.mirror.escape import escaped
from app.mirror.file_names import file_names
from app.vault.markup import SAFE
from app.words import Claim, Conflict

MARK = "---\nbelie: mirror\n---\n"
"""What every page opens with: the reader leaves such notes alone, and only such are ever removed."""
INDEX = "index.md"
NO_FOLDER = "Notes in no folder"
_NOT_IN_A_LINK = re.compile(r"[\[\]|#^\\<>\n\r]")


def pages(claims: Iterable[Claim], conflicts: Iterable[Conflict], *, vault: str, base: str) -> dict[str, str]:
    """File names and texts. `conflicts` are those that are open; `base` is where links to notes start."""
    found = chapters(claims, conflicts)
    names = file_names((chapter.name or NO_FOLDER for chapter in found), taken=(INDEX,))
    named = dict(zip(names, found, strict=True))
    made = {name: _page(chapter, base) for name, chapter in named.items()}
    made[INDEX] = _index(named, vault)
    return made


def _title(chapter: Chapter) -> str:
    return escaped(chapter.name or NO_FOLDER) or "Unnamed"


def _page(chapter: Chapter, base: str) -> str:
    parts = [MARK, f"\n# {_title(chapter)}\n"]
    path = None
    for section in chapter.sections:
        if section.path != path:
            parts.append(f"\n## {escaped(section.note) or 'Unnamed'}\n\n{_source(section.path, base)}\n")
            path = section.path
        parts.append(f"\n### {_heading(section)}\n\n" if section.heading else "\n")
        parts += [_entry(line, base) for line in section.lines]
    return "".join(parts)


def _heading(section: Section) -> str:
    return " › ".join(escaped(part) or "Unnamed" for part in section.heading)


def _entry(line: Line, base: str) -> str:
    date = f" ({line.date})" if line.date else ""
    until = f" until {line.until}" if line.until else ""
    entry = f"- {escaped(line.text)}{until}{date}\n"
    for dispute in line.disputes:
        entry += f"  - ⚠ disputed, {dispute.conflict.id}: {escaped(dispute.title)}\n"
    if others := ", ".join(_source(path, base, number) for path, number in line.sources[1:]):
        entry += f"  - also in {others}\n"
    return entry


def _source(path: str, base: str, line: int | None = None) -> str:
    """The place as a link to the file, and a wikilink where the name allows one."""
    address = f"{base}{quote(path.encode('utf-8', 'surrogateescape'), safe='/')}"
    place = f"\\:{line}" if line is not None else ""
    link = f"[{escaped(path)}{place}]({address})"
    stem = path.removesuffix(".md").removesuffix(".markdown")
    if _NOT_IN_A_LINK.search(stem) or SAFE.search(stem):
        return link
    return f"{link} [[{stem}]]"


def _index(named: dict[str, Chapter], vault: str) -> str:
    parts = [MARK, f"\n# {escaped(vault)}\n\n"]
    if not named:
        parts.append("Nothing is asserted in these notes.\n")
    for name, chapter in named.items():
        notes = len({section.path for section in chapter.sections})
        disputed = sum(bool(line.disputes) for line in chapter.lines)
        more = f", ⚠ {disputed:,} disputed" if disputed else ""
        counted = f"{_counted(len(chapter.lines), 'line')} from {_counted(notes, 'note')}"
        parts.append(f"- [{_title(chapter)}]({quote(name)}): {counted}{more}\n")
    return "".join(parts)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
