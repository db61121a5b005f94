"""How long a text is in the model's own tokens, what it can look at, and giving up on what takes long."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.models.host import ModelHost
from app.models.requests import Completed, Failed, Measured
from app.models.setup import Setup
from tests.models.real import needs_llama

pytestmark = needs_llama
CHOICES = (" yes", " no")


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelHost]:
    with ModelHost(Setup(cache=str(tmp_path_factory.mktemp("cache")))) as made:
        yield made


def test_texts_are_counted_as_the_model_counts_them(host: ModelHost) -> None:
    text = "The door code is 4411, see the list.\n" * 5
    answer = host.measure(["", "a", text, "<|im_end|>"])
    assert isinstance(answer, Measured)
    assert answer.context == Setup().context
    nothing, one, long, sign = answer.tokens
    assert (nothing, one) == (0, 1) and sign > 1
    weighed = host.weigh("", text, CHOICES)
    assert not isinstance(weighed, Failed) and 0 <= weighed.tokens - long <= 1, "but for how it begins"


def test_it_looks_at_no_more_than_it_was_made_for(tmp_path: Path) -> None:
    with ModelHost(Setup(cache=str(tmp_path), context=16384)) as host:
        answer = host.measure([])
        assert isinstance(answer, Measured) and answer.context == 8192


def test_what_nobody_wants_any_more_is_given_up_and_the_next_is_answered(host: ModelHost) -> None:
    for given_up in (
        host.weigh("", "word " * 1500, CHOICES, stopping=lambda: True),
        host.complete("word " * 50, max_tokens=500, stopping=lambda: True),
    ):
        assert isinstance(given_up, Failed) and given_up.why == "cancelled"
    answer = host.complete("One, two,", max_tokens=2, stopping=lambda: False)
    assert isinstance(answer, Completed) and answer.text


def test_a_model_that_is_not_there_measures_nothing(tmp_path: Path) -> None:
    with ModelHost(Setup(llama=str(tmp_path / "none.gguf"), cache=str(tmp_path))) as host:
        assert isinstance(host.measure(["a"]), Failed)
