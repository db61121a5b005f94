"""Builds sdist and wheel into dist/, twice, and refuses where the two differ or twine objects.

The moment of the last commit is that of every file in them, so that the same commit gives the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def built(folder: Path) -> dict[str, str]:
    """The files' names with their checksums."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(
        command, env=os.environ | {"SOURCE_DATE_EPOCH": moment()}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def moment() -> str:
    """Of the last commit; of the changelog where there is no git, as in an unpacked sdist."""
    asked = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return str(int((ROOT / "CHANGELOG.md").stat().st_mtime))


def main() -> None:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        first, second = built(Path(one)), built(Path(two))
        if first != second:
            sys.exit(f"belie: two builds of one source differ: {first} {second}")
        subprocess.run(
            [sys.executable, "-m", "twine", "check", "--strict", *map(str, Path(one).iterdir())], check=True
        )
        shutil.rmtree(ROOT / "dist", ignore_errors=True)
        (ROOT / "dist").mkdir()
        for name in first:
            shutil.copy(Path(one) / name, ROOT / "dist")
    for name, checksum in first.items():
        print(f"dist/{name}  {(ROOT / 'dist' / name).stat().st_size / 1e6:.1f} MB  sha256 {checksum}")


if __name__ == "__main__":
    main()
