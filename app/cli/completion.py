"""`belie completion`: a script that lets bash, zsh or fish complete commands, options and their values.

All three work alike: the words typed so far lead to a place of the command line (`conflicts show`), skipping
the values of options; what can come next is looked up by that place and the word before.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

from app.cli.option_tree import Option, Place, Value, places


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "completion",
        epilog="To have it in every new shell, keep it where the shell looks:\n\n"
        "  belie completion bash > ~/.local/share/bash-completion/completions/belie\n"
        "  belie completion zsh > ~/.zfunc/_belie    (in ~/.zshrc, above compinit: fpath+=~/.zfunc)\n"
        "  belie completion fish > ~/.config/fish/completions/belie.fish\n",
    )
    parser.add_argument("shell", choices=tuple(_SCRIPTS), help="which shell the script is for")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    print(_SCRIPTS[options.shell](places()), end="")
    return 0


def _bash(found: Sequence[Place]) -> str:
    behind = "".join(
        f"        {_or(options)}) {_bash_offer(value)}; return ;;\n" for value, options in _by_value(found)
    )
    here = "".join(f'        "{p.path}") {_bash_offer(_everything(p))} ;;\n' for p in found)
    return f"""\
_belie_offer() {{  # KIND WORDS: what begins as the word at the cursor
    local cur=${{COMP_WORDS[COMP_CWORD]}}
    mapfile -t COMPREPLY < <(compgen -W "$2" -- "$cur"; [[ -z $1 ]] || compgen "$1" -- "$cur")
    [[ -z $1 ]] || compopt -o filenames 2> /dev/null
}}
_belie() {{
    local place="" word i
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${{COMP_WORDS[i]}}
        case "$place $word" in
            {_or(_steps(found))}) place="${{place:+$place }}$word" ;;
            {_or(_taking(found))}) ((i++)) ;;
        esac
    done
    case "$place ${{COMP_WORDS[COMP_CWORD-1]}}" in
{behind}    esac
    case "$place" in
{here}    esac
}}
complete -F _belie belie
"""


def _bash_offer(value: Value) -> str:
    kind = "-f" if value.file else "-d" if value.folder else ""
    return f'_belie_offer "{kind}" "{" ".join(value.words)}"'


def _zsh(found: Sequence[Place]) -> str:
    behind = "".join(
        f"        {_or(options)}) {_zsh_offer(value)}; return ;;\n" for value, options in _by_value(found)
    )
    here = "".join(f'        "{place.path}")\n{_zsh_place(place)}            ;;\n' for place in found)
    return f"""\
#compdef belie
_belie() {{
    local place="" word i
    local -a commands options
    for ((i = 2; i < CURRENT; i++)); do
        word=$words[i]
        case "$place $word" in
            {_or(_steps(found))}) place="${{place:+$place }}$word" ;;
            {_or(_taking(found))}) ((i++)) ;;
        esac
    done
    case "$place $words[CURRENT-1]" in
{behind}    esac
    case "$place" in
{here}    esac
    (( $#commands )) && _describe command commands
    (( $#options )) && _describe -o option options
}}
if [[ $funcstack[1] == _belie ]]; then _belie "$@"; else compdef _belie belie; fi
"""


def _zsh_offer(value: Value) -> str:
    offers = [f"compadd -- {' '.join(value.words)}"] if value.words else []
    offers += ["_files"] if value.file else ["_files -/"] if value.folder else []
    return "; ".join(offers) or ":"


def _zsh_place(place: Place) -> str:
    def array(name: str, pairs: Sequence[tuple[str, str]]) -> str:
        words = " ".join(_quoted(f"{word.replace(':', chr(92) + ':')}:{told}") for word, told in pairs)
        return f"            {name}=({words})\n" if pairs else ""

    options = [(flag, option.help) for option in place.options for flag in option.flags]
    offered = _zsh_offer(place.value)
    files = f"            {offered}\n" if offered != ":" else ""
    return array("commands", place.inner) + array("options", options) + files


def _fish(found: Sequence[Place]) -> str:
    lines = [_FISH_PLACE.format(steps=_fish_list(_steps(found)), taking=_fish_list(_taking(found)))]
    for place in found:
        at = f"complete -c belie -n '__belie_at \"{place.path}\"'"
        lines += [f"{at} -f -a {name} -d {_quoted(told)}" for name, told in place.inner]
        if place.value.words:
            lines.append(f"{at} -f -a {_quoted(' '.join(place.value.words))}")
        if place.value.file:
            lines.append(f"{at} -F")
        elif place.value.folder:
            lines.append(f"{at} -f -a '(__fish_complete_directories)'")
        lines += [f"{at} {_fish_option(option)}" for option in place.options]
    return "\n".join(["complete -c belie -f", *lines, ""])


_FISH_PLACE = """\
function __belie_at
    set -l place ""
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- "$place $word" {steps}
            set place (string trim "$place $word")
        else if contains -- "$place $word" {taking}
            set skip 1
        end
    end
    test "$place" = "$argv[1]"
end"""


def _fish_option(option: Option) -> str:
    flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
    told = f"{flags} -d {_quoted(option.help)}"
    if option.value is None:
        return told
    words = list(option.value.words)
    if option.value.folder:
        words.append("(__fish_complete_directories)")
    offered = f" -a {_quoted(' '.join(words))}" if words else ""
    return f"{told} -r {'-F' if option.value.file else '-f'}{offered}"


def _steps(found: Sequence[Place]) -> Iterator[str]:
    """The place and the next word that lead to another place."""
    for place in found:
        if place.path:
            before, _, word = place.path.rpartition(" ")
            yield f"{before} {word}"


def _taking(found: Sequence[Place]) -> Iterator[str]:
    """The place and an option there that takes the word behind it."""
    return (option for _, options in _by_value(found) for option in options)


def _by_value(found: Sequence[Place]) -> list[tuple[Value, list[str]]]:
    """What options take, each with the places and options where it does."""
    options: dict[Value, list[str]] = {}
    for place in found:
        for option in place.options:
            if option.value is not None:
                options.setdefault(option.value, []).extend(f"{place.path} {flag}" for flag in option.flags)
    return list(options.items())


def _everything(place: Place) -> Value:
    words = [name for name, _ in place.inner] + [flag for o in place.options for flag in o.flags]
    return Value((*words, *place.value.words), place.value.folder, place.value.file)


def _or(words: Iterable[str]) -> str:
    return "|".join(f'"{word}"' for word in words)


def _fish_list(words: Iterable[str]) -> str:
    return " ".join(f'"{word}"' for word in words)


def _quoted(text: str) -> str:
    """In single quotes, for all three shells; an apostrophe becomes a typographic one."""
    return "'" + text.replace("'", "’") + "'"


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
