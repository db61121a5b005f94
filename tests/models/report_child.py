"""The model process with a language model that dies or stalls on demand, where LLAMA says."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

from app.models import child


class Faulty:
    """Nothing of llama.cpp is loaded, so that the tests need none."""

    model = "faulty"

    def complete(self, *_: Any) -> Any:
        if os.environ["LLAMA"] == "stalls":
            threading.Event().wait()
        os.kill(os.getpid(), signal.SIGILL)


def load_llama(_: Any) -> Any:
    if os.environ["LLAMA"] == "dies loading":
        os.kill(os.getpid(), signal.SIGILL)
    return Faulty()


if __name__ == "__main__":
    child.load_llama = load_llama
    sys.exit(child.main(sys.argv[1:]))
