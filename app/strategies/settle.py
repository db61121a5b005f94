"""Going through the open conflicts by the person's rules: proposals, and decisions where they want them.

Whatever a strategy does is an event with who="strategy …": it stands in the history, and it can be undone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.store.errors import Refused
from app.store.event_chain import BELIE
from app.store.rows import Event
from app.store.store import Store
from app.strategies.api import Contradiction, ResolveContext
from app.strategies.ask import Failed, Resolvers
from app.strategies.decide import Suggestion, contradiction, decide, last_write_wins, resolved
from app.strategies.learned import learned
from app.strategies.rules import Rule, rule_for
from app.words import Conflict

PROPOSED, ESCALATED, FAILED = "proposed", "escalated", "strategy_failed"


@dataclass(slots=True)
class Done:
    """What one pass did, by conflict."""

    applied: dict[str, int] = field(default_factory=dict)
    """With the event of the decision."""
    proposed: list[str] = field(default_factory=list)
    escalated: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """With what went wrong."""


@dataclass(frozen=True, slots=True)
class Where:
    """What a pass needs besides the store and the rules."""

    vault: Path
    config: Path
    """The person's configuration folder: resolvers are loaded from nowhere else."""


def settle(store: Store, rules: Sequence[Rule], where: Where, *, only: Collection[str] | None = None) -> Done:
    """One pass. With `only` these conflicts are decided as if `apply` stood in their rules, whatever was said
    of them before: the person asked for it. Otherwise a conflict that anybody has spoken about, a strategy
    included, is left to the person: what they took back must not be done again behind their back.
    """
    done = Done()
    if store.read_only or (only is None and not any(rule.apply or rule.function for rule in rules)):
        return done
    with Resolvers(where.config, where.vault) as resolvers:
        for given, rule in ruled(store, rules, only):
            acts = rule.apply or rule.function is not None
            if only is None and (not acts or spoken(store.ledger.history(given.id))):
                continue
            _settle_one(store, given, rule, where, resolvers, done, apply=rule.apply or only is not None)
    return done


def ruled(
    store: Store, rules: Sequence[Rule], only: Collection[str] | None = None
) -> list[tuple[Contradiction, Rule]]:
    """The open conflicts in the order of the queue, each with the rule that holds for it."""
    conflicts = [c for c in store.conflicts.open() if only is None or c.id in only]
    return [(given, rule) for _, given, rule in seen(store, conflicts, rules)]


def seen(
    store: Store, conflicts: Sequence[Conflict], rules: Sequence[Rule]
) -> list[tuple[Conflict, Contradiction, Rule]]:
    """Conflicts as strategies see them; one of fewer than two claims that stand is no question."""
    ids = {member for conflict in conflicts for member in conflict.members}
    claims = {claim.id: claim for claim in store.claims.active(ids=ids)} if ids else {}
    if not claims:
        return []
    trust, tags = learned(store), store.notes.tags({claim.statement.path for claim in claims.values()})
    found = []
    for conflict in conflicts:
        members = [claims[id] for id in conflict.members if id in claims]
        if len(members) > 1:
            rule = rule_for(rules, [claim.statement.path for claim in members])
            found.append((conflict, contradiction(conflict, members, trust, tags), rule))
    return found


def spoken(history: Sequence[Event]) -> bool:
    """Somebody has said something about the conflict itself, or taken such a word back; a member that lost
    elsewhere is no word about it."""
    return any(
        event.who != BELIE and (event.cause is None or event.action == "restored") for event in history
    )


def proposal(history: Sequence[Event]) -> Suggestion | None:
    """What a resolver or callback last proposed for a conflict, from its history."""
    last = next((event for event in reversed(history) if event.action == PROPOSED), None)
    if last is None:
        return None
    return Suggestion(last.payload["proposal"], last.why, last.who.removeprefix("strategy "))


def _settle_one(
    store: Store, given: Contradiction, rule: Rule, where: Where, resolvers: Resolvers, done: Done, *,
    apply: bool,
) -> None:  # fmt: skip
    who = f"strategy {rule.use}"
    if rule.function is None:
        choice = None if rule.use == "custom" or rule.use == "manual" else decide(rule.use, given)
    else:
        context = ResolveContext(str(where.vault), rule.folder, apply, rule.options)
        answered = resolvers.ask(rule.function, given, context, rule.seconds)
        if isinstance(answered, Failed):
            done.failed[given.id] = answered.why
            choice = last_write_wins(given) if answered.late and rule.use == "manual" else None
            if choice is None:
                store.ledger.record(FAILED, given.id, {}, answered.why, kind="conflict", who=who)
                return
            # Nobody answered the callback in time: the newest is proposed, and only proposed.
            choice, apply = replace(choice, why=f"{choice.why} ({answered.why})"), False
        else:
            choice = resolved(answered, given)
            if choice is None:
                done.escalated.append(given.id)
                store.ledger.record(ESCALATED, given.id, {}, answered.why, kind="conflict", who=who)
                return
    if choice is None:
        return
    if apply:
        try:
            done.applied[given.id] = store.conflicts.keep(
                given.id, choice.claim, choice.why, how=choice.strategy, who=who
            )
        except Refused:  # settled by somebody else a moment ago
            return
    elif rule.function is not None:
        done.proposed.append(given.id)
        store.ledger.record(
            PROPOSED, given.id, {"proposal": choice.claim}, choice.why, kind="conflict", who=who
        )
