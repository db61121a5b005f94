"""The peewee/SQLite store: claims, conflicts, and the append-only ledger."""
