"""What the story can be filtered by, and the days it tells of."""

from __future__ import annotations

import sqlite3

from app.store.rows import SHOWN, Facets, Tally

_SUBJECTS = 200
"""A vault has as many subjects as it has claims; those that come up once or rarely are found by typing."""
_SHOWN = f"c.status IN ({', '.join(repr(status) for status in SHOWN)})"


def facets(connection: sqlite3.Connection) -> Facets:
    def tally(sql: str) -> Tally:
        return tuple((value, count) for value, count in connection.execute(sql))

    return Facets(
        projects=tally(
            f"SELECT c.project, count(*) FROM claims c WHERE {_SHOWN} AND coalesce(c.project, '') <> ''"
            " GROUP BY 1 ORDER BY 2 DESC, 1"
        ),
        tags=tally(
            "SELECT tag, count(*) FROM (SELECT c.id, ltrim(own.value, '#') AS tag FROM claims c,"
            f" json_each(c.tags) own WHERE {_SHOWN} UNION SELECT c.id, ltrim(theirs.value, '#') FROM claims c"
            f" JOIN notes n ON n.path = c.path, json_each(n.tags) theirs WHERE {_SHOWN})"
            " GROUP BY 1 ORDER BY 2 DESC, 1"
        ),
        layers=tally(f"SELECT c.layer, count(*) FROM claims c WHERE {_SHOWN} GROUP BY 1 ORDER BY 2 DESC, 1"),
        kinds=tally(
            "SELECT x.kind, count(DISTINCT m.member_id) FROM conflict_members m"
            " JOIN conflicts x ON x.id = m.conflict_id WHERE x.status = 'open' AND m.left_at IS NULL"
            " GROUP BY 1 ORDER BY 2 DESC, 1"
        ),
        subjects=tally(
            "SELECT s.subject, count(DISTINCT c.id) AS claims FROM norms s JOIN claims c ON c.id = s.claim_id"
            f" WHERE {_SHOWN} AND s.subject_kind = 'PRESENT' GROUP BY 1 HAVING claims > 1"
            f" ORDER BY 2 DESC, 1 LIMIT {_SUBJECTS}"
        ),
    )


def story_days(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Every day a claim is dated, the oldest first."""
    sql = f"SELECT DISTINCT c.date FROM claims c WHERE {_SHOWN} AND c.date IS NOT NULL ORDER BY 1"
    return tuple(day for (day,) in connection.execute(sql))
