"""An exam of stories with known answers, which a model must pass before it reads a person's whole story.

A thread has one subject; here the model must first notice a thing among others. It passes if it names the
right lines in at least half of the incoherent stories and nothing in any coherent one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from app.detection.judge_input import Said
from app.detective.story import line_text
from app.detective.thread_answer import NamedLines
from app.models.requests import Failed

MIN_FOUND = 0.5
"""The share of incoherent stories it must find."""


class StoryModel(Protocol):
    @property
    def reader(self) -> str: ...
    def found(self, lines: Sequence[str], stopping: Callable[[], bool]) -> list[NamedLines] | Failed: ...


class ExamStory(NamedTuple):
    lines: tuple[Said, ...]
    one: frozenset[int] = frozenset()
    """Lines, counted from 1, that say one thing; none in a coherent story."""
    other: frozenset[int] = frozenset()
    """Those that say another."""
    besides: frozenset[int] = frozenset()
    """Related lines that are no reason to be unsure by themselves."""

    @property
    def texts(self) -> list[str]:
        return [line_text(line) for line in self.lines]


def _story(*lines: tuple[str, str, str], unsure: Sequence[Sequence[int]] = ()) -> ExamStory:
    return ExamStory(tuple(Said(text, note, date) for date, note, text in lines), *map(frozenset, unsure))


COHERENT: tuple[ExamStory, ...] = (
    _story(("2023-03-01", "Bakery", "the sourdough rests for twelve hours"),
           ("2023-03-20", "Suppliers", "flour comes from Mill Hansen"),
           ("2023-06-02", "Suppliers", "switched from Mill Hansen to Vogel, Hansen closed down"),
           ("2023-06-18", "Bakery", "spelt loaf rests for eight hours, the sourdough as ever"),
           ("2023-09-09", "Till", "card payments from 5 euros on"),
           ("2024-01-12", "Suppliers", "Vogel delivers on Mondays"),
           ("2024-02-01", "Till", "from today cards are taken for any amount"),
           ("2024-03-15", "Ideas", "maybe a second oven next year"),
           ("2024-04-22", "Rota", "Mila is off on Mondays")),
    _story(("2024-01-08", "Search service", "runs on Elasticsearch 7 in production"),
           ("2024-01-08", "Search service", "staging is on Elasticsearch 8 already"),
           ("2024-02-14", "Deploys", "never deploy on a Friday"),
           ("2024-02-14", "Deploys", "exception: security fixes may go out on any day"),
           ("2024-03-03", "Alerts", "the pager wakes whoever is on call"),
           ("2024-05-21", "Search service", "production upgraded from 7 to 8 last night"),
           ("2024-06-10", "Search service", "Elasticsearch 8 needs less memory than we thought"),
           ("2024-07-05", "2024-07-05", "Friday: hot fix for the login hole went out at noon"),
           ("2024-08-19", "Alerts", "Rami thinks two people should be on call"),
           ("2024-09-02", "Deploys", "release notes go to the wiki")),
    _story(("2022-05-14", "Family", "Aunt Vera lives in Graz"),
           ("2022-08-01", "Running", "10 km in 54:20"),
           ("2022-08-15", "Running", "10 km in 53:05"),
           ("2023-01-07", "Car", "the Skoda takes diesel"),
           ("2023-04-30", "Car", "sold the Skoda, bought a Zoe"),
           ("2023-05-02", "Car", "the Zoe charges overnight at home"),
           ("2023-11-19", "2023-11-19", "coffee with Vera in Graz"),
           ("2024-02-25", "Running", "10 km in 55:40, cold wind")),
    _story(("2024-03-02", "Greenhouse", "tomatoes get water every morning"),
           ("2024-03-09", "Shed", "the padlock's number is 6152"),
           ("2024-03-09", "Bikes", "the chain lock's number is 8034"),
           ("2024-04-01", "Greenhouse", "cucumbers get water twice a day"),
           ("2024-05-17", "Neighbours", "Ole has the spare key of the shed"),
           ("2024-06-03", "Greenhouse", "correction: tomatoes every second morning, not every morning"),
           ("2024-06-20", "Greenhouse", "watered the tomatoes, not due again until Saturday"),
           ("2024-07-11", "Neighbours", "got the shed key back from Ole, Tine has it now"),
           ("2024-08-02", "Holidays", "Tine waters everything while we are away"),
           ("2024-08-30", "Shed", "oiled the padlock, 6152 still turns")),
)  # fmt: skip
INCOHERENT: tuple[ExamStory, ...] = (
    _story(("2023-01-10", "Newsletter", "goes out through Mailchimp"),
           ("2023-02-02", "Office", "the cleaner comes on Tuesdays"),
           ("2023-06-15", "Newsletter", "moved from Mailchimp to Buttondown, account closed"),
           ("2023-08-08", "Printer", "toner is in the left cupboard"),
           ("2023-09-30", "Newsletter", "Buttondown took the whole list without trouble"),
           ("2024-01-11", "Office", "cleaner now on Thursdays instead of Tuesdays"),
           ("2024-03-04", "To do", "draft the spring issue in Mailchimp and send a test"),
           ("2024-03-18", "Printer", "toner ordered, arrives on Friday"),
           unsure=([3, 5], [7], [1])),
    _story(("2022-11-05", "Family", "Grandpa drives himself to the club"),
           ("2023-02-12", "House", "boiler is from 2009"),
           ("2023-07-07", "Dog", "Kira eats twice a day"),
           ("2024-01-20", "House", "boiler replaced, the new one is a Vaillant"),
           ("2024-02-03", "2024-02-03", "Grandpa's car is sold, he says he does not miss it"),
           ("2024-03-16", "2024-03-16", "took Grandpa to the club, as every Saturday since the winter"),
           ("2024-04-01", "Dog", "Kira has her shots until 2026"),
           ("2024-05-09", "House", "Vaillant serviced"),
           ("2024-06-30", "Calendar", "pick Grandpa up at two, then the club"),
           unsure=([1], [5, 6, 9])),
    _story(("2024-01-15", "Team rules", "the weekly meeting is on Monday at 10:00"),
           ("2024-01-22", "Payments", "refunds need two signatures"),
           ("2024-02-05", "Onboarding", "new people get a laptop on day one"),
           ("2024-02-20", "Onboarding", "the weekly meeting is on Wednesday at 15:00, do not miss it"),
           ("2024-03-11", "Payments", "limit per transfer is 5,000"),
           ("2024-04-02", "Ideas", "perhaps have lunch together once a month"),
           ("2024-04-19", "Payments", "from now on 8,000 per transfer instead of 5,000"),
           ("2024-05-06", "Travel", "book trains, not planes"),
           unsure=([1], [4])),
    _story(("2022-09-01", "Orders service", "we are on Java 11"),
           ("2022-10-13", "Orders service", "tests run in four minutes"),
           ("2023-03-02", "Warehouse", "bay 3 is for returns"),
           ("2023-08-21", "Incident", "garbage collector of Java 21 stalled under load"),
           ("2023-11-11", "Warehouse", "returns moved from bay 3 to bay 5"),
           ("2024-01-09", "Ops", "Java 21 flags tuned on all order nodes"),
           ("2024-02-17", "Warehouse", "bay 3 gets the pallets now"),
           ("2024-03-28", "Orders service", "tests run in six minutes since the new suite came in"),
           ("2024-04-15", "Ops", "next Java 21 patch goes in on the 20th"),
           unsure=([1], [4, 6, 9])),
    _story(("2023-02-01", "Health", "gave up sugar for good"),
           ("2023-02-20", "Book club", "we meet at Jana's"),
           ("2023-05-05", "Allotment", "plot 14 is ours"),
           ("2023-09-12", "Book club", "no longer at Jana's, we meet in the library from now on"),
           ("2024-01-18", "2024-01-18", "finished the novel"),
           ("2024-02-08", "Book club", "the library closes at nine, so be on time"),
           ("2024-04-04", "Allotment", "paid the fee for plot 14"),
           ("2024-05-30", "Calendar", "book club at Jana's, bring chairs"),
           ("2024-06-02", "Allotment", "beans are up"),
           ("2024-06-21", "Shopping", "string, labels, compost"),
           unsure=([4, 6], [8], [2])),
    _story(("2024-01-03", "Alarm", "the code is 9027"),
           ("2024-01-19", "Heating", "living room is set to 20 degrees"),
           ("2024-02-02", "Heating", "bedroom is set to 17 degrees"),
           ("2024-02-27", "Sitter", "the alarm's code is 3318, door shuts by itself"),
           ("2024-03-08", "Insurance", "policy runs until December"),
           ("2024-03-29", "Insurance", "cancelled the policy, the new one is with Helvetia"),
           ("2024-04-14", "Heating", "turned off for the summer"),
           ("2024-05-05", "Alarm", "new battery put in"),
           unsure=([1], [4])),
)  # fmt: skip


def is_right(found: Sequence[NamedLines], story: ExamStory) -> bool:
    """Does every finding name lines of both sides, and nothing else?"""
    whole = story.one | story.other | story.besides
    lines = [{place + 1 for place in one.places} for one in found]
    return bool(lines) and all(n & story.one and n & story.other and n <= whole for n in lines)


def examine(model: StoryModel, stopping: Callable[[], bool] = lambda: False) -> bool | Failed:
    """Ask until it is clear whether it passes."""
    for story in COHERENT:
        found = model.found(story.texts, stopping)
        if isinstance(found, Failed):
            return found
        if found:
            return False
    seen, needed = 0, MIN_FOUND * len(INCOHERENT)
    for number, story in enumerate(INCOHERENT):
        if seen >= needed or seen + len(INCOHERENT) - number < needed:
            break
        found = model.found(story.texts, stopping)
        if isinstance(found, Failed):
            return found
        seen += is_right(found, story)
    return seen >= needed
