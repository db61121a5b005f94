"""Yes or no by token probability: the same whatever was asked before, quick for what was read before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.models.host import ModelHost
from app.models.prompt_prefixes import Prefixes
from app.models.requests import Completed, Failed, Weighed
from app.models.setup import Setup
from app.models.token_odds import LONG_PROMPT_TOKENS, STEP

CONSTANT = "Answer with yes or no.\n" + "".join(
    f"Is {n} an even number? {'yes' if n % 2 == 0 else 'no'}\n" for n in range(24)
)
CHOICES = (" yes", " no")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def host(cache: Path) -> Iterator[ModelHost]:
    with ModelHost(Setup(cache=str(cache), nice=0)) as made:
        yield made


def weigh(host: ModelHost, rest: str, constant: str = CONSTANT) -> Weighed:
    answer = host.weigh(constant, rest, CHOICES)
    assert isinstance(answer, Weighed), answer
    return answer


def test_the_choices_are_shares_of_everything_the_model_could_say(host: ModelHost) -> None:
    answer = weigh(host, "Is 8 an even number?")
    assert all(0 < share < 1 for share in answer.odds) and sum(answer.odds) < 1
    assert sum(answer.odds) > 0.5, "after so many examples it answers in their way"


def test_the_same_question_gets_the_same_answer_whatever_came_before(host: ModelHost) -> None:
    story = "".join(f"Line {n} of a story about the pump.\n" for n in range(30))
    first = weigh(host, story + "Is 8 an even number?")
    weigh(host, "Is 9 an even number?")
    host.complete(CONSTANT + story + "Is", max_tokens=3)
    again = weigh(host, story + "Is 8 an even number?")
    assert again.odds == first.odds
    host.complete("Quite another text", max_tokens=3, tuned="statements")
    assert weigh(host, story + "Is 8 an even number?").odds == first.odds


def test_one_more_line_costs_its_own_tokens(host: ModelHost) -> None:
    story = "".join(f"Line {n} of a story about the pump.\n" for n in range(30))
    cold = weigh(host, story + "Is it so?")
    assert cold.fresh == cold.tokens
    more = weigh(host, story + "And one more line.\nIs it so?")
    assert more.tokens > cold.tokens and more.fresh < 2 * STEP


def test_a_story_outlasts_what_is_asked_in_between(cache: Path) -> None:
    """Threads with another beginning, and statements that are read: each would push it out."""
    other = CONSTANT.replace("even", "odd")
    story = "".join(f"{n}. 2025-01-05 (Log) the pump runs every {n} minutes now\n" for n in range(80))
    with ModelHost(Setup(cache=str(cache), context=4096, nice=0)) as host:
        cold = weigh(host, story + "Is it so?")
        assert cold.fresh > LONG_PROMPT_TOKENS
        for n in range(3):
            assert weigh(host, f"Is {n} it?", other).tokens < LONG_PROMPT_TOKENS
            host.complete(f"Quite another text, {n}", max_tokens=3)
        again = weigh(host, story + "Is it so?")
        assert again.odds == cold.odds and again.fresh < 2 * STEP
        weigh(host, "Is it?", other)
        more = weigh(host, story + "80. 2025-01-06 (Log) one more line\nIs it so?")
        assert more.fresh < 2 * STEP
        # Its answer too is gone on with from where it stood.
        weigh(host, "Is it?", other)
        first = host.complete(CONSTANT + story + "Is", max_tokens=8)
        assert weigh(host, story + "Is it so?").fresh < 2 * STEP
        host.complete("Quite another text", max_tokens=3)
        assert host.complete(CONSTANT + story + "Is", max_tokens=8) == first


def test_an_answer_begins_where_the_question_was_weighed(host: ModelHost) -> None:
    """A constant that ends with a blank line is cut into other tokens by itself than before a number."""
    blank = CONSTANT + "\n"
    lines = "".join(f"{n}. The pump runs.\n" for n in range(1, 40))
    first = weigh(host, lines + "Is it so?", blank)
    host.complete(f"{blank}{lines}Is it so? yes\n", max_tokens=3)
    again = weigh(host, lines + "Is it so?", blank)
    assert again.odds == first.odds and again.fresh < 2 * STEP < first.fresh


def test_what_it_goes_on_with_is_the_same_whatever_came_before(host: ModelHost) -> None:
    prompts = [CONSTANT + f"The pump of house {n} runs every {n} minutes. So the" for n in range(6)]
    first = [host.complete(prompt, max_tokens=24) for prompt in prompts]
    assert all(isinstance(one, Completed) for one in first)
    weigh(host, "The pump of house 3 runs every")
    assert [host.complete(prompt, max_tokens=24) for prompt in reversed(prompts)] == first[::-1]


def test_what_every_prompt_begins_with_is_taken_up_from_disk(host: ModelHost, cache: Path) -> None:
    first = weigh(host, "Is 8 an even number?")
    with ModelHost(Setup(cache=str(cache))) as other:
        second = weigh(other, "Is 8 an even number?")
        assert second.odds == first.odds and second.fresh < first.fresh
    for file in (cache / "prefixes").iterdir():
        assert b"even number" not in file.read_bytes()
        file.write_bytes(file.read_bytes()[:-100])
    with ModelHost(Setup(cache=str(cache))) as third:
        damaged = weigh(third, "Is 8 an even number?")
        assert damaged.odds == first.odds and damaged.fresh == damaged.tokens


def test_nothing_of_a_note_is_kept_on_disk(host: ModelHost, cache: Path) -> None:
    weigh(host, "The door code is 4411.\n" * 60, constant="")
    assert not (cache / "prefixes").exists()


def test_what_cannot_be_weighed_is_refused_and_the_next_is_answered(host: ModelHost) -> None:
    for rest, choices in (("word " * 4000, CHOICES), ("Is it?", (" yes", " yes")), ("Is it?", (" yes", ""))):
        answer = host.weigh(CONSTANT, rest, choices)
        assert isinstance(answer, Failed) and answer.why == "refused", answer
    weigh(host, "Is 8 an even number?")


def test_words_of_a_note_are_never_commands_to_the_model(host: ModelHost) -> None:
    """A special token that ends the conversation would be one token; as text it is several."""
    assert weigh(host, "<|im_end|>", constant="").tokens > 1


def test_prefixes_that_cannot_be_written_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = Prefixes(tmp_path / "file" / "prefixes", "model")
    kept.save([1, 2], b"state", 9.0)
    assert kept.load([1, 2]) is None


def test_only_the_newest_prefixes_stay_and_quick_ones_are_not_kept(tmp_path: Path) -> None:
    kept = Prefixes(tmp_path, "model")
    for number in range(9):
        kept.save([number], b"state", 9.0)
    kept.save([99], b"state", 0.001)
    assert len(list(tmp_path.iterdir())) == 4
    assert kept.load([8]) == b"state" and kept.load([0]) is None and kept.load([99]) is None
    assert Prefixes(tmp_path, "other").load([8]) is None
