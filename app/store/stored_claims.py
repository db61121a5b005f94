"""The claims of a store: reading them, and the decisions about single ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

from app.store import forgotten
from app.store.connection import Connection
from app.store.decisions import Decisions
from app.store.event_chain import DECIDED
from app.store.index_progress import needs_comparing
from app.store.meta import MetaValues
from app.store.read_claims import read_claims
from app.store.redact import Redacted, affected, redact, scrub
from app.store.rows import SHOWN
from app.store.tables import Claims, one_of
from app.words import Claim, Status


class StoredClaims:
    """Claims of every status. They are read in the order of path and line; a decision about one returns the
    seq of its event."""

    def __init__(self, connection: Connection, clock: Callable[[], str]) -> None:
        self._connection = connection
        self._clock = clock
        self._meta = MetaValues(connection)

    def get(self, id: str) -> Claim | None:
        return next(self.all(ids=[id]), None)

    def active(
        self, *, paths: Collection[str] | None = None, ids: Collection[str] | None = None
    ) -> Iterator[Claim]:
        return self.with_status("active", paths=paths, ids=ids)

    def all(self, *, ids: Collection[str] | None = None) -> Iterator[Claim]:
        """Claims of every status."""
        with self._connection.reading() as sql:
            return read_claims(sql, None, ids=ids)

    def with_status(
        self,
        status: Status | Collection[Status],
        *,
        paths: Collection[str] | None = None,
        ids: Collection[str] | None = None,
    ) -> Iterator[Claim]:
        """Claims of a status, or of one of several."""
        with self._connection.reading() as sql:
            return read_claims(sql, status, paths=paths, ids=ids)

    def standing_in(self, path: str) -> list[Claim]:
        """The claims that stand in a note today: active, superseded and candidate."""
        return list(self.with_status(SHOWN, paths=[path]))

    def by_path(self, paths: Collection[str], *, status: Collection[Status]) -> dict[str, list[Claim]]:
        """What `diff` asks for: standing claims, or retracted ones, of several notes."""
        found: dict[str, list[Claim]] = defaultdict(list)
        for claim in self.with_status(status, paths=paths):
            found[claim.statement.path].append(claim)
        return dict(found)

    def ids(self) -> set[str]:
        """Every id ever given."""
        with self._connection.reading() as sql:
            return {id for (id,) in sql.execute("SELECT id FROM claims")}

    def promoted(self, ids: Collection[str] | None = None) -> set[str]:
        """Claims (or those of these) the person promoted out of a draft note."""
        query = Claims.select(Claims.id).where(Claims.promoted)
        if ids is not None:
            query = query.where(Claims.id.in_(one_of(ids)))
        with self._connection.reading():
            return {id for (id,) in query.tuples().execute(self._connection.database)}

    def ingested(self) -> set[str]:
        """Claims that came in as reference facts."""
        ingested = (
            "SELECT c.value FROM events e, json_each(e.payload, '$.claims') c"
            f" WHERE {DECIDED} AND e.action = 'ingested'"
        )
        with self._connection.reading() as sql:
            return {id for (id,) in sql.execute(ingested)}

    def promote(self, ids: Sequence[str], why: str = "", *, who: str = "person") -> int:
        """Make candidates active; they stay so while their note remains a draft."""
        with self._connection.deciding():
            needs_comparing(self._meta)
            return self._decisions(who).promote(ids, why)

    def supersede(self, old: str, new: str, why: str = "", *, who: str = "person") -> int:
        """Put an active claim in the place of another; open conflicts of the old one end or lose it."""
        with self._connection.deciding():
            needs_comparing(self._meta)
            return self._decisions(who).supersede(old, new, why)

    def forgotten(self) -> forgotten.RedactedHashes:
        """The texts that were redacted and must not be taken in again."""
        with self._connection.reading() as sql:
            return forgotten.read(sql)

    def redactable(self, id: str) -> list[Claim]:
        """The claims that redacting this one would take out; none where it is redacted already."""
        with self._connection.reading() as sql:
            return affected(sql, id)

    def redact(self, id: str, why: str, *, who: str = "person") -> Redacted:
        """Take the text of a claim, and of all that say it, out of the store for good.

        The file is rewritten too, so that no page of it holds the text. Where others are reading it just
        then, that is made up for when the store is next opened.
        """
        with self._connection.deciding(forgets=True):
            needs_comparing(self._meta)
            done = redact(self._connection.database, id, self._clock(), who, why)
        scrub(self._connection)
        return done

    def _decisions(self, who: str) -> Decisions:
        return Decisions(self._connection.database, self._clock(), who)
