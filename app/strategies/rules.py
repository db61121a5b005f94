"""Which strategy holds where: the rules of the person's configuration, the first that fits is the one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, get_args

from app.strategies.api import Strategy

SECONDS = 10.0
"""How long a resolver or callback may take, unless its rule says otherwise."""
_MOST_SECONDS = 600.0
_KEYS = ("folder", "use", "apply", "resolver", "callback", "seconds", "options")
_NAMES: tuple[str, ...] = get_args(Strategy)


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of `strategies`."""

    use: Strategy = "manual"
    folder: str | None = None
    """A folder or a glob of paths; None holds for every note."""
    apply: bool = False
    """Act on the answer at once; else it is a proposal."""
    function: str | None = None
    """`file.py:function` in the configuration folder: the resolver of `custom`, the callback of `manual`."""
    seconds: float = SECONDS
    options: Mapping[str, Any] = field(default_factory=dict)

    def fits(self, path: str) -> bool:
        if self.folder is None:
            return True
        pattern = self.folder.rstrip("/")
        return fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*")


MANUAL = Rule()


def rule_for(rules: Iterable[Rule], paths: Sequence[str]) -> Rule:
    """The first rule in whose folder every member lies: one outside it is another matter."""
    return next((rule for rule in rules if all(rule.fits(path) for path in paths)), MANUAL)


def parse(stored: object, problems: list[str]) -> tuple[Rule, ...]:
    """Rules as the configuration has them; what cannot be used is left out and named."""
    if stored is None:
        return ()
    if not isinstance(stored, list):
        problems.append("“strategies” should be a list of rules")
        return ()
    found = []
    for number, entry in enumerate(stored, start=1):
        wrong = _wrong(entry)
        if wrong is not None:
            problems.append(f"“strategies”, rule {number}: {wrong}")
        else:
            found.append(_rule(entry))
    return tuple(found)


def _rule(entry: Mapping[str, Any]) -> Rule:
    return Rule(
        entry.get("use", "custom" if "resolver" in entry else "manual"),
        entry.get("folder"),
        entry.get("apply", False),
        entry.get("resolver") or entry.get("callback"),
        float(entry.get("seconds", SECONDS)),
        # They go to another process as JSON; a day of YAML becomes its text.
        json.loads(json.dumps(entry.get("options", {}), default=str)),
    )


def _wrong(entry: object) -> str | None:
    """Why an entry is no rule."""
    if not isinstance(entry, dict):
        return "should be a list of settings"
    unknown = [str(key) for key in entry if key not in _KEYS]
    if unknown:
        return f"unknown setting “{unknown[0]}”"
    use = entry.get("use", "custom" if "resolver" in entry else "manual")
    if use not in _NAMES:
        return f"“use” should be one of {', '.join(_NAMES)}"
    for key, kind, words in (
        ("folder", str, "text"), ("resolver", str, "text"), ("callback", str, "text"),
        ("apply", bool, "true or false"), ("options", dict, "a list of settings"),
    ):  # fmt: skip
        if key in entry and not isinstance(entry[key], kind):
            return f"“{key}” should be {words}"
    if ("resolver" in entry) != (use == "custom"):
        return "“custom” and “resolver” (file.py:function) belong together"
    if "callback" in entry and use != "manual":
        return "“callback” belongs to “manual”"
    named = entry.get("resolver", entry.get("callback"))
    if named is not None and not (named.partition(":")[0].endswith(".py") and named.partition(":")[2]):
        return f"“{named}” should be file.py:function"
    if entry.get("apply") and use == "manual" and "callback" not in entry:
        return "“manual” has nothing to apply without a “callback”"
    seconds = entry.get("seconds", SECONDS)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= _MOST_SECONDS:
        return f"“seconds” should be a number up to {_MOST_SECONDS:.0f}"
    return None
