"""What the models made of claims: caches outside the ledger, all of which may go."""

from __future__ import annotations

from app.store.connection import Connection
from app.store.embeddings import StoredEmbeddings
from app.store.judgements import StoredJudgements
from app.store.readings import StoredReadings
from app.store.rereadings import StoredRereadings
from app.store.threads import StoredThreads


class Caches:
    """One cache for each model that reads."""

    def __init__(self, connection: Connection) -> None:
        self.embeddings = StoredEmbeddings(connection)
        self.readings = StoredReadings(connection)
        self.rereadings = StoredRereadings(connection)
        self.threads = StoredThreads(connection)
        self.judgements = StoredJudgements(connection)
