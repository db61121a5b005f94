"""The trained judge in the form Belie ships: one ONNX file, its tokenizer, and what it is.

python -m training.judge.export TRAINED OUT_FOLDER --as int8|fp16|fp32 [--temperature T]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path

from app.models.bert_onnx import Classified, Shape, build
from app.models.files import JudgeFiles
from app.models.sentence_folder import read_weights
from training.judge.fit import MAX_TOKENS
from training.judge.rows import LABELS


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trained", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--as", dest="form", choices=("int8", "fp16", "fp32"), default="int8")
    parser.add_argument("--temperature", type=float, default=1.0)
    options = parser.parse_args()
    config = json.loads((options.trained / "config.json").read_text(encoding="utf-8"))
    model = build(read_weights(options.trained), Shape.of(config), Classified(len(LABELS)), options.form)
    data = model.SerializeToString()
    options.out.mkdir(parents=True, exist_ok=True)
    files = JudgeFiles.within(options.out)
    files.model.write_bytes(data)
    shutil.copyfile(options.trained / "tokenizer.json", files.tokenizer)
    about = {
        "name": f"belie-judge-{hashlib.blake2b(data, digest_size=4).hexdigest()}",
        "labels": list(LABELS),
        "max_tokens": MAX_TOKENS,
        "temperature": options.temperature,
        "form": options.form,
    }
    files.about.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(f"{files.model}: {len(data) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
