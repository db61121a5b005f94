"""A hand does jobs one after the other, drops what a newer one replaces, and reports what fails."""

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


def open_hand(folder: Path) -> StoreThread:
    return StoreThread("test", lambda: Store.open(folder / "state" / "s.db"))


def test_a_waiting_job_is_replaced_by_a_newer_one_of_its_name(tmp_path: Path) -> None:
    hand, asker, go, ran = open_hand(tmp_path), Asker(), threading.Event(), []

    def job(name: str):
        return lambda _store: ran.append(name)

    hand.ask(asker, lambda _store: go.wait() and None)
    hand.ask(asker, job("old"), name="queue")
    hand.ask(asker, job("decision"))
    hand.ask(asker, job("new"), name="queue")
    go.set()
    hand.close()
    assert sorted(ran) == ["decision", "new"]


def test_failures_come_as_messages_and_the_hand_goes_on(tmp_path: Path) -> None:
    hand, asker = open_hand(tmp_path), Asker()

    def busy(_store: Store) -> None:
        raise StoreBusy("The store is busy.")

    def broken(_store: Store) -> None:
        raise ZeroDivisionError

    hand.ask(asker, busy, name="queue")
    hand.ask(asker, broken)
    hand.ask(asker, lambda _store: StoreChanged())
    hand.wait()
    first, second, third = asker.heard
    assert isinstance(first, StoreFailed) and first.text == "The store is busy." and first.job == "queue"
    assert isinstance(second, StoreFailed) and "ZeroDivisionError" in second.text
    assert isinstance(third, StoreChanged)
    hand.close()


def test_closing_finishes_what_was_asked(tmp_path: Path) -> None:
    hand, ran = open_hand(tmp_path), []
    for number in range(20):
        hand.ask(Asker(), lambda _store, number=number: ran.append(number))
    hand.close()
    assert ran == list(range(20))
