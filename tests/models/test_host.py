"""The host answers whatever happens to the child: crashes, kills, stalls, too little memory."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.models import answers, health, jobs, log_file, process, supervisor
from app.models.host import ModelHost
from app.models.requests import Completed, Embedded, Failed, Judged, Priority, Status
from app.models.setup import Setup
from app.models.ticket import Ticket
from tests.models import tiny
from tests.models.faults import ROOT, poison

KILLS = 100 if os.environ.get("BELIE_CAMPAIGN") == "full" else 5
TEXTS = [
    f"the {a} code of the {b} is {n}" for n in range(60) for a in ("old", "new") for b in ("door", "garage")
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("models")
    return tiny.sentence_folder(home / "embedder"), tiny.judge_folder(home / "judge")


@pytest.fixture
def setup(folders: tuple[Path, Path]) -> Setup:
    return Setup(embedder=str(folders[0]), judge=str(folders[1]), threads=1)


@pytest.fixture
def host(setup: Setup) -> Iterator[ModelHost]:
    with ModelHost(setup) as made:
        yield made


@pytest.fixture
def poisoned(monkeypatch: pytest.MonkeyPatch) -> None:
    poison(monkeypatch)


def embedded(answer: Embedded | Failed) -> Embedded:
    assert isinstance(answer, Embedded), answer
    return answer


def wait_for(condition: Callable[[], bool]) -> None:
    """The event itself is in another process; look often."""
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until, "it never happened"
        threading.Event().wait(0.005)


def test_nothing_is_started_before_it_is_needed(setup: Setup) -> None:
    with ModelHost(setup) as host:
        assert host.pid is None
        assert host.status().process == "off"
        assert host.status().parts["embedder"].state == "idle"


def test_texts_become_vectors_of_length_one(host: ModelHost) -> None:
    answer = embedded(host.embed(TEXTS[:3]))
    assert (answer.width, len(answer.rows)) == (32, 3)
    lengths = (answer.matrix() ** 2).sum(1)
    assert all(abs(length - 1) < 1e-2 for length in lengths)
    assert host.status().parts["embedder"].state == "ready"


def test_rows_come_in_the_order_asked(host: ModelHost) -> None:
    forward, backward = embedded(host.embed(TEXTS)), embedded(host.embed(TEXTS[::-1]))
    assert forward.rows == backward.rows[::-1]


def test_pairs_become_probabilities(host: ModelHost) -> None:
    answer = host.judge([(TEXTS[0], TEXTS[1]), (TEXTS[5], TEXTS[2])])
    assert isinstance(answer, Judged)
    for row in answer.rows:
        assert row is not None and len(row) == 5 and abs(sum(row) - 1) < 1e-5


def test_nothing_asked_nothing_started(host: ModelHost) -> None:
    assert embedded(host.embed([])).rows == ()
    assert host.pid is None


def test_a_child_that_nobody_asks_gives_its_memory_back(setup: Setup) -> None:
    told: list[Status] = []
    with ModelHost(setup, on_status=told.append, rest_after=0.02) as host:
        before = embedded(host.embed(TEXTS[:3]))
        wait_for(lambda: host.status().process == "off")
        assert (host.pid, host.status().deaths) == (None, 0)
        wait_for(lambda: told[-1].process == "off")
        # What works still does: nothing about it changes for the person.
        assert told[-1].parts["embedder"].state == "ready"
        assert embedded(host.embed(TEXTS[:3])) == before


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param(" ", id="blank"),
        pytest.param("x" * 3_000_000, id="three megabytes"),
        pytest.param("door " * 600_000, id="three megabytes of words"),
        pytest.param("\ud800 half a pair", id="half a surrogate pair"),
        pytest.param("\x00\x1b[2J", id="control characters"),
        pytest.param("漢字 🙂" * 500, id="not latin"),
    ],
)
def test_any_text_gets_a_vector(host: ModelHost, text: str) -> None:
    assert embedded(host.embed([text, TEXTS[0]])).rows[0] is not None


@pytest.mark.campaign
def test_killing_the_child_at_random_changes_nothing(setup: Setup) -> None:
    pairs = list(zip(TEXTS, TEXTS[::-1], strict=True))
    with ModelHost(setup) as calm:
        undisturbed = (embedded(calm.embed(TEXTS)).rows, calm.judge(pairs))
    chance = random.Random(KILLS)
    killed = 0
    with ModelHost(setup) as host:
        while killed < KILLS:
            work = [host.ask_embed(TEXTS), host.ask_judge(pairs)]
            wait_for(lambda: host.pid is not None)
            if chance.random() < 0.7:
                threading.Event().wait(chance.random() * 0.4)  # anywhere: starting, loading, working, idle
            with contextlib.suppress(ProcessLookupError):
                if (pid := host.pid) is not None:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
            vectors, judgements = (ticket.result() for ticket in work)
            assert isinstance(vectors, Embedded)
            assert vectors.rows == undisturbed[0]
            assert judgements == undisturbed[1]
        assert host.status().set_aside == 0


@pytest.mark.usefixtures("poisoned")
@pytest.mark.parametrize("word", ["poison", "slain", "illegal"])
def test_a_text_that_kills_is_set_aside_and_the_others_are_answered(
    setup: Setup, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "KILLS", 3)  # killed from outside is forgiven far longer
    texts = [*TEXTS[:10], f"this one is {word}", *TEXTS[10:20]]
    with ModelHost(setup) as host:
        answer = embedded(host.embed(texts))
        status = host.status()
    assert [n for n, row in enumerate(answer.rows) if row is None] == [10]
    assert answer.failures[10].why == "crashed"
    assert "3 times" in answer.failures[10].reason
    assert status.set_aside == 1
    assert status.parts["embedder"].state == "ready"
    assert status.last_error != ""
    error = log_file.last_error(log_file.log_path())
    assert error is not None and "died" in error[1]


def test_a_kill_for_want_of_memory_counts_like_a_crash(
    setup: Setup, poisoned: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = iter(range(1000))
    monkeypatch.setattr(process, "starved", lambda: next(seen))  # the system counts one more each time
    with ModelHost(setup) as host:
        answer = embedded(host.embed(["door", "slain", "garage"]))
        assert answer.failures[1].why == "crashed"
        assert "want of memory" in answer.failures[1].reason and "3 times" in answer.failures[1].reason
        embedded(host.embed(["door"]))


@pytest.mark.usefixtures("poisoned")
def test_a_model_that_dies_loading_is_given_up_with_a_reason(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIES_LOADING", "1")
    with ModelHost(setup) as host:
        answer = host.embed(TEXTS)
        assert isinstance(answer, Failed) and "illegal instruction" in answer.reason
        part = host.status().parts["embedder"]
        assert part.state == "failed" and "install Belie again" in part.repair
        assert host.status().deaths == 3
        # The others go on.
        assert isinstance(host.judge([("a", "b")]), Judged)
        # And it may be tried again.
        monkeypatch.delenv("DIES_LOADING")
        assert host.another_chance()
        embedded(host.embed(TEXTS[:2]))


def test_another_chance_disturbs_nothing_that_works(host: ModelHost) -> None:
    embedded(host.embed(["door"]))
    pid = host.pid
    assert not host.another_chance()
    embedded(host.embed(["garage"]))
    assert host.pid == pid


def test_a_model_that_was_stood_in_for_is_read_again_once_it_is_repaired(
    setup: Setup, tmp_path: Path
) -> None:
    own = tiny.judge_folder(tmp_path / "own", name="repaired")
    whole = (own / "judge.onnx").read_bytes()
    (own / "judge.onnx").write_bytes(whole[:1000])
    with ModelHost(Setup(setup.embedder, str(own), threads=1)) as host:
        host.judge([("a", "b")])
        assert "judge.onnx cannot be loaded" in host.status().parts["judge"].reason
        (own / "judge.onnx").write_bytes(whole)
        assert host.another_chance()
        answer = host.judge([("a", "b")])
        assert isinstance(answer, Judged) and answer.model == "repaired"
        assert not host.another_chance()


@pytest.mark.usefixtures("poisoned")
def test_a_model_that_dies_at_every_request_is_given_up(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_LONGEST_WAIT", 0.01)
    monkeypatch.setenv("DIES_WORKING", "1")
    with ModelHost(setup) as host:
        answer = host.embed(TEXTS[:50])
        assert isinstance(answer, Failed)
        part = host.status().parts["embedder"]
        assert part.state == "failed" and "at every request" in part.reason
        assert host.status().deaths <= 10
        assert isinstance(host.embed(["door"]), Failed)


@pytest.mark.usefixtures("poisoned")
def test_many_texts_in_a_row_that_kill_do_not_give_the_model_up(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_LONGEST_WAIT", 0.01)
    with ModelHost(setup) as host:
        answer = embedded(host.embed(["poison 1", "poison 2", "poison 3", "door"]))
        status = host.status()
    assert [row is None for row in answer.rows] == [True, True, True, False]
    assert (status.set_aside, status.parts["embedder"].state) == (3, "ready")


@pytest.mark.usefixtures("poisoned")
def test_one_text_the_embedder_refuses_does_not_take_the_others_along(setup: Setup) -> None:
    with ModelHost(setup) as host:
        answer = embedded(host.embed(["door", "odd", "garage"]))
        assert [row is None for row in answer.rows] == [False, True, False]
        assert answer.failures[1].why == "refused"
        assert host.status().deaths == 0


@pytest.mark.usefixtures("poisoned")
def test_nobody_waits_longer_than_asked(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "GRACE", 0.05)
    with ModelHost(setup) as host:
        answer = host.embed(["stall"], timeout=0.3)
        assert answer == Failed("timeout", "the models took too long")
        embedded(host.embed(TEXTS[:2]))  # the stalled child was ended


@pytest.mark.usefixtures("poisoned")
def test_an_attempt_that_takes_too_long_is_over(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "GRACE", 0.05)
    ticket: Ticket[Embedded] = Ticket(1, None, answers.embedded, attempt_limit=0.3)
    with ModelHost(setup) as host:
        job = jobs.Job("embed", {"texts": ["stall"]}, (0,), ticket, Priority.BACKGROUND, 0)
        host._keeper.submit(ticket, [job])
        assert ticket.result() == Failed("timeout", "the models took too long")
        embedded(host.embed(TEXTS[:2]))


@pytest.mark.usefixtures("poisoned")
def test_a_text_it_hangs_over_is_tried_again_then_set_aside_and_the_rest_goes_on(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "ATTEMPT_SECONDS", 0.5)  # the child goes on beating all the time
    monkeypatch.setattr(health, "_LONGEST_WAIT", 0.01)
    with ModelHost(setup) as host:
        vectors, judgements = host.ask_embed(["door", "stall", "garage"]), host.ask_judge([("a", "dither")])
        answer = embedded(vectors.result())
        assert [row is None for row in answer.rows] == [False, True, False]
        assert answer.failures[1].lasting
        assert "3 times over it (it took longer than 0.5 seconds)" in answer.failures[1].reason
        set_aside = judgements.result()
        assert isinstance(set_aside, Failed) and "it took longer than" in set_aside.reason
        assert host.status().set_aside == 2
        assert isinstance(host.judge([("a", "b")]), Judged)


@pytest.mark.usefixtures("poisoned")
def test_a_silent_child_counts_as_dead(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelHost(setup) as host:
        embedded(host.embed(["door"]))
        monkeypatch.setattr(supervisor, "SILENCE", 0.3)
        assert host.pid is not None
        os.kill(host.pid, signal.SIGSTOP)
        ticket = host.ask_embed(["garage"])
        wait_for(lambda: host.status().deaths > 0)
        monkeypatch.undo()
        embedded(ticket.result())


@pytest.mark.usefixtures("poisoned")
def test_a_cancelled_request_is_over_at_once_and_the_next_is_served(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "GRACE", 0.05)
    with ModelHost(setup) as host:
        stalled, behind = host.ask_embed(["stall"]), host.ask_embed(["door"])
        stalled.cancel()
        answer = stalled.result()
        assert isinstance(answer, Failed) and answer.why == "cancelled"
        embedded(behind.result())


def test_what_the_person_looks_at_goes_first(host: ModelHost) -> None:
    embedded(host.embed(["door"]))
    background = host.ask_embed([f"the code is {n}" for n in range(5000)])
    embedded(host.embed(["garage"], priority=Priority.INTERACTIVE))
    assert not background.over
    embedded(background.result())


@pytest.mark.usefixtures("poisoned")
def test_closing_tells_whoever_waits_and_ends_the_child(setup: Setup) -> None:
    host = ModelHost(setup)
    stalled, behind = host.ask_embed(["stall"]), host.ask_judge([("a", "b")])
    wait_for(lambda: host.status().parts["embedder"].state == "ready")
    pid = host.pid
    host.close()
    for answer in (stalled.result(), behind.result(), host.embed(["door"])):
        assert isinstance(answer, Failed) and answer.why == "closed"
    assert pid is not None and not Path(f"/proc/{pid}").exists()
    host.close()


def test_the_child_ends_with_its_parent(setup: Setup) -> None:
    code = (
        "import os, sys; from app.models.host import ModelHost; from app.models.setup import Setup;"
        "host = ModelHost(Setup.load(sys.argv[1])); host.embed(['door']); print(host.pid, flush=True);"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, setup.dump()], capture_output=True, text=True, check=False, cwd=ROOT
    )
    pid = int(done.stdout)
    wait_for(lambda: not alive(pid))


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_threads_may_ask_at_once(host: ModelHost) -> None:
    expected = embedded(host.embed(TEXTS)).rows
    answers: dict[int, object] = {}

    def ask(n: int) -> None:
        answers[n] = embedded(host.embed(TEXTS[n::4])).rows

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {n: expected[n::4] for n in range(4)}


@pytest.mark.parametrize("megabytes", [8, 24, 40])
def test_too_little_memory_is_said_and_survived(
    setup: Setup, megabytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_LONGEST_WAIT", 0.01)
    with ModelHost(Setup(setup.embedder, setup.judge, threads=1, memory_mb=megabytes)) as host:
        answer = host.embed(TEXTS)
        assert isinstance(answer, Failed), "so little should not be enough"
        assert "memory" in answer.reason
        assert host.status().parts["embedder"].repair != ""
        assert isinstance(host.judge([("a", "b")], timeout=30), Failed)


@pytest.mark.usefixtures("poisoned")
def test_a_request_that_needs_too_much_memory_fails_alone(setup: Setup) -> None:
    with ModelHost(replace(setup, memory_mb=512)) as host:
        answer = host.embed(["greedy"])
        assert isinstance(answer, Failed) and answer.why == "memory"
        assert "may use 512 MB of memory" in answer.reason
        embedded(host.embed(["door"]))


@pytest.mark.usefixtures("poisoned")
def test_a_model_without_memory_to_load_says_so_to_whoever_asks_and_has_another_chance(
    setup: Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = tmp_path / "full"
    full.touch()
    monkeypatch.setenv("STARVED_WHILE", str(full))
    with ModelHost(replace(setup, memory_mb=0)) as host:
        for answer in (host.embed(["door"]), host.embed(["door"])):
            assert isinstance(answer, Failed) and answer.why == "memory"
            # There is no limit that could be blamed, or raised.
            assert answer.reason.startswith("the machine has ")
        assert host.status().parts["embedder"].repair == "close other programs"
        full.unlink()
        assert host.another_chance()
        embedded(host.embed(["door"]))


@pytest.mark.parametrize(
    ("ends", "why", "told"),
    [
        (
            "raise ImportError('numpy is not built for this Python')",
            "broken",
            "it ended by itself with code 1: ImportError: numpy is not built for this Python",
        ),
        ("raise SystemExit(3)", "broken", "it ended by itself with code 3"),
        (
            "raise SystemExit('the disk is gone')",
            "broken",
            "it ended by itself with code 1: the disk is gone",
        ),
        (
            "raise SystemExit('OpenBLAS blas_thread_init: pthread_create failed for thread 1 of 2\\n"
            "OpenBLAS blas_thread_init: ensure that your address space is big enough (ulimit -a)')",
            "memory",
            "it has too little memory",
        ),
    ],
    ids=["a broken package", "without a word", "with a word", "a library without memory"],
)
def test_a_child_that_ends_by_itself_is_believed_what_it_says(
    setup: Setup, ends: str, why: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-c", ends))
    monkeypatch.setattr(health, "_LONGEST_WAIT", 0.01)
    log = tmp_path / "models.log"
    log.write_text("2026-06-30T00:00:00+00:00 error embedder: MemoryError: another process, long ago\n")
    with ModelHost(setup, log=log) as host:
        answer = host.embed(["door"])
        assert answer == Failed(why, f"it cannot be loaded: {told}")  # type: ignore[arg-type]
        assert ("close other programs" in host.status().parts["embedder"].repair) == (why == "memory")


def test_a_log_that_cannot_be_written_stops_nothing(setup: Setup, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with ModelHost(setup, log=tmp_path / "file" / "models.log") as host:
        embedded(host.embed(["door"]))


def test_a_long_log_is_turned_over(setup: Setup, tmp_path: Path) -> None:
    log = tmp_path / "models.log"
    log.write_bytes(b"x" * 2_000_000)
    with ModelHost(setup, log=log) as host:
        embedded(host.embed(["door"]))
    assert log.stat().st_size < 10_000
    assert log.with_name("models.log.1").stat().st_size == 2_000_000


def test_the_log_holds_no_note(setup: Setup) -> None:
    with ModelHost(setup) as host:
        host.embed(["a very secret door code"])
        host.judge([("a very secret door code", "b")])
    assert "secret" not in log_file.log_path().read_text()


def test_what_works_is_told_when_it_changes(setup: Setup) -> None:
    told: list[Status] = []
    with ModelHost(setup, on_status=told.append) as host:
        host.embed(["door"])
        host.embed(["garage"])
        host.embed(["shed"])
    states = [status.parts["embedder"].state for status in told if status.process == "running"]
    assert states == ["loading", "ready"]


def test_a_child_that_cannot_be_started_fails_the_request(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "COMMAND", ("/nowhere/python",))
    with ModelHost(setup) as host:
        answer = host.embed(["door"])
        assert isinstance(answer, Failed) and "cannot be started" in answer.reason


def test_the_parent_imports_no_model_library() -> None:
    code = (
        "import sys, app.models.host, app.models.cache, app.models.neighbours;"
        "print([m for m in ('numpy', 'onnx', 'onnxruntime', 'tokenizers', 'torch', 'llama_cpp')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_llama_is_held_to_its_grammar_and_stops_when_told(host: ModelHost) -> None:
    if host.status().parts["llama"].state == "absent":
        pytest.skip("no llama.cpp model is installed")
    grammar = 'root ::= "{" ("true" | "false") "}"'
    answer = host.complete("Is the door open? Answer in brackets: ", max_tokens=24, grammar=grammar)
    if isinstance(answer, Failed) and "llama.cpp cannot be loaded" in answer.reason:
        pytest.skip("llama.cpp is not built")
    assert isinstance(answer, Completed)
    assert answer.text in ("{true}", "{false}")
    # llama.cpp itself may crash on a grammar it cannot read; either way it is this request that fails.
    assert isinstance(host.complete("x", max_tokens=4, grammar="this is no grammar ::="), Failed)
    assert isinstance(host.complete("The door is", max_tokens=2), Completed)
    ticket = host.ask_complete("Once upon a time", max_tokens=1000)
    ticket.cancel()
    assert isinstance(ticket.result(), Failed)
    pid = host.pid
    embedded(host.embed(["door"]))
    assert host.pid == pid


def test_a_corrupt_gguf_is_refused_and_the_rest_goes_on(setup: Setup, tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF" + bytes(range(256)) * 8)
    (tmp_path / "no.gguf").write_bytes(b"not a model")
    for name in ("broken.gguf", "no.gguf"):
        own = Setup(setup.embedder, setup.judge, str(tmp_path / name), threads=1)
        with ModelHost(own) as host:
            answer = host.complete("x", max_tokens=1)
            assert isinstance(answer, Failed) and name in answer.reason
            part = host.status().parts["llama"]
            assert part.state == "failed" and "belie models use embedded" in part.repair
            embedded(host.embed(["door"]))
