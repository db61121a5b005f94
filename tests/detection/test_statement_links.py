"""What a link shows, and which note it names."""

from __future__ import annotations

import pytest

from app.detection.statement_links import links


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("The [[Postgres cluster|database]] port", [("database", "Postgres cluster")]),
        ("The [[infra/pg]] port", [("pg", "pg")]),
        ("| [[pg\\|database]] | 5433 |", [("database", "pg")]),
        ("The [database](../infra/Postgres%20cluster.md) port", [("database", "Postgres cluster")]),
        ("The [[pg#Backups|backup]] port", []),
        ("The ![[pg|database]] port", []),
        ("The [docs](https://example.org/pg.md) say", []),
        ("The database port is 5433.", []),
    ],
)
def test_links(quote: str, found: list[tuple[str, str]]) -> None:
    assert [tuple(link) for link in links(quote)] == found
