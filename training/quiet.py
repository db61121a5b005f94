"""Quiet vaults: what published packages say about themselves in Markdown, where contradictions are rare.

    npm pack fastify@5.12.8 codeceptjs@4.1.0 npm@11.21.1 sails@1.5.18 undici@7.30.2 pino@10.4.0
    pip download --no-deps --no-binary :all: copier==9.19.1 starlette==1.10.0 prefect==3.9.0
    python -m training.quiet OUT *.tgz *.tar.gz

Nothing in them is labelled, so every pair counts as one that must not be shown. All of these packages are
under MIT, BSD, Apache or Artistic licences; their text is only learnt from and never shipped.
"""

from __future__ import annotations

import argparse
import re
import tarfile
from pathlib import Path, PurePosixPath

_VERSION = re.compile(r"-v?\d.*$")
_LARGEST = 2_000_000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("packages", type=Path, nargs="+")
    options = parser.parse_args()
    for package in options.packages:
        name = _VERSION.sub("", package.name)
        print(f"{name}: {unpack(package, options.out / name / 'notes')} notes", flush=True)


def unpack(package: Path, out: Path) -> int:
    """The Markdown files of a package; how many there are, a text that stands twice counting once."""
    seen: set[bytes] = set()
    with tarfile.open(package) as archive:
        for member in archive:
            place = PurePosixPath(member.name)
            if not member.isfile() or place.suffix != ".md" or member.size > _LARGEST or ".." in place.parts:
                continue
            file = archive.extractfile(member)
            text = file.read() if file else b""
            if text in seen:
                continue
            seen.add(text)
            target = out.joinpath(*place.parts[1:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text)
    return len(seen)


if __name__ == "__main__":
    main()
