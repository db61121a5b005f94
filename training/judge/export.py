"""The trained judge in the form Belie ships, and what it is.

    python -m training.judge.export TRAINED BASE app/models/weights

Of the large judge the adapter, as whole numbers with a scale a row; the small one as an int8 ONNX file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

from app.models.bert_onnx import Classified, Shape, build
from app.models.files import JudgeFiles
from app.models.sentence_folder import read_weights
from training.judge.adapter import STRENGTH
from training.judge.fit import MAX_TOKENS
from training.judge.rows import LABELS


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trained", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if (options.trained / "adapter.safetensors").is_file():
        _adapter(options.trained, options.base, options.out)
    else:
        _whole(options.trained, options.base, options.out)


def _whole(trained: Path, base: Path, folder: Path) -> None:
    config = json.loads((trained / "config.json").read_text(encoding="utf-8"))
    model = build(read_weights(trained), Shape.of(config), Classified(len(LABELS)), "int8")
    files = JudgeFiles.within(folder)
    files.model.write_bytes(model)
    shutil.copyfile(base / "tokenizer.json", files.tokenizer)
    _tell("belie-judge", files.model, files.about, {})


def _adapter(trained: Path, base: Path, folder: Path) -> None:
    out: dict[str, np.ndarray] = {}
    for name, value in load_file(trained / "adapter.safetensors").items():
        if name.endswith((".up", ".down")):
            thin = value * (STRENGTH if name.endswith(".down") else 1.0)
            scale = np.maximum(np.abs(thin).max(axis=1), 1e-12) / 127
            out[name] = np.round(thin / scale[:, None]).astype(np.int8)
            out[f"{name}.scale"] = scale.astype(np.float32)
        else:
            out[name] = value.astype(np.float16)
    weights = folder / "large-judge.safetensors"
    save_file(out, weights)
    checksums = {
        "weights": _checksum(base / "model.safetensors"),
        "tokenizer": _checksum(base / "tokenizer.json"),
    }
    _tell("belie-large-judge", weights, folder / "large-judge.json", {"base": checksums})


def _tell(name: str, weights: Path, about: Path, more: dict[str, Any]) -> None:
    told = {
        "name": f"{name}-{hashlib.blake2b(weights.read_bytes(), digest_size=4).hexdigest()}",
        "labels": list(LABELS),
        "max_tokens": MAX_TOKENS,
        "temperature": 1.0,
        "form": "int8",
        "context": True,
        **more,
    }
    about.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(f"{weights}: {weights.stat().st_size / 1e6:.1f} MB")


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
