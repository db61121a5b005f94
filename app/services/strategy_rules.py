"""The strategies a person set up, with what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.strategies.ask import Resolvers
from app.strategies.rules import Rule
from app.strategies.settle import Where


def rule_json(rule: Rule, problem: str | None) -> dict[str, Any]:
    return {
        "folder": rule.folder,
        "use": rule.use,
        "apply": rule.apply,
        "function": rule.function,
        "problem": problem,
    }


def problems(rules: Sequence[Rule], where: Where) -> list[str | None]:
    """Whether the functions that rules name can be loaded; each is, in a process of its own."""
    with Resolvers(where.config, where.vault) as resolvers:
        found = [resolvers.check(rule.function, rule.seconds) if rule.function else None for rule in rules]
    return [failed.why if failed else None for failed in found]
