"""How fast the store takes and gives claims, as a ratio to SQLite taking the same rows bare."""

from __future__ import annotations

import argparse
import hashlib
import sqlite3
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from app.claims.claim_changes import by_note, diff
from app.store.changes import FileStat, NoteChange
from app.store.codec import CLAIM_COLUMNS, claim_row
from app.store.store import Store
from app.store.texts import TextRef
from app.words import Claim, Norm, Note, Statement

AT = "2026-06-30T12:00:00+00:00"
PER_NOTE = 15
BATCH = 200


def invented_note(n: int) -> Note:
    path = f"Folder {n % 40}/Note {n}.md"
    texts = [
        f"Item {line} of note {n} is set to {n * 7 % 1000} units for the {line % 5} team."
        for line in range(PER_NOTE)
    ]
    statements = tuple(
        Statement(
            path, line + 1, line + 1, f"- {text}", text, "bullet", (f"Part {line // 5}",),
            before=texts[line - 1] if line else None,
            after=texts[line + 1] if line + 1 < PER_NOTE else None,
            date=f"2026-{n % 12 + 1:02}-{n % 28 + 1:02}", dated_by="daily", listed=True,
            content_hash=hashlib.blake2b(text.encode(), digest_size=16).hexdigest(),
        )
        for line, text in enumerate(texts)
    )  # fmt: skip
    return Note(path, hashlib.blake2b(path.encode()).hexdigest(), f"Note {n}", statements=statements)


def with_norms(claim: Claim) -> Claim:
    s = claim.statement
    return replace(claim, norms=(Norm(f"item {s.line}", value="7 units", scope=(("team", "one"),)),))


def plain(path: Path, claims: list[Claim]) -> float:
    """The claims' rows into one table without an index, in one transaction."""
    rows = []
    for claim in claims:
        row, _ = claim_row(claim, lambda body: TextRef(len(body), ""))
        s = claim.statement
        rows.append((*row, s.text, s.quote, s.parent, s.before, s.after))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    columns = (*CLAIM_COLUMNS, "t1", "t2", "t3", "t4", "t5")
    connection.execute(f"CREATE TABLE claims ({', '.join(columns)})")
    start = time.perf_counter()
    with connection:
        connection.executemany(f"INSERT INTO claims VALUES ({', '.join('?' * len(columns))})", rows)
    seconds = time.perf_counter() - start
    connection.close()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("claims", nargs="?", type=int, default=100_000)
    wanted = parser.parse_args().claims
    notes = [invented_note(n) for n in range(wanted // PER_NOTE)]
    start = time.perf_counter()
    changes = [replace(change, claim=with_norms(change.claim)) for change in diff({}, notes, at=AT)]
    print(f"diff         {len(changes):>8,} claims  {time.perf_counter() - start:6.2f} s with made-up norms")
    groups = by_note(changes)
    todo = [NoteChange(n.path, note=n, stat=FileStat(1, 2, 3), claims=groups[n.path]) for n in notes]

    with tempfile.TemporaryDirectory() as folder:
        bare = plain(Path(folder) / "plain.db", [change.claim for change in changes])
        print(f"plain sqlite {len(changes):>8,} rows    {bare:6.2f} s")
        with Store.open(Path(folder) / "store.db") as store:
            start = time.perf_counter()
            for some in (todo[at : at + BATCH] for at in range(0, len(todo), BATCH)):
                store.notes.apply(some, AT)
            took = time.perf_counter() - start
            print(
                f"apply_notes  {len(changes):>8,} claims  {took:6.2f} s  "
                f"{len(changes) / took:>9,.0f} claims/s  {took / bare:5.1f} × plain"
            )
            for name, ask in {
                "claims": lambda: list(store.claims.active()),
                "story_ids": store.story.ids,
                "story page": lambda: store.story.rows(len(changes) - 100, 60),
                "verify": store.verify,
            }.items():
                start = time.perf_counter()
                ask()
                print(f"{name:<12} {'':>8}         {time.perf_counter() - start:6.3f} s")


if __name__ == "__main__":
    main()
