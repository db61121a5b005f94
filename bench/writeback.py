"""Writing back into random statements of a corpus: what can be written, what is touched, what undo restores.

    python -m bench.writeback FOLDER [--statements N] [--seed S]

Every statement is the loser against the next one picked, in every style. The folder given is only read:
a note is copied to a temporary vault before anything is written. Counted are edits that touch a line the
edit does not name, edits whose diff `patch` does not take, and undos that do not restore every byte.
"""

from __future__ import annotations

import argparse
import difflib
import random
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from app.reading.norm_rules import normalize
from app.vault.hashing import read_bytes
from app.vault.note import read_note
from app.vault.settings import VaultSettings, vault_settings
from app.vault.walk import walk
from app.words import Claim
from app.writeback.apply import apply, undo
from app.writeback.diff import diff
from app.writeback.edits import STYLES, CannotWrite, Edit
from app.writeback.propose import propose

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def claims(root: Path, settings: VaultSettings) -> list[Claim]:
    found: list[Claim] = []
    for seen in walk(root, settings).seen:
        note = read_note(seen.path, read_bytes(root, seen.path, settings.max_bytes), settings)
        found += [
            Claim(f"{len(found) + n:08}", s, note.title, normalize(s, note))
            for n, s in enumerate(note.statements)
            if not s.struck and not s.quoted
        ]
    return found


def strays(edit: Edit) -> set[int]:
    """Lines of the old file that differ though the edit does not name them."""
    old, new = _LINE.findall(edit.before), _LINE.findall(edit.after)
    first = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    left = min(len(old), len(new)) - first
    ends = zip(reversed(old), reversed(new), strict=False)
    last = min(left, next((n for n, (a, b) in enumerate(ends) if a != b), left))
    ops = difflib.SequenceMatcher(
        None, old[first : len(old) - last], new[first : len(new) - last]
    ).get_opcodes()
    changed = {first + n + 1 for kind, a, b, _, _ in ops if kind != "equal" for n in range(a, b)}
    return changed - set(edit.lines)


def patched(edit: Edit, folder: Path) -> bytes | None:
    """What `patch` makes of the diff; None when there is no such program."""
    if shutil.which("patch") is None:
        return None
    target = folder / "patched"
    target.write_bytes(edit.before)
    command = ["patch", "--quiet", "--force", "--binary", str(target)]
    subprocess.run(command, input=diff(edit).encode(), check=False, capture_output=True)
    return target.read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--statements", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    root = options.folder.resolve()
    settings = vault_settings(root)
    every = claims(root, settings)
    chance = random.Random(options.seed)
    picked = chance.sample(every, min(options.statements, len(every)))
    written, refused = Counter[str](), Counter[str]()
    reasons = Counter[str]()
    outside = unpatched = unrestored = 0
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        vault, backups, scratch = (Path(folder) / name for name in ("vault", "backups", "scratch"))
        vault.mkdir()
        scratch.mkdir()
        for n, loser in enumerate(picked):
            path = loser.statement.path
            data = read_bytes(root, path, settings.max_bytes)
            copy = vault / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(data)
            for style in STYLES:
                try:
                    edit = propose(data, loser, picked[(n + 1) % len(picked)], style, settings)
                except CannotWrite as error:
                    refused[style] += 1
                    reasons[f"{style}: {str(error).replace(path, 'PATH')}"] += 1
                    continue
                written[style] += 1
                outside += bool(strays(edit))
                made = patched(edit, scratch)
                unpatched += made is not None and made != edit.after
                applied = apply(vault, edit, backups)
                whole = copy.read_bytes() == edit.after
                undo(vault, applied)
                unrestored += not whole or copy.read_bytes() != data
            copy.unlink()
    seconds = time.perf_counter() - began
    print(f"{len(picked):,} statements of {len(every):,}, {sum(written.values()):,} edits, {seconds:.0f} s")
    for style in STYLES:
        print(f"  {style:<12} {written[style]:>5} written, {refused[style]:>5} refused")
    for reason, count in reasons.most_common(12):
        print(f"  {count:>5}  {reason}")
    print(f"touching a line not named {outside}, refused by patch {unpatched}, not restored {unrestored}")


if __name__ == "__main__":
    main()
