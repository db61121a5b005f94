"""How much each word tells: common words of notes weigh little.

python -m training.decision.weights PARSES.pkl app/detection/word_weights.json
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
from collections import Counter
from pathlib import Path

from app.reading.tokens import stem

_RARE = 4


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parses", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    parses = pickle.loads(options.parses.read_bytes())
    used: Counter[str] = Counter()
    for parse in parses.values():
        used.update({stem(t.lemma) for t in parse if any(c.isalpha() for c in t.lemma)})
    top = math.log(len(parses) / _RARE)
    weights = {w: round(max(0.1, math.log(len(parses) / n) / top), 2) for w, n in used.items() if n > _RARE}
    told = {w: v for w, v in sorted(weights.items()) if v < 0.97}
    options.out.write_text(json.dumps(told, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(len(told), "words")


if __name__ == "__main__":
    main()
