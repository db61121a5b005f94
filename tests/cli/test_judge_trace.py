"""The trace of `belie judge`: every stage in order, each with its reason, at any width and without colour."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

import numpy
import pytest
from rich.cells import cell_len

from app.cli.judge import judge_pairs
from app.cli.statements import read_claims
from app.detection.decide import learnt
from app.models.host import ModelHost
from app.models.requests import Embedded, Failed, Judged
from app.models.setup import Setup
from app.words import Claim
from tests.cli.running import Run
from tests.robust.building import belie

RULE = ("Never deploy on Fridays", "Friday deploys are fine")
PORTS = ("Port: 8080", "Port: 9090", "--note-a", "Billing service", "--note-b", "Search service")
MOVED = (
    "The orders database is Postgres 14",
    "The orders database moved from Postgres 14 to Postgres 17",
    "--date-a",
    "2025-03-01",
    "--date-b",
    "2026-02-01",
)


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")


@pytest.mark.usefixtures("wide")
def test_a_pair_that_is_shown(run: Run) -> None:
    first, *trace, aligned, last = run("judge", *RULE).out.splitlines()
    assert first.startswith("conflict  tier block, alarm 0.")
    assert trace == [
        "  normalize   asserted (HIGH) first: “deploy on Fridays” must not (forbidden), by the rules",
        "              asserted (HIGH) second: “Friday deploys” may (allowed), by the rules",
        "  structural  contradiction (HIGH) must not against may",
        "  candidates  same subject (HIGH) “deploy on Fridays” and “Friday deploys” are one thing",
    ]
    assert aligned.startswith("  aligned     contradiction (demand)")
    assert last.startswith("  tier        block (HIGH) a rule or a state against its opposite; ")


@pytest.mark.usefixtures("wide")
def test_a_pair_that_a_gate_keeps_silent(run: Run) -> None:
    first, *trace, aligned, gate, last = run("judge", *PORTS).out.splitlines()
    assert first.startswith("compatible  tier clean, alarm 0.")
    assert trace == [
        "  normalize   asserted (HIGH) first: “Billing service Port” is 8080, by the rules",
        "              asserted (HIGH) second: “Search service Port” is 9090, by the rules",
        "  structural  unknown (LOW) the gate overlap is closed",
        "  candidates  apart (HIGH) no subject ties them, and there is nothing to weigh",
    ]
    assert aligned.startswith("  aligned     contradiction (amount)") and aligned.endswith("8080 ≠ 9090")
    assert gate == "  gate        silent because: each names something the other does not (gate: overlap)"
    assert last == "  tier        clean (LOW) a closed gate keeps it silent: overlap"


@pytest.mark.usefixtures("wide")
def test_two_gates_are_both_named(run: Run) -> None:
    """Where both name a thing and one says more of it, the gate that tells better is told too."""
    out = run("judge", "The lamp is red.", "The cellar lamp is blue if it freezes.").out.splitlines()
    silent = [line.strip() for line in out if "silent because" in line]
    assert [line.rpartition("(")[2] for line in silent] == ["gate: overlap)", "gate: condition)"]
    assert out[-1].endswith("a closed gate keeps it silent: overlap and condition")


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (MOVED, "clean (HIGH) the story settles it"),
        (("The door code is 4411", "The door code is 4411"), "clean (HIGH) both can hold"),
        (("The archive disk is fast", "The cellar door squeaks"), "clean ("),
        (("Yes.", "No."), "clean (LOW) the rules cannot tell, and no model was asked"),
        (
            ("The door code is 4411", "The door code is 0087"),
            "warn (HIGH) two values for one thing, and neither is settled; ",
        ),
        (
            (
                "The door code is 4411",
                "The door code is 0087",
                "--date-a",
                "2021-01-01",
                "--date-b",
                "2026-01-01",
            ),
            "warn (HIGH) the older one speaks as if nothing had changed since; ",
        ),
    ],
)
def test_the_tier_comes_last_and_says_why(run: Run, arguments: tuple[str, ...], last: str) -> None:
    assert run("judge", *arguments).out.splitlines()[-1].startswith(f"  tier        {last}")


@pytest.mark.parametrize("width", [6, 24, 37, 38, 60, 100])
@pytest.mark.parametrize("arguments", [RULE, PORTS, MOVED])
def test_a_narrow_terminal_loses_nothing(
    run: Run, arguments: tuple[str, ...], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run("judge", *arguments).out
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    narrow = re.sub(r"\x1b\[[0-9;]*m", "", run("judge", *arguments).out)
    assert re.sub(r"\s", "", narrow) == re.sub(r"\s", "", whole)
    if width >= 16:
        assert not re.search(r" $", narrow[narrow.index("  normalize") :], re.MULTILINE)
        assert max(map(cell_len, narrow.splitlines())) <= width
    beside = "  structural  " in narrow
    assert beside == (width >= 38)


def test_colour_is_for_terminals_that_want_it() -> None:
    piped = belie("judge", *RULE, "--models", "rules")
    coloured = belie("judge", *RULE, "--models", "rules", FORCE_COLOR="1", TERM="xterm-256color")
    plain = belie("judge", *RULE, "--models", "rules", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b" not in piped.out
    assert re.search(r"\x1b\[[0-9;]*31m", coloured.out)
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", plain.out)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.out) == piped.out


def test_what_a_statement_says_to_the_terminal_is_not_obeyed(run: Run) -> None:
    out = run("judge", "The [bold]code\x1b[2J is 4411", "The [bold]code\x1b[2J is 0087").out
    assert "\x1b" not in out and "[bold]" in out


# as JSON
def stages(run: Run, *arguments: str) -> list[str]:
    return [stage["stage"] for stage in run("judge", *arguments, "--json").json["stages"]]


def test_json_has_the_same_stages_in_the_same_order(run: Run) -> None:
    before = ["normalize", "normalize", "structural", "candidates"]
    assert stages(run, *RULE) == [*before, "aligned", "tier"]
    assert stages(run, *PORTS) == [*before, "aligned", "gate: overlap", "tier"]
    assert stages(run, *MOVED)[:5] == [*before, "aligned"] and "settle" in stages(run, *MOVED)


def test_the_tier_of_the_answer_is_that_of_its_last_stage(run: Run) -> None:
    for arguments in (RULE, PORTS, MOVED):
        answer = run("judge", *arguments, "--json").json
        assert answer["stages"][-1]["verdict"] == answer["tier"]


# with models
class Host:
    """A host whose judge and embedder answer what they are told to."""

    setup = Setup(llama="none.gguf")

    def __init__(self, odds: tuple[float, ...] | Failed, cosine: float | Failed | None = None) -> None:
        self._odds, self._cosine = odds, cosine
        self.embedded: list[str] = []

    def judge(self, pairs: Sequence[object], *, priority: object = None) -> Judged | Failed:
        if isinstance(self._odds, Failed):
            return self._odds
        return Judged(max(learnt().judges), tuple(self._odds for _ in pairs))

    def embed(self, texts: Sequence[str]) -> Embedded | Failed:
        """Every other text stands at the same angle to those before it."""
        self.embedded += texts
        if isinstance(self._cosine, Failed):
            return self._cosine
        if self._cosine is None:
            return Embedded("fake", 2, (None,) * len(texts), dict.fromkeys(range(len(texts)), GONE))
        ends = [(1.0, 0.0), (self._cosine, (1 - self._cosine**2) ** 0.5)]
        rows = (numpy.array(ends[n % 2], numpy.float16).tobytes() for n in range(len(texts)))
        return Embedded("fake", 2, tuple(rows))


GONE = Failed("crashed", "it is gone")
SURE, CALM = (0.9, 0.06, 0.02, 0.01, 0.01), (0.02, 0.02, 0.02, 0.9, 0.04)
FAR = ("Backups go to the tape in the cellar", "since the flood everything lands in the cloud")
TIED = ("The garage door code is 4411", "The garage door code is 0087")


def claimed(a: str, b: str) -> tuple[Claim, Claim]:
    return read_claims(a, "a"), read_claims(b, "b")


def judged(pair: tuple[str, str], host: Host) -> dict[str, tuple[str, str]]:
    as_host: ModelHost = host  # type: ignore[assignment]
    (answer,) = judge_pairs([claimed(*pair)], as_host)
    return {reason.stage: (reason.verdict, reason.detail) for reason in answer.stages}


@pytest.mark.parametrize(
    ("cosine", "verdict", "detail"),
    [
        (0.5, "near", "cosine 0.50"),
        (0.125, "apart", "cosine 0.12"),
        (None, "unknown", "no embedder told"),
        (GONE, "unknown", "no embedder told"),
    ],
)
def test_the_embedder_tells_how_near_two_are_that_no_word_ties(
    cosine: float | Failed | None, verdict: str, detail: str
) -> None:
    said = judged(FAR, Host(CALM, cosine))["candidates"]
    assert said[0] == verdict and detail in said[1]


def test_the_embedder_is_asked_once_about_all_texts() -> None:
    host = Host(CALM, 0.5)
    as_host: ModelHost = host  # type: ignore[assignment]
    answers = list(judge_pairs([claimed(*TIED), claimed(*FAR), claimed(*FAR)], as_host))
    met = [reason.verdict for answer in answers for reason in answer.stages if reason.stage == "candidates"]
    assert met == ["same subject", "near", "near"]
    assert host.embedded == [*TIED, *FAR]


def test_the_judge_speaks_between_alignment_and_gates() -> None:
    said = judged(("The timeout is 30 s in prod", "The timeout is 60 s in staging"), Host(SURE, 0.5))
    order = ["normalize", "structural", "candidates", "aligned", "judge"]
    assert list(said)[:5] == order and list(said)[-1] == "tier"
    assert "gate: scope" in said and said["tier"][0] == "clean"


def test_the_judges_word_counts() -> None:
    sure, calm = (
        float(judged(TIED, Host(odds, 0.9))["tier"][1].split("%")[0].split()[-1]) for odds in (SURE, CALM)
    )
    assert sure > calm


def test_a_judge_that_fails_leaves_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    said = judged(FAR, Host(GONE, 0.5))
    assert said["candidates"][0] == "unknown" and "judge" not in said
    assert "the rules judge alone: it is gone" in capsys.readouterr().err
