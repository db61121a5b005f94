"""The mirror as Markdown: a page per project and an index, by name; pure and the same every time."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import quote

from app.mirror.escape import escaped
from app.mirror.subjects import Line, Project, projects
from app.vault.markup import SAFE
from app.words import Claim, Conflict

MARK = "---\nbelie: mirror\n---\n"
"""What every page opens with: the reader leaves such notes alone, and only such are ever removed."""
INDEX = "index.md"
_NO_PROJECT = "Without a project"
_NOT_IN_A_LINK = re.compile(r"[\[\]|#^\\<>\n\r]")


def pages(claims: Iterable[Claim], conflicts: Iterable[Conflict], *, vault: str, base: str) -> dict[str, str]:
    """File names and texts. `conflicts` are those that are open; `base` is where links to notes start."""
    found = projects(claims, conflicts)
    named = {_file_name(project): project for project in found}
    made = {name: _page(project, base) for name, project in named.items()}
    made[INDEX] = _index(named, vault)
    return made


def _file_name(project: Project) -> str:
    if project.name is None:
        return "_.md"
    slug = re.sub(r"[\W_]+", "-", project.name.casefold()).strip("-")[:40].rstrip("-")
    if slug == project.name and slug != "index":
        return f"{slug}.md"
    # Several names may fold into one; the hash tells them apart.
    digest = hashlib.blake2b(project.name.encode("utf-8", "surrogatepass"), digest_size=3).hexdigest()
    return f"{slug or 'project'}-{digest}.md"


def _title(project: Project) -> str:
    return escaped(project.name) if project.name is not None else _NO_PROJECT


def _page(project: Project, base: str) -> str:
    parts = [MARK, f"\n# {_title(project)}\n"]
    for subject in project.subjects:
        parts.append(f"\n## {escaped(subject.name) or 'Unnamed'}\n\n")
        parts += [_entry(line, base) for line in subject.lines]
    return "".join(parts)


def _entry(line: Line, base: str) -> str:
    date = f" ({line.date})" if line.date else ""
    until = f" until {line.until}" if line.until else ""
    entry = f"- {escaped(line.text)}{until}{date}\n"
    for dispute in line.disputes:
        entry += f"  - ⚠ disputed, {dispute.conflict.id}: {escaped(dispute.title)}\n"
    sources = ", ".join(_source(path, number, base) for path, number in line.sources)
    return f"{entry}  - {sources}\n"


def _source(path: str, line: int, base: str) -> str:
    """The place as a link to the file, and a wikilink where the name allows one."""
    address = f"{base}{quote(path.encode('utf-8', 'surrogateescape'), safe='/')}"
    link = f"[{escaped(path)}\\:{line}]({address})"
    stem = path.removesuffix(".md").removesuffix(".markdown")
    if _NOT_IN_A_LINK.search(stem) or SAFE.search(stem):
        return link
    return f"{link} [[{stem}]]"


def _index(named: dict[str, Project], vault: str) -> str:
    parts = [MARK, f"\n# {escaped(vault)}\n\n"]
    if not named:
        parts.append("Nothing is asserted in these notes.\n")
    for name, project in named.items():
        lines = [line for subject in project.subjects for line in subject.lines]
        disputed = sum(bool(line.disputes) for line in lines)
        more = f", ⚠ {disputed:,} disputed" if disputed else ""
        stem = PurePosixPath(name).name
        parts.append(
            f"- [{_title(project)}]({quote(stem)}): {len(project.subjects):,} subjects,"
            f" {len(lines):,} lines{more}\n"
        )
    return "".join(parts)
