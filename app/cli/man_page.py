"""The man page, made from the commands themselves: `python -m app.cli.man_page > docs/belie.1`."""

from __future__ import annotations

from collections.abc import Iterator

import app
from app.cli.capture import EXAMPLES
from app.cli.option_tree import Option, Place, places

_EXIT = {
    "0": "Done. For check: nothing contradicts itself. For judge: the pair would not be shown.",
    "1": "For check and --plain: open conflicts. For judge: the pair would be shown. For doctor: the store "
    "is damaged. For repair: a decision could not be made again.",
    "2": "An error, explained on stderr.",
    "9": "A statement was not stored, because it contradicts what is held.",
    "141": "Whoever read the output left before its end.",
}
_VARIABLES = {
    "BELIE_HOME": "A folder for everything Belie keeps, in place of the folders named below.",
    "BELIE_MODELS": "rules, embedded or a GGUF file: what reads, before what the configuration says.",
    "BELIE_DEBUG": "Set to show where an unexpected error arose.",
    "NO_COLOR": "Set to print without colour.",
    "VISUAL, EDITOR": "The editor that notes are opened in.",
}
_FILES = {
    "~/.config/belie/config.yaml": "Your settings.",
    "~/.local/state/belie": "The store of each vault, backups of edited notes, pulled models, the demo.",
    "~/.cache/belie": "Converted models.",
}
_ALWAYS = ("-h", "--vault", "--json", "--fork")


def man_page() -> str:
    front, *rest = places()
    return "\n".join(
        [
            f'.TH BELIE 1 "" "belie {app.__version__}" "User Commands"',
            *_section("NAME", "belie \\- shows where your notes contradict themselves"),
            ".SH SYNOPSIS",
            *(f".B {line}\n.br" for line in ("belie [VAULT] [--plain]", "belie --demo", "belie COMMAND …")),
            *_section("DESCRIPTION", _text(
                f"{front.summary} Without a command, belie opens the workspace; where stdout is no terminal, "
                "it prints the report of check. Everything happens on this machine; only models pull opens a "
                "connection."
            )),
            ".SH OPTIONS",
            *(line for option in front.options for line in _option(option)),
            ".SH COMMANDS",
            _text(
                "Commands about a vault take --vault V; without it, they use the known vault that the "
                "current folder is or lies in, else the last one opened. With --json they print one JSON "
                "object; only mirror, writeback and export do not."
            ),
            *(line for place in rest for line in _command(place)),
            *_section("REMEMBER, LEARN, INGEST OR SUPERSEDE", f".nf\n{_text(EXAMPLES.rstrip())}\n.fi"),
            *_table("EXIT STATUS", _EXIT),
            *_table("ENVIRONMENT", _VARIABLES),
            *_table("FILES", _FILES),
            "",
        ]
    )  # fmt: skip


def _section(title: str, text: str) -> Iterator[str]:
    yield f".SH {title}"
    yield text


def _table(title: str, rows: dict[str, str]) -> Iterator[str]:
    yield f".SH {title}"
    for name, told in rows.items():
        yield from (".TP", f".B {_text(name)}", _text(told))


def _command(place: Place) -> Iterator[str]:
    yield ".TP"
    yield f".B {_text(' '.join(['belie', place.path, *place.arguments]))}"
    yield _text(f"{place.summary[0].upper()}{place.summary[1:]}.")
    own = [option for option in place.options if not {*option.flags} & {*_ALWAYS}]
    if own:
        yield ".RS"
        for option in own:
            yield from _option(option)
        yield ".RE"


def _option(option: Option) -> Iterator[str]:
    yield ".TP"
    yield f".B {_text(', '.join(option.flags) + (f' {option.metavar}' if option.metavar else ''))}"
    yield _text(option.help)


def _text(text: str) -> str:
    """Plain words in roff: no line of them is a request, and a dash can be copied as one."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.split("\n"))


if __name__ == "__main__":
    print(man_page(), end="")
