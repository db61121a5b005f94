"""File names that a person can read, one for each name and each of them a plain file in one folder."""

from __future__ import annotations

import re
from collections.abc import Iterable

# What file systems, addresses and wikilinks read as something else, and what cannot be seen.
_UNFIT = re.compile(r"[^\w .,()&+'’-]+")
_LONGEST = 80


def file_names(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """A name with `.md` for each, in their order; names that would meet are numbered."""
    used = {name.casefold() for name in taken}
    found = []
    for name in names:
        plain = " ".join(_UNFIT.sub(" ", name).split())[:_LONGEST].strip(" .") or "Unnamed"
        made, number = f"{plain}.md", 1
        while made.casefold() in used:
            number += 1
            made = f"{plain} {number}.md"
        used.add(made.casefold())
        found.append(made)
    return found
