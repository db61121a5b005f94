"""A small grammar of statements as notes have them, for properties that must hold for any of them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.guard.building import Said

_SUBJECTS = st.sampled_from(
    [
        "door code",
        "cabin door code",
        "boiler pressure",
        "billing service owner",
        "standup",
        "deploys on Fridays",
    ]
)
_VALUES = st.sampled_from(
    [
        "4411",
        "0087",
        "2.3 bar",
        "at most 2 bar",
        "about 3 bar",
        "Ines",
        "Rob",
        "19:30",
        "half past seven",
        "1k",
        "red",
    ]
)
_LEADS = st.sampled_from(
    ["", "", "", "In prod ", "Since 2025 ", "Until 31 March 2026 ", "Maybe ", "Correction: ", "Ravi says "]
)
_TAILS = st.sampled_from(
    [
        "",
        "",
        "",
        " in dev",
        " unless Ines is ill",
        " (was Rob)",
        " for Noa",
        ", also for guests",
        " as of May 2026",
    ]
)
_CLAUSES = st.one_of(
    st.builds("the {} is {}".format, _SUBJECTS, _VALUES),
    st.builds("the {} is not {}".format, _SUBJECTS, _VALUES),
    st.builds("the {} must be {}".format, _SUBJECTS, _VALUES),
    st.builds("{}: {}".format, _SUBJECTS, _VALUES),
    st.builds("we moved the {0} from {1} to {2}".format, _SUBJECTS, _VALUES, _VALUES),
    st.builds(
        "{} are {}".format, _SUBJECTS, st.sampled_from(["fine", "forbidden", "not allowed", "enabled"])
    ),
    st.builds("never change the {}".format, _SUBJECTS),
    st.builds(
        "Oskar {}".format,
        st.sampled_from(
            ["has no allergies", "is allergic to nuts", "prefers red wine", "prefers white wine"]
        ),
    ),
)


def _sentence(lead: str, clause: str, tail: str) -> str:
    text = f"{lead}{clause}{tail}"
    return text[:1].upper() + text[1:] + ("" if ": " in clause else ".")


STATEMENTS = st.builds(_sentence, _LEADS, _CLAUSES, _TAILS)
_TITLES = st.sampled_from(["House", "Handbook", "Billing service", "2026-03-02", "v1.2"])
_DATES = st.sampled_from([None, "2025-01-10", "2026-02-01", "2026-05-20"])
_FRONT = st.sampled_from(
    [(), (), (), (("type", "decision"),), (("trust", "canon"),), (("project", "p05"),), (("project", "p06"),)]
)

NOTES = st.builds(Said, STATEMENTS, _TITLES, _DATES, _FRONT)
STORIES = st.lists(NOTES, min_size=2, max_size=6)

UNRELATED = Said(
    "The violin teacher lives on Plum Lane.\n\nPotatoes need 20 minutes.\n\n- [ ] Ask about the piano\n\n"
    "Sheep graze behind the mill.",
    "Sundries",
    "2026-04-01",
)
"""Claims that share no subject with the grammar."""
