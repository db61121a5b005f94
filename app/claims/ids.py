"""Ids of claims and conflicts: short hashes of what was first seen, so the same vault gives the same ids."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Container, Sequence
from itertools import count


def claim_id(path: str, heading: Sequence[str], text: str, ordinal: int, taken: Container[str]) -> str:
    """8 lowercase base32 characters; if they are taken, a counter gives the next."""
    what = "\0".join((path, "\1".join(heading), text, str(ordinal))).encode("utf-8", "surrogatepass")
    for nth in count():
        data = what if nth == 0 else what + b"\0" + str(nth).encode()
        id = base64.b32encode(hashlib.blake2b(data, digest_size=5).digest()).decode().lower()
        if id not in taken:
            return id
    raise AssertionError("unreachable")


def conflict_id(members: Collection[str], taken: Container[str] = ()) -> str:
    """`c-` and 8 hex digits of a hash of the members, in any order."""
    what = " ".join(sorted(members)).encode()
    for nth in count():
        data = what if nth == 0 else what + b" " + str(nth).encode()
        id = "c-" + hashlib.blake2b(data, digest_size=4).hexdigest()
        if id not in taken:
            return id
    raise AssertionError("unreachable")
