"""A small grammar of statements as notes have them, for properties that must hold for any of them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.support.claims_of_notes import Said

_TOPICS = {
    "front door code": ["4411", "0087", "9310"],
    "boiler pressure": ["2.3 bar", "3 bar", "at most 2 bar", "about 3 bar"],
    "billing service owner": ["Ines", "Rob", "Ines Berg"],
    "payments standup": ["19:30", "half past seven", "20:00"],
    "atlas server": ["64 GB of RAM, 8 cores", "32 GB of RAM, 4 cores"],
}
_RULES = ["Friday deploys are fine", "Never deploy on Fridays", "Friday deploys are forbidden"]
_TASTES = [
    "Oskar prefers red wine",
    "Oskar prefers white wine",
    "Oskar has no allergies",
    "Oskar is allergic to nuts",
]
_LEADS = [
    *[""] * 12,
    "In prod ",
    "Since 2025 ",
    "Until 31 March 2026 ",
    "Maybe ",
    "Correction: ",
    "Ravi says ",
]
_TAILS = [
    *[""] * 12,
    " in dev",
    " unless Ines is ill",
    " (was Rob)",
    " for Noa",
    ", also for guests",
    " as of May 2026",
]
_TITLES = ["House", "Handbook", "Overview", "Billing service", "Log", "2026-03-02", "v1.2"]
_DATES = [None, "2025-01-10", "2026-02-01", "2026-05-20"]
_FRONTS = [
    *[()] * 8,
    (("type", "decision"),),
    (("trust", "canon"),),
    (("project", "p05"),),
    (("project", "p06"),),
]


@st.composite
def statements(draw: st.DrawFn, topic: str) -> str:
    """One sentence or labelled line about the topic, mostly plain."""
    if topic in ("rules", "tastes"):
        clause = draw(st.sampled_from(_RULES if topic == "rules" else _TASTES))
    else:
        form = draw(st.sampled_from(["the {0} is {1}"] * 5 + ["{0}: {1}"] * 3 + _RARE))
        clause = form.format(topic, *(draw(st.sampled_from(_TOPICS[topic])) for _ in range(2)))
    text = draw(st.sampled_from(_LEADS)) + clause + draw(st.sampled_from(_TAILS))
    return text[:1].upper() + text[1:] + ("" if ": " in clause else ".")


_RARE = [
    "the {0} is not {1}",
    "the {0} must be {1}",
    "never change the {0}",
    "we changed the {0} from {1} to {2}",
    "we changed the {0} to {1}",
    "the {0} was {1}",
]


@st.composite
def notes(draw: st.DrawFn, topic: str) -> Said:
    body = draw(statements(topic))
    title, date, front = (draw(st.sampled_from(options)) for options in (_TITLES, _DATES, _FRONTS))
    return Said(body, title, date, front)


@st.composite
def arcs(draw: st.DrawFn, topic: str) -> list[Said]:
    """X, a change to Y, and then whichever."""
    x, y, z = (draw(st.sampled_from(_TOPICS[topic])) for _ in range(3))
    lines = [f"The {topic} is {x}.", f"We changed the {topic} from {x} to {y}.", f"The {topic} is {z}."]
    days = ("2025-03-01", "2025-06-01", "2025-09-01")
    return [
        Said(line, title, day)
        for line, title, day in zip(lines, ("Overview", "Log", "Notes"), days, strict=True)
    ]


@st.composite
def stories(draw: st.DrawFn, least: int = 2, most: int = 6) -> list[Said]:
    """Several notes, most of them about one thing."""
    topic = draw(st.sampled_from([*_TOPICS, "rules", "tastes"]))
    told = [draw(notes(topic)) for _ in range(draw(st.integers(least, most)))]
    if topic in _TOPICS and draw(st.booleans()):
        told += draw(arcs(topic))
    if draw(st.booleans()):
        told.append(draw(notes(draw(st.sampled_from([*_TOPICS])))))
    return told


STORIES = stories()
PAIRS = stories(2, 2)

UNRELATED = Said(
    "The violin teacher lives on Plum Lane.\n\nPotatoes need 20 minutes.\n\n- [ ] Ask about the piano\n\n"
    "Sheep graze behind the mill.",
    "Sundries",
    "2026-04-01",
)
"""Claims that share no subject with the grammar."""
