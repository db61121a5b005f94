"""Tunes a LoRA adapter of SmolLM2-135M to read threads, on the CPU.

    python -m training.detective.train TRAIN_FOLDER MINED.jsonl OUT [--minutes 65] [--threads 2]

TRAIN_FOLDER holds norms/s*.jsonl and pairs/*.jsonl; of its stories only s1 and s2 are trained on. MINED holds
near pairs that are quiet (training.judge.mine). The base is the GGUF of the installed package, dequantized,
so that the adapter fits the very weights it runs on. OUT gets a checkpoint every few minutes (OUT/adapter, in
peft's form) and, at the end, detective-lora.gguf.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from app.detective.thread_prompt import END, written
from training.detective.rows import Row, training_rows
from training.normalizer.adapter import write_adapter
from training.normalizer.train import ALPHA, RANK, TARGETS, batches, load

LAYERS = range(6, 30)
"""The lower layers stay as they are: what they compute needs no way back, which saves time."""
_WORDS = 0.4
"""What the words after yes or no count, against yes and no."""
Example = tuple[list[int], list[int]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("mined", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--stories", type=int, default=2, help="how often each story is read")
    parser.add_argument("--quiet", type=int, default=3000, help="how many mined pairs are read")
    parser.add_argument("--minutes", type=float, default=65.0, help="end by then, however far it came")
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    rows = training_rows(options.train, options.mined, rng, of_stories=options.stories, quiet=options.quiet)
    tokenizer, base = load()
    examples = [tokens(tokenizer, row) for row in rows]
    order = batches(examples, options.batch, rng)
    print(f"{len(rows)} threads, {sum(len(p) + len(a) for p, a in examples):,} tokens", flush=True)
    model = _adapted(base)
    chosen = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(chosen, lr=options.rate, weight_decay=0.01, betas=(0.9, 0.98))
    began = saved = time.monotonic()
    loss_sum = right = seen = 0.0
    for step, batch in enumerate(order, 1):
        spent = max(step / len(order), (time.monotonic() - began) / 60 / options.minutes)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1.0, step / 20) * max(0.02, 1 - spent)
        loss, hits = batch_loss(model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(chosen, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        loss_sum, right, seen = loss_sum + loss.item(), right + hits, seen + len(batch)
        if step % 10 == 0:
            seconds = time.monotonic() - began
            print(
                f"step {step}/{len(order)} loss {loss_sum / 10:.3f} first right {right / seen:.2f} "
                f"{seconds:.0f} s",
                flush=True,
            )
            loss_sum = right = seen = 0.0
        if time.monotonic() - saved > 240:
            model.save_pretrained(options.out / "adapter")
            saved = time.monotonic()
        if spent >= 1:
            break
    model.save_pretrained(options.out / "adapter")
    write_adapter(model, options.out / "detective-lora.gguf", "Belie detective")


def _adapted(model: Any) -> Any:
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=RANK,
        lora_alpha=ALPHA,
        lora_dropout=0.0,
        target_modules=TARGETS,
        layers_to_transform=list(LAYERS),
        task_type="CAUSAL_LM",
    )
    return get_peft_model(model, config)


def tokens(tokenizer: Any, row: Row) -> Example:
    """Prompt and answer are tokenized apart, as they are when the model writes."""
    ends = [tokenizer.eos_token_id] if row.whole else []
    return (
        tokenizer.encode(written(row.said) + END, add_special_tokens=False),
        [*tokenizer.encode(row.answer, add_special_tokens=False), *ends],
    )


def batch_loss(model: Any, batch: Sequence[Example]) -> tuple[Any, int]:
    """Cross-entropy of yes or no, and of the words after it with less weight; and how many it got right."""
    width = max(len(p) + len(a) for p, a in batch)
    ids = torch.zeros(len(batch), width, dtype=torch.long)
    mask = torch.zeros(len(batch), width, dtype=torch.long)
    goal = torch.full((len(batch), width), -100)
    first = torch.zeros(len(batch), width, dtype=torch.bool)
    for n, (prompt, answer) in enumerate(batch):
        whole = [*prompt, *answer]
        ids[n, : len(whole)] = torch.tensor(whole)
        mask[n, : len(whole)] = 1
        goal[n, len(prompt) - 1 : len(whole) - 1] = torch.tensor(answer)
        first[n, len(prompt) - 1] = True
    base = model.get_base_model()
    hidden = base.model(input_ids=ids, attention_mask=mask).last_hidden_state
    wanted = goal >= 0
    logits, targets, firsts = base.lm_head(hidden[wanted]), goal[wanted], first[wanted]
    each = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
    rest = each[~firsts].mean() if bool((~firsts).any()) else each.new_zeros(())
    hits = int((logits[firsts].argmax(-1) == targets[firsts]).sum())
    return each[firsts].mean() + _WORDS * rest, hits


if __name__ == "__main__":
    main()
