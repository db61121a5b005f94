"""From frames to typed answers."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from app.models.jobs import Job
from app.models.requests import Completed, Embedded, Failed, Judged, Measured, Weighed


def rows_of(job: Job, reply: Mapping[str, Any]) -> tuple[dict[int, Any], dict[str, Any]]:
    """The reply's rows by their place in the request. Raises ValueError when there are more or fewer."""
    body: bytes = reply["body"]
    about = {key: reply[key] for key in ("model", "width") if key in reply}
    match job.kind:
        case "embed":
            cut = _cut(body, 2 * reply["width"], len(job.items))
            return dict(zip(job.items, cut, strict=True)), about
        case "judge":
            form = struct.Struct(f"={reply['width']}f")
            cut = _cut(body, form.size, len(job.items))
            return {item: form.unpack(row) for item, row in zip(job.items, cut, strict=True)}, about
        case "complete":
            return {0: (reply["text"], reply["whole"], reply["tokens"])}, about
        case "weigh":
            return {0: (tuple(map(float, reply["odds"])), reply["tokens"], reply["fresh"])}, about
        case _:  # measure
            return {0: (reply["context"], tuple(map(int, reply["tokens"])))}, about


def _cut(body: bytes, size: int, count: int) -> list[bytes]:
    if len(body) != size * count:
        raise ValueError(f"{len(body)} bytes for {count} rows of {size}")
    return [body[n * size : (n + 1) * size] for n in range(count)]


def embedded(
    size: int, rows: Mapping[int, Any], failures: Mapping[int, Failed], about: Mapping[str, Any]
) -> Embedded:
    return Embedded(
        about.get("model", ""), about.get("width", 0), tuple(map(rows.get, range(size))), dict(failures)
    )


def judged(
    size: int, rows: Mapping[int, Any], failures: Mapping[int, Failed], about: Mapping[str, Any]
) -> Judged:
    return Judged(about.get("model", ""), tuple(map(rows.get, range(size))), dict(failures))


def completed(
    size: int, rows: Mapping[int, Any], failures: Mapping[int, Failed], about: Mapping[str, Any]
) -> Completed:
    text, whole, tokens = rows[0]
    return Completed(about.get("model", ""), text, whole, tokens)


def weighed(
    size: int, rows: Mapping[int, Any], failures: Mapping[int, Failed], about: Mapping[str, Any]
) -> Weighed:
    odds, tokens, fresh = rows[0]
    return Weighed(about.get("model", ""), odds, tokens, fresh)


def measured(
    size: int, rows: Mapping[int, Any], failures: Mapping[int, Failed], about: Mapping[str, Any]
) -> Measured:
    context, tokens = rows[0]
    return Measured(about.get("model", ""), context, tokens)
