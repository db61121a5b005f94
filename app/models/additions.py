"""What can be added to an installation, what it would bring, and the command that adds it."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app import places
from app.models.files import LARGE_NAME, default_llama, large_judge, package_folder

Extra = Literal["llama", "sentence-transformers"]
"""As pyproject.toml names them."""
LLAMA_FLAGS = "-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_BMI2=ON -DLLAVA_BUILD=OFF"
"""For x86-64. A native build dies with an illegal instruction where the processor announces what the system
does not grant."""


@dataclass(frozen=True, slots=True)
class Addition:
    name: str
    there: bool
    adds: str
    get: str
    """The command that adds it."""


def additions() -> list[Addition]:
    """Only file names are looked at."""
    return [
        Addition(
            LARGE_NAME,
            large_judge() is not None,
            "a judge that is right more often, and slower; 400 MB to download, 112 MB to keep",
            "make models" if places.in_checkout() else f"belie models pull {LARGE_NAME}",
        ),
        Addition(
            "llama",
            default_llama() is not None and package_folder("llama_cpp") is not None,
            "a language model that reads statements the rules cannot; needs a C++ compiler",
            install_command("llama"),
        ),
        Addition(
            "sentence-transformers",
            package_folder("sentence_transformers") is not None and package_folder("torch") is not None,
            "embedding models of your own, whatever their kind; over 1 GB",
            install_command("sentence-transformers"),
        ),
    ]


def install_command(extra: Extra) -> str:
    """The way Belie was installed, with the extra."""
    if places.in_checkout():
        return "make models"
    wanted = f'"{_requirement(extra)}"'
    prefix = Path(sys.prefix)
    if (prefix / "uv-receipt.toml").is_file():
        command = f"uv tool install --force {wanted}"
    elif (prefix / "pipx_metadata.json").is_file():
        command = f"pipx install --force {wanted}"
    else:
        command = f'"{sys.executable}" -m pip install {wanted}'
    return _with_flags(command) if extra == "llama" else command


def _requirement(extra: Extra) -> str:
    """Belie with the extra, from where it came."""
    try:
        stored = importlib.metadata.distribution("belie").read_text("direct_url.json")
        url = json.loads(stored)["url"] if stored else ""
    except (importlib.metadata.PackageNotFoundError, ValueError, KeyError, TypeError):
        url = ""
    return f"belie[{extra}] @ {url}" if url else f"belie[{extra}]"


def _with_flags(command: str) -> str:
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return command
    if sys.platform == "win32":
        return f'set "CMAKE_ARGS={LLAMA_FLAGS}" && {command}'
    return f'CMAKE_ARGS="{LLAMA_FLAGS}" {command}'
