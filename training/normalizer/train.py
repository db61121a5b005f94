"""Tunes a LoRA adapter of SmolLM2-135M to read statements, on the CPU.

    python -m training.normalizer.train TRAIN_FOLDER OUT [--passes 3] [--rows N]

TRAIN_FOLDER holds norms/n*.jsonl; n5 is left out for measuring. The base is the GGUF of the installed
package, dequantized, so that the adapter fits the very weights it runs on. OUT gets a checkpoint after
each pass (OUT/adapter, in peft's form) and, at the end, normalizer-lora.gguf.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from app.models.files import default_llama
from training.normalizer.adapter import write_adapter
from training.normalizer.augment import varied
from training.normalizer.rows import training_rows

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
RANK = 8
ALPHA = 16
Example = tuple[list[int], list[int]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--rows", type=int, help="only so many rows, to try it out")
    parser.add_argument("--rate", type=float, default=8e-4)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--minutes", type=float, default=1e9, help="end by then, however many passes that makes"
    )
    options = parser.parse_args()
    rows = [(row.asked, row.answer) for row in training_rows(options.train) if row.asked][: options.rows]
    print(f"{len(rows)} rows", flush=True)
    rng = random.Random(options.seed)
    torch.manual_seed(options.seed)
    tokenizer, model = load()
    model = adapted(model)
    step, began = 0, time.monotonic()
    steps = options.passes * -(-len(rows) // options.batch)
    chosen = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(chosen, lr=options.rate, weight_decay=0.01, betas=(0.9, 0.98))
    for number in range(options.passes):
        fresh = [varied(asked, answer, rng) if number else (asked, answer) for asked, answer in rows]
        examples = [tokens(tokenizer, asked.prompt(tuned=True), answer) for asked, answer in fresh]
        for batch in batches(examples, options.batch, rng):
            spent = max(step / steps, (time.monotonic() - began) / 60 / options.minutes)
            rate = options.rate * min(1.0, (step + 1) / 20) * max(0.02, 1 - spent)
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = batch_loss(model, batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(chosen, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1
            if step % 5 == 0:
                seconds = time.monotonic() - began
                print(f"step {step}/{steps} loss {loss.item():.3f} {seconds:.0f} s", flush=True)
            if spent >= 1:
                break
        model.save_pretrained(options.out / "adapter")
    write_adapter(model, options.out / "normalizer-lora.gguf")


def load() -> tuple[Any, Any]:
    """The base model, dequantized, and its tokenizer."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = default_llama()
    if path is None:
        raise SystemExit("the package with the base model is not installed: make models")
    where: dict[str, Any] = {"gguf_file": path.name}
    tokenizer = AutoTokenizer.from_pretrained(path.parent, **where)
    model = AutoModelForCausalLM.from_pretrained(path.parent, dtype=torch.float32, **where)
    return tokenizer, model


def adapted(model: Any) -> Any:
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=RANK, lora_alpha=ALPHA, lora_dropout=0.0, target_modules=TARGETS, task_type="CAUSAL_LM"
    )
    return get_peft_model(model, config)


def tokens(tokenizer: Any, prompt: str, answer: str) -> Example:
    """Prompt and answer are tokenized apart, as they are when the model writes."""
    return (
        tokenizer.encode(prompt, add_special_tokens=False),
        [*tokenizer.encode(answer, add_special_tokens=False), tokenizer.eos_token_id],
    )


def batches(examples: Sequence[Example], size: int, rng: random.Random) -> list[list[Example]]:
    """Examples of similar length together, in random order."""
    order = sorted(range(len(examples)), key=lambda n: (sum(map(len, examples[n])), rng.random()))
    made = [[examples[n] for n in order[at : at + size]] for at in range(0, len(order), size)]
    rng.shuffle(made)
    return made


def batch_loss(model: Any, batch: Sequence[Example]) -> Any:
    """Cross-entropy over the answers' tokens alone; only there are logits computed at all."""
    width = max(len(p) + len(a) for p, a in batch)
    ids = torch.zeros(len(batch), width, dtype=torch.long)
    mask = torch.zeros(len(batch), width, dtype=torch.long)
    goal = torch.full((len(batch), width), -100)
    for n, (prompt, answer) in enumerate(batch):
        whole = [*prompt, *answer]
        ids[n, : len(whole)] = torch.tensor(whole)
        mask[n, : len(whole)] = 1
        goal[n, len(prompt) - 1 : len(whole) - 1] = torch.tensor(answer)
    base = model.get_base_model()
    hidden = base.model(input_ids=ids, attention_mask=mask).last_hidden_state
    wanted = goal >= 0
    return torch.nn.functional.cross_entropy(base.lm_head(hidden[wanted]), goal[wanted])


if __name__ == "__main__":
    main()
