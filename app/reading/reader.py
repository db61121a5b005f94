"""From claims to readings, each parsed once: earlier readings come from the store."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from app.reading.frame import Reading
from app.reading.parser import MODEL, NoParser, parse
from app.reading.read import read, texts_to_parse
from app.reading.reading_codec import decode_reading, encode_reading
from app.store.errors import StoreError
from app.words import Claim

VERSION = "2"
"""Raise it when a text may be read differently."""
_AT_ONCE = 512
log = logging.getLogger(__name__)


class ReadingCache(Protocol):
    """Where readings are kept: by claim, so that a redacted claim leaves no trace."""

    def get(self, ids: Collection[str]) -> dict[str, tuple[str, str]]:
        """For each claim, the key and the text stored with it."""

    def put(self, rows: Mapping[str, tuple[str, str]]) -> None: ...


class ClaimReader:
    """Reads claims; without a parser it reads nothing and says why."""

    def __init__(self, kept: ReadingCache | None = None) -> None:
        self._kept = kept
        self.trouble = ""
        """Why nothing can be parsed; empty if everything can."""

    def read(self, claims: Iterable[Claim]) -> dict[str, Reading]:
        wanted = {claim.id: claim for claim in claims}
        if not wanted:
            return {}
        keys = {id: _key(claim) for id, claim in wanted.items()}
        out: dict[str, Reading] = {}
        if self._kept is not None:
            for id, (key, stored) in self._kept.get(wanted.keys()).items():
                if keys.get(id) == key:
                    with contextlib.suppress(ValueError, TypeError):  # a broken row is read again
                        out[id] = decode_reading(stored)
        missing = [wanted[id] for id in wanted if id not in out]
        for start in range(0, len(missing), _AT_ONCE):
            out |= self._parsed(missing[start : start + _AT_ONCE], keys)
        return out

    def _parsed(self, claims: list[Claim], keys: Mapping[str, str]) -> dict[str, Reading]:
        texts = sorted({text for claim in claims for text in texts_to_parse(claim)}, key=len)
        try:
            parses = dict(zip(texts, parse(texts), strict=True))
        except NoParser as error:
            self.trouble = str(error)
            log.info("%s", error)
            return {}
        made = {claim.id: read(claim, parses) for claim in claims}
        if self._kept is not None:
            with contextlib.suppress(StoreError):  # it is only a cache
                self._kept.put({id: (keys[id], encode_reading(one)) for id, one in made.items()})
        return made


def _key(claim: Claim) -> str:
    content = "\0".join((VERSION, MODEL, claim.statement.form, *texts_to_parse(claim)))
    return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=8).hexdigest()
