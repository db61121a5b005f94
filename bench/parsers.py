"""Compare Markdown parsers on a folder of notes: speed, and whether they tell source lines.

    python bench/parsers.py FOLDER [--repeat N]

Each candidate parses every note once per round; the best round counts (CPU time). The last lines are the
reader itself, so that its cost can be set against merely parsing.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

SAMPLE = "para one\nwraps\n\n- item a\n- item b\n\n| h | i |\n|---|---|\n| c | d |\n| e | f |\n"
"""Paragraph on lines 1-2, items on 4 and 5, body rows on 9 and 10."""

Parse = Callable[[str], Any]
Lines = Callable[[], dict[str, str]]


def markdown_it(block_only: bool) -> tuple[Parse, Lines]:
    parser = (
        importlib.import_module("markdown_it").MarkdownIt("commonmark").enable(["table", "strikethrough"])
    )

    def blocks(text: str) -> Any:
        tokens: list[Any] = []
        parser.block.parse(text, parser, {}, tokens)
        return tokens

    def lines() -> dict[str, str]:
        found: dict[str, list[int]] = {"paragraph_open": [], "list_item_open": [], "tr_open": []}
        for token in parser.parse(SAMPLE):
            if token.type in found and token.map:
                found[token.type].append(token.map[0] + 1)
        return told(found["list_item_open"], found["tr_open"], found["paragraph_open"])

    return (blocks if block_only else parser.parse), lines


def mistletoe() -> tuple[Parse, Lines]:
    document = importlib.import_module("mistletoe").Document

    def lines() -> dict[str, str]:
        found: dict[str, list[int]] = {"Paragraph": [], "ListItem": [], "TableRow": []}
        collect(document(SAMPLE), found, lambda node: getattr(node, "line_number", None))
        return told(found["ListItem"], found["TableRow"], found["Paragraph"])

    return document, lines


def marko() -> tuple[Parse, Lines]:
    parser = importlib.import_module("marko").Markdown(extensions=["gfm"])

    def lines() -> dict[str, str]:
        found: dict[str, list[int]] = {"Paragraph": [], "ListItem": [], "TableRow": []}
        collect(parser.parse(SAMPLE), found, lambda node: getattr(node, "line_number", None))
        return told(found["ListItem"], found["TableRow"], found["Paragraph"])

    return parser.parse, lines


def tree_sitter() -> tuple[Parse, Lines]:
    binding = importlib.import_module("tree_sitter")
    grammar = importlib.import_module("tree_sitter_markdown")
    parser = binding.Parser(binding.Language(grammar.language()))

    def parse(text: str) -> Any:
        return parser.parse(text.encode("utf-8", "replace"))

    def lines() -> dict[str, str]:
        found: dict[str, list[int]] = {"paragraph": [], "list_item": [], "pipe_table_row": []}
        waiting = [parse(SAMPLE).root_node]
        while waiting:
            node = waiting.pop()
            if node.type in found:
                found[node.type].append(node.start_point[0] + 1)
            waiting.extend(node.children)
        return told(found["list_item"], found["pipe_table_row"], found["paragraph"])

    return parse, lines


CANDIDATES: dict[str, Callable[[], tuple[Parse, Lines]]] = {
    "markdown-it-py, full": lambda: markdown_it(block_only=False),
    "markdown-it-py, blocks only": lambda: markdown_it(block_only=True),
    "mistletoe": mistletoe,
    "marko (gfm)": marko,
    "tree-sitter-markdown, blocks": tree_sitter,
}


def collect(node: Any, found: dict[str, list[int]], line_of: Callable[[Any], int | None]) -> None:
    name = type(node).__name__
    line = line_of(node)
    if name in found and line is not None:
        found[name].append(line)
    children = getattr(node, "children", None)
    for child in children if isinstance(children, (list, tuple)) else ():
        collect(child, found, line_of)


def told(items: list[int], rows: list[int], paragraphs: list[int]) -> dict[str, str]:
    """Which of the sample's lines a parser gives rightly."""

    def verdict(wanted: set[int], given: list[int]) -> str:
        return "yes" if wanted <= set(given) else "wrong" if given else "no"

    return {
        "items": verdict({4, 5}, items),
        "rows": verdict({9, 10}, rows),
        "paragraphs": verdict({1}, paragraphs),
    }


def best(work: Callable[[], None], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(parse: Parse, texts: list[str], repeat: int) -> tuple[float, int]:
    """Seconds for all notes, and how many could not be parsed."""
    failed: set[int] = set()

    def work() -> None:
        for number, text in enumerate(texts):
            try:
                parse(text)
            except Exception:  # a bench of foreign parsers: whatever they raise is counted
                failed.add(number)

    return best(work, repeat), len(failed)


def reader(root: Path, paths: list[Path], repeat: int) -> tuple[float, int]:
    from app.vault.note import read_note
    from app.vault.settings import vault_settings

    settings = vault_settings(root)
    notes = [(path.relative_to(root).as_posix(), path.read_bytes()) for path in paths]
    count = 0

    def work() -> None:
        nonlocal count
        count = sum(len(read_note(name, data, settings).statements) for name, data in notes)

    return best(work, repeat), count


def main() -> int:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--repeat", type=int, default=1)
    given = arguments.parse_args()
    paths = sorted(path for path in given.folder.rglob("*.md") if path.is_file())
    if not paths:
        print(f"no notes in {given.folder}", file=sys.stderr)
        return 2
    texts = [path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n") for path in paths]
    megabytes = sum(len(text.encode("utf-8", "replace")) for text in texts) / 1e6
    print(f"{len(paths)} notes, {megabytes:.1f} MB")
    print(
        f"{'parser':<30} {'seconds':>8} {'MB/s':>7} {'items':>7} {'rows':>6} {'paragraphs':>11} {'failed':>7}"
    )
    full = 0.0
    for name, make in CANDIDATES.items():
        try:
            parse, lines = make()
        except ImportError:
            print(f"{name:<30} not installed")
            continue
        seconds, failed = measure(parse, texts, given.repeat)
        full = full or seconds
        known = lines()
        print(
            f"{name:<30} {seconds:>8.2f} {megabytes / seconds:>7.2f} {known['items']:>7} {known['rows']:>6} "
            f"{known['paragraphs']:>11} {failed:>7}"
        )
    seconds, count = reader(given.folder, paths, given.repeat)
    print(f"{'reading into statements':<30} {seconds:>8.2f} {megabytes / seconds:>7.2f}   {count} statements")
    print(f"reading / full markdown-it-py parse = {seconds / full:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
