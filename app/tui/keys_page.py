"""docs/keys.md, made from the commands; `python -m app.tui.keys_page` prints it."""

from __future__ import annotations

from app.tui.commands import AREAS, by_area


def keys_page() -> str:
    """The page as Markdown."""
    lines = [
        "# Keys",
        "",
        "Made from `app/tui/commands/` by `python -m app.tui.keys_page`. Inside Belie, `?` shows the same "
        "list and `Ctrl+P` finds any command by its name.",
    ]
    for area, commands in by_area().items():
        lines += ["", f"## {AREAS[area]}", "", "| key | command | what it does |", "|---|---|---|"]
        lines += [
            f"| {_keys(command.key_words())} | {command.name if command.group is None else 'keep side N'} "
            f"| {command.help} |"
            for command in commands
        ]
    return "\n".join(lines) + "\n"


def _keys(words: str) -> str:
    return words if "–" in words else " ".join(f"`{word}`" for word in words.split(" "))


if __name__ == "__main__":
    print(keys_page(), end="")
