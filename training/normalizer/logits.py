"""Writes down what the training framework computes with the adapter, for the test that llama.cpp agrees.

    python -m training.normalizer.logits ADAPTER_FOLDER [OUT.json]

For a few statements with answers: their tokens, and at each token of the answer the logits of the 24
likeliest tokens and of 8 others.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from app.reading.norm_prompt import Asked
from training.normalizer.train import load

OUT = Path(__file__).resolve().parents[2] / "tests" / "models" / "normalizer_logits.json"
CASES = (
    (Asked("key box code 5520, the old one is dead", "Cabin > Access"),
     " asserted | cabin key box code | is equals | 5520"),
    (Asked("[ ] renew the fishing licence before 31 March", "Admin 2026"),
     " planned | fishing licence renewal | should scheduled | 31 March"),
    (Asked("Ruth says 3.5 °C is too cold — use 5 °C", "Cellar"),
     " reported | cellar temperature | should equals | 5 °C"),
    (Asked("what a day", "2026-02-11"), " none"),
)  # fmt: skip
_LIKELIEST, _OTHERS = 24, 8


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("adapter", type=Path)
    parser.add_argument("out", type=Path, nargs="?", default=OUT)
    options = parser.parse_args()
    record(options.adapter, options.out, [(asked.prompt(tuned=True), answer) for asked, answer in CASES])


def record(adapter: Path, out: Path, cases: Sequence[tuple[str, str]]) -> None:
    """Prompts and answers, with what the model computes at each token of the answer."""
    from peft import PeftModel

    tokenizer, base = load()
    model = PeftModel.from_pretrained(base, adapter).eval()
    made = [_case(tokenizer, model, prompt, answer) for prompt, answer in cases]
    out.write_text("[\n" + ",\n".join(json.dumps(case) for case in made) + "\n]\n", encoding="utf-8")


def _case(tokenizer: Any, model: Any, prompt: str, answer: str) -> dict[str, Any]:
    before = tokenizer.encode(prompt, add_special_tokens=False)
    after = tokenizer.encode(answer, add_special_tokens=False)
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([[*before, *after]])).logits[0].double()
    rng = random.Random(1)
    places = []
    for at in range(len(before) - 1, len(before) + len(after)):
        chosen = logits[at].topk(_LIKELIEST).indices.tolist()
        chosen += [rng.randrange(logits.shape[1]) for _ in range(_OTHERS)]
        places.append({"tokens": chosen, "logits": [round(logits[at][token].item(), 3) for token in chosen]})
    return {"prompt": prompt, "answer": answer, "before": before, "after": after, "places": places}


if __name__ == "__main__":
    main()
