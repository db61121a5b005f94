"""How long the nearest neighbours of a claim take among 1,000, 10,000 and 100,000."""

from __future__ import annotations

import argparse
import time

import numpy

from app.models.neighbours import Neighbours

WIDTH = 384
TIMES = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("-k", type=int, default=10)
    options = parser.parse_args()
    random = numpy.random.default_rng(1)
    for size in options.sizes:
        vectors = random.normal(size=(size, WIDTH)).astype(numpy.float32)
        vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
        held = Neighbours(WIDTH)
        start = time.perf_counter()
        held.add_many((f"{n:08x}", vector) for n, vector in enumerate(vectors))
        adding = time.perf_counter() - start
        took = []
        for n in range(TIMES):
            start = time.perf_counter()
            held.nearest_of([f"{n:08x}"], options.k)
            took.append(time.perf_counter() - start)
        many = [f"{n:08x}" for n in range(min(size, 512))]
        start = time.perf_counter()
        held.nearest_of(many, options.k)
        each = (time.perf_counter() - start) / len(many)
        start = time.perf_counter()
        for n in range(TIMES):
            held.remove(f"{n:08x}")
            held.add_many([(f"{n:08x}", vectors[n])])
        change = (time.perf_counter() - start) / TIMES
        took.sort()
        print(
            f"{size:>8,} claims  one query {took[TIMES // 2] * 1e3:6.2f} ms (slowest {took[-1] * 1e3:6.2f})  "
            f"of many {each * 1e3:6.2f} ms each  replace {change * 1e6:5.0f} µs  filling {adding:5.2f} s"
        )


if __name__ == "__main__":
    main()
