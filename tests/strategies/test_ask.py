"""A person's resolver: loaded from their own folder only, in its own process, with a time limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.strategies.api import Resolution, ResolveContext
from app.strategies.ask import Failed, Resolvers, place
from tests.strategies.building import contradiction, member

GIVEN = contradiction(member("old", "2026-01-01"), member("new", "2026-05-01"))
CONTEXT = ResolveContext("/vault", "Farm", True, {"mode": "strict"})
HEAD = "from app.strategies import Resolution\n\n"
LONG = 30.0


@pytest.fixture
def config(tmp_path: Path) -> Path:
    folder = tmp_path / "config"
    folder.mkdir()
    return folder


def asked(config: Path, code: str, seconds: float = LONG, name: str = "f") -> Resolution | Failed:
    (config / "mine.py").write_text(HEAD + code, encoding="utf-8")
    with Resolvers(config, config.parent / "vault") as resolvers:
        return resolvers.ask(f"mine.py:{name}", GIVEN, CONTEXT, seconds)


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("def f(c, ctx): return Resolution.keep_existing(c, 'so')", Resolution("keep", "old", why="so")),
        ("async def f(c, ctx): return Resolution.accept_new(c)", Resolution("keep", "new")),
        ("def f(c, ctx): return Resolution.escalate(c)", Resolution("escalate")),
        (
            "def f(c, ctx): return Resolution.fallback_to(strategy='highest_trust')",
            Resolution("fallback", strategy="highest_trust"),
        ),
        ("def f(event): return 'accept_new'", Resolution("keep", "new")),
        ("async def f(event): return 'keep_existing'", Resolution("keep", "old")),
        (
            "def f(c, ctx):\n"
            "    assert (c.topic, c.existing.date, c.new.claim) == ('door code', '2026-01-01', 'new')\n"
            "    assert (ctx.options['mode'], ctx.folder, ctx.apply) == ('strict', 'Farm', True)\n"
            "    return Resolution.keep(c.members[0])",
            Resolution("keep", "old"),
        ),
        # Whatever it prints is not taken for an answer.
        ("def f(c, ctx):\n    print('{}')\n    return 'accept_new'", Resolution("keep", "new")),
    ],
)  # fmt: skip
def test_the_shapes_of_a_resolver(config: Path, code: str, answer: Resolution) -> None:
    assert asked(config, code) == answer


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def f(c, ctx):\n    return 1 / 0", "mine.py:f: ZeroDivisionError: division by zero, line 4"),
        ("def f(c, ctx): return None", "mine.py:f: it returned NoneType, not a Resolution"),
        (
            "def f(c, ctx): return Resolution.keep('other')",
            "mine.py:f: it would keep other, which is no member",
        ),
        ("def g(c, ctx): pass", "mine.py:f: it has no function f"),
        ("def f(:", "mine.py:f: SyntaxError"),
        ("raise SystemExit(3)", "mine.py:f: SystemExit: 3"),
        ("def f(c, ctx):\n    import os\n    os._exit(7)", "mine.py:f: its process ended (7)"),
        (
            "def f(c, ctx):\n    import os\n    [os.write(n, b'?\\n') for n in range(3, 9) if n in fds()]\n"
            "def fds():\n    import os\n    return {int(n) for n in os.listdir('/proc/self/fd')}",
            "mine.py:f: its answer cannot be read",
        ),
    ],
)
def test_what_goes_wrong_is_told(config: Path, code: str, told: str) -> None:
    found = asked(config, code)
    assert isinstance(found, Failed) and not found.late
    assert found.why.startswith(told)


def test_a_resolver_that_does_not_answer_is_ended(config: Path) -> None:
    code = (
        "import os, pathlib, threading\n"
        "def f(c, ctx):\n"
        "    pathlib.Path(__file__).with_name('pid').write_text(str(os.getpid()))\n"
        "    threading.Event().wait()\n"
    )
    (config / "mine.py").write_text(code, encoding="utf-8")
    with Resolvers(config, config.parent / "vault") as resolvers:
        assert resolvers.check("mine.py:f", LONG) is None
        found = resolvers.ask("mine.py:f", GIVEN, CONTEXT, 1.0)
    assert found == Failed("mine.py:f: no answer within 1 seconds", late=True)
    pid = int((config / "pid").read_text())
    assert not Path(f"/proc/{pid}").exists() or not Path("/proc").exists()


def test_after_three_silences_it_is_not_asked_again(config: Path) -> None:
    code = (
        "import pathlib, threading\nfile = pathlib.Path(__file__).with_name('asked')\n"
        "def f(c, ctx):\n    file.open('a').write('x')\n    threading.Event().wait()\n"
    )
    (config / "mine.py").write_text(code, encoding="utf-8")
    with Resolvers(config, config.parent / "vault") as resolvers:
        for _ in range(5):
            assert resolvers.check("mine.py:f", LONG) is None or (config / "asked").read_text() == "xxx"
            found = resolvers.ask("mine.py:f", GIVEN, CONTEXT, 1.0)
            assert isinstance(found, Failed) and found.late
    assert (config / "asked").read_text() == "xxx"


def test_only_files_of_the_configuration_folder_are_loaded(config: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    for folder in (vault, tmp_path):
        (folder / "evil.py").write_text("def f(c): return 'accept_new'", encoding="utf-8")
    (config / "link.py").symlink_to(vault / "evil.py")
    for named in (
        "../evil.py:f",
        "../vault/evil.py:f",
        f"{vault}/evil.py:f",
        "link.py:f",
        "absent.py:f",
        ".:f",
    ):
        assert isinstance(place(named, config, vault), Failed), named
    (config / "mine.py").write_text("", encoding="utf-8")
    assert place("mine.py:f", config, vault) == (config / "mine.py").resolve()
    # A configuration folder inside the vault is the vault's word, not the person's.
    assert isinstance(place("mine.py:f", config, tmp_path), Failed)
