"""Converts the embedder to ONNX, once: `python -m app.models.export` at set-up, or the child on first use."""

from __future__ import annotations

import sys
from pathlib import Path

from app.models.files import Absent, Unusable, embedder_folder
from app.models.sentence_folder import SentenceFolder, read_folder
from app.models.setup import Setup
from app.private_files import write_private


def converted_path(folder: SentenceFolder, cache: Path) -> Path:
    return cache / f"{folder.id}.onnx"


def export_embedder(setup: Setup) -> Path:
    """The converted embedder's file, made if it is not there. Raises Unusable or OSError."""
    found = embedder_folder(setup)
    if found is None:
        raise Absent("no embedding model is installed")
    folder = read_folder(found)
    path = converted_path(folder, setup.cache_dir)
    if not path.is_file():
        write_private(path, folder.converted())
    return path


def main() -> int:
    try:
        path = export_embedder(Setup())
    except (Unusable, OSError) as error:
        print(f"belie: the embedding model was not converted: {error}", file=sys.stderr)
        return 1
    print(f"belie: the embedding model is ready ({path.stat().st_size / 1e6:.0f} MB in {path.parent})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
