"""The documentation is true: its commands run and print what it shows, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from app import settings
from app.cli.main import main
from app.cli.man_page import man_page
from app.cli.option_tree import places
from app.services.errors import ServiceError
from app.settings import MODEL_KEYS
from app.tui.commands import COMMANDS
from app.vault.settings import VaultSettings

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
_EXACT = ("judge", "normalize")
_CUT = "…"
"""A line of the documentation that stands for lines left out."""


@dataclass(frozen=True)
class Example:
    """A console block: commands typed one after the other, each with the lines shown under it."""

    page: str
    commands: tuple[tuple[str, tuple[str, ...]], ...]

    def __str__(self) -> str:
        return f"{self.page}: {self.commands[0][0]}"


def examples() -> Iterator[Example]:
    for page in PAGES:
        for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
            parts = [p.rstrip("\n").split("\n") for p in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
            yield Example(page.name, tuple((command, tuple(shown)) for command, *shown in parts))


EXAMPLES = list(examples())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the sample vault, since some examples write, and a home."""
    return tmp_path_factory.mktemp("project")


@pytest.fixture
def belie(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample vault as it comes, checked once; a wide terminal and no colour."""
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("BELIE_HOME", str(folder / "home"))
    vault, home, checked = folder / "sample_vault", folder / "home", folder / "checked"
    for old in (vault, home):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(ROOT / "sample_vault", vault)
    monkeypatch.chdir(folder)
    if not checked.exists():
        main(["check", "sample_vault"])
        shutil.copytree(home, checked)
    else:
        shutil.copytree(checked, home)


def plain(line: str) -> str:
    return " ".join(line.split())


@pytest.mark.usefixtures("belie")
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_command_prints_what_the_page_shows(example: Example, capsys: pytest.CaptureFixture[str]) -> None:
    for command, lines in example.commands:
        program, *arguments = shlex.split(command)
        assert program == "belie"
        capsys.readouterr()
        try:
            code = main(arguments)
        except ServiceError:
            code = 2
        # A check of the sample vault finds conflicts, a pair may be one, a blocked capture says so.
        blocked = any(line.startswith("Not stored") for line in lines)
        found = "check" in arguments or "--demo" in arguments
        found = found or (arguments[0] == "judge" and "tier clean" not in lines[0])
        assert code == (9 if blocked else 1 if found else 0)
        printed = [plain(line) for line in capsys.readouterr().out.splitlines() if line.strip()]
        shown = [plain(line) for line in lines if line.strip() and line.strip() != _CUT]
        if arguments[0] in _EXACT and any(line.strip() == _CUT for line in lines):
            rest = iter(printed)
            assert [line for line in shown if line not in rest] == [], "missing, or in another order"
        elif arguments[0] in _EXACT:
            assert printed == shown
        else:
            missing = [line for line in shown if line not in printed]
            assert missing == []


def commands() -> dict[str, set[str]]:
    """Every command of the command line with its options, those of its own commands included."""
    found: dict[str, set[str]] = {}
    for place in places():
        flags = {flag for option in place.options for flag in option.flags} - {"-h", "--help"}
        found.setdefault(place.path.partition(" ")[0], set()).update(flags)
    return {name: flags for name, flags in found.items() if name}


def test_the_page_of_commands_has_an_example_of_every_command() -> None:
    shown = {
        shlex.split(command)[1] for e in EXAMPLES if e.page == "commands.md" for command, _ in e.commands
    }
    assert shown == set(commands())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in commands() if f"`{name}`" not in readme and f"**{name}**" not in readme] == []


def test_the_page_of_commands_names_every_option() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    missing = {name: sorted(o for o in has if f"`{o}" not in page) for name, has in commands().items()}
    assert {name: left for name, left in missing.items() if left} == {}


def test_the_man_page_is_that_of_the_commands() -> None:
    assert (ROOT / "docs" / "belie.1").read_text(encoding="utf-8") == man_page()


def links(page: Path) -> list[str]:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    return [link for link in _LINK.findall(text) if "://" not in link]


def anchor(heading: str) -> str:
    """As Markdown viewers make them: lower case, blanks as dashes, no punctuation."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in links(page):
        path, _, fragment = link.partition("#")
        target = (page.parent / path) if path else page
        if not target.exists():
            broken.append(link)
        elif fragment:
            headings = {anchor(h) for h in _HEADING.findall(target.read_text(encoding="utf-8"))}
            if fragment not in headings:
                broken.append(link)
    assert broken == []


def test_every_page_can_be_found() -> None:
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in (ROOT / "README.md", ROOT / "docs" / "architecture.md")
        for link in links(page)
    }
    assert [p.name for p in sorted((ROOT / "docs").glob("*.md")) if p not in linked] == []


def configuration() -> str:
    return (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")


def test_every_setting_is_described() -> None:
    names = {f.name for f in fields(VaultSettings)} | {
        "editor",
        "theme",
        "keys",
        "inbox",
        "vaults",
        "strategies",
        "models",
        *MODEL_KEYS,
    }
    assert [name for name in sorted(names) if f"`{name}`" not in configuration()] == []


def test_the_example_configuration_is_taken_whole(tmp_path: Path) -> None:
    for block in re.findall(r"^```yaml\n(.*?)^```$", configuration(), re.MULTILINE | re.DOTALL):
        if "colours:" in block:
            continue
        file = tmp_path / "config.yaml"
        file.write_text(block, encoding="utf-8")
        found = settings.load(file)
        assert found.problems == ()
        assert found != settings.Settings()


def test_every_command_that_can_have_another_key_is_named() -> None:
    areas = "|".join(sorted({command.id.partition(".")[0] for command in COMMANDS}))
    described = set(re.findall(rf"`((?:{areas})\.\w+)`", configuration()))
    assert described == {command.id for command in COMMANDS if command.group is None}


def test_every_variable_of_the_environment_is_described() -> None:
    used = {
        name
        for file in (ROOT / "app").rglob("*.py")
        for name in re.findall(r"[\"'](BELIE_[A-Z]+)[\"']", file.read_text(encoding="utf-8"))
    }
    assert used
    assert [name for name in sorted(used) if f"`{name}`" not in configuration()] == []
