"""Writes a peft LoRA adapter as the GGUF file that llama.cpp takes with `lora_path`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

_NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
Matrix = NDArray[numpy.float32]


def write_adapter(model: Any, path: Path, name: str = "Belie normalizer") -> None:
    """As float16: half the size, and its rounding is far below that of the base's four bits."""
    import gguf
    from peft import get_peft_model_state_dict

    settings = model.peft_config["default"]
    base = model.get_base_model().config
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, float(settings.lora_alpha))
    writer.add_name(name)
    writer.add_license("Apache-2.0")
    for key, tensor in get_peft_model_state_dict(model).items():
        target, part, heads = gguf_name(key, base.num_attention_heads, base.num_key_value_heads)
        values: Matrix = tensor.detach().float().numpy()
        if heads and part == "lora_b":
            values = permuted(values, heads)
        writer.add_tensor(f"{target}.weight.{part}", numpy.ascontiguousarray(values, dtype=numpy.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def gguf_name(name: str, heads: int, kv_heads: int) -> tuple[str, str, int]:
    """From peft's name to llama.cpp's, which half it is, and over how many heads its rows are spread."""
    parts = name.split(".")
    layer = parts[parts.index("layers") + 1]
    module = ".".join(parts[parts.index("layers") + 2 : parts.index("layers") + 4])
    part = "lora_a" if "lora_A" in name else "lora_b"
    spread = {"self_attn.q_proj": heads, "self_attn.k_proj": kv_heads}.get(module, 0)
    return f"blk.{layer}.{_NAMES[module]}", part, spread


def permuted(rows: Matrix, heads: int) -> Matrix:
    """llama.cpp turns neighbouring rows of a head together (rotary positions), transformers turns its two
    halves: so the base's query and key rows are interleaved, and the adapter's have to be."""
    size = rows.shape[0] // heads // 2
    return rows.reshape(heads, 2, size, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)
