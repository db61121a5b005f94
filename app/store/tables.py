"""The tables as peewee knows them, for everything that is not a bulk statement. Migrations make them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from peewee import SQL, Table

from app.store.texts import listed

Notes: Any = Table("notes", ("path", "tags", "problems", "state", "content_hash"))
Claims: Any = Table(
    "claims", ("id", "path", "text_id", "layer", "status", "superseded_by", "promoted", "extractor")
)
Events: Any = Table("events", ("seq", "at", "who", "action", "target_kind", "target_id", "cause"))
Texts: Any = Table("texts", ("id", "hash", "body"))
Meta: Any = Table("meta", ("key", "value"))
Conflicts: Any = Table(
    "conflicts",
    (
        "id", "detected_at", "kind", "slot_kind", "slot_key", "slot_subject", "project", "status", "tier",
        "confidence", "question", "found_by", "reasons", "resolved_at", "resolution", "winner",
        "snoozed_until",
    ),
)  # fmt: skip
Members: Any = Table(
    "conflict_members",
    ("conflict_id", "member_kind", "member_id", "member_layer_trust", "position", "joined_at", "left_at"),
)
Judged: Any = Table("judged", ("claim_id", "judge"))
Alarms: Any = Table("alarms", ("a", "b", "judge", "key", "odds", "probability"))
Rereadings: Any = Table("rereadings", ("claim_id", "reader", "key", "norms"))
Threads: Any = Table("threads", ("key", "reader", "ids", "verdict", "odds", "kind", "members", "question"))


def one_of(values: Iterable[object]) -> Any:
    """What `in_` of a column takes, however many there are."""
    return SQL("(SELECT value FROM json_each(?))", (listed(values),))
