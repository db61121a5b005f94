"""A store thread does jobs one after the other, drops what a newer one replaces, and reports what fails."""

from __future__ import annotations

import threading
from pathlib import Path

from textual.message import Message
from textual.message_pump import MessagePump

from app.store.errors import StoreBusy
from app.store.store import Store
from app.tui.messages import StoreChanged, StoreFailed
from app.tui.store_thread import StoreThread


class Asker(MessagePump):
    """Keeps what is posted to it."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Message] = []

    def post_message(self, message: Message) -> bool:
        self.heard.append(message)
        return True


def open_thread(folder: Path) -> StoreThread:
    return StoreThread("test", lambda: Store.open(folder / "state" / "s.db"))


def test_a_waiting_job_is_replaced_by_a_newer_one_of_its_name(tmp_path: Path) -> None:
    thread, asker, go, ran = open_thread(tmp_path), Asker(), threading.Event(), []

    def job(name: str):
        return lambda _store: ran.append(name)

    thread.ask(asker, lambda _store: go.wait() and None)
    thread.ask(asker, job("old"), name="queue")
    thread.ask(asker, job("decision"))
    thread.ask(asker, job("new"), name="queue")
    go.set()
    thread.close()
    assert sorted(ran) == ["decision", "new"]


def test_failures_come_as_messages_and_the_thread_goes_on(tmp_path: Path) -> None:
    thread, asker = open_thread(tmp_path), Asker()

    def busy(_store: Store) -> None:
        raise StoreBusy("The store is busy.")

    def broken(_store: Store) -> None:
        raise ZeroDivisionError

    thread.ask(asker, busy, name="queue")
    thread.ask(asker, broken)
    thread.ask(asker, lambda _store: StoreChanged())
    thread.wait()
    first, second, third = asker.heard
    assert isinstance(first, StoreFailed) and first.text == "The store is busy." and first.job == "queue"
    assert isinstance(second, StoreFailed) and "ZeroDivisionError" in second.text
    assert isinstance(third, StoreChanged)
    thread.close()


def test_closing_finishes_what_was_asked(tmp_path: Path) -> None:
    thread, ran = open_thread(tmp_path), []
    for number in range(20):
        thread.ask(Asker(), lambda _store, number=number: ran.append(number))
    thread.close()
    assert ran == list(range(20))
