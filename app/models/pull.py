"""Fetches a model file at the person's word: the only place in Belie that opens a connection.

What arrives goes to `NAME.part`, so that a cut connection costs nothing but time; the file takes its place
whole, checked, or not at all.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import os
import re
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from app.in_folder import lock_file, replace
from app.models.files import Unusable
from app.models.gguf_header import read_header
from app.private_files import make_private, make_private_file
from app.regular_file import read_regular

_CHUNK = 1 << 18
_TIMEOUT = 30.0
_TRIES = 4
"""How often a connection that is cut is taken up again by itself, as long as each brings something."""
_NAME = re.compile(r"[^\w.+-]+")
_SHA256 = re.compile(r"[0-9a-f]{64}")

Progress = Callable[[int, int | None], None]
"""How many bytes are there, and of how many, if the server says so."""


class PullError(Exception):
    """Nothing was installed; the message is for the person."""


class _Cut(Exception):
    """The connection ended before the file did."""


@dataclass(frozen=True, slots=True)
class Pulled:
    path: Path
    sha256: str
    resumed: int
    """Bytes that were there already from an earlier try."""


def file_name(url: str) -> str:
    """The name a URL's file gets here; raises PullError where it is no GGUF."""
    try:
        parts = urlsplit(url)
    except ValueError:  # a bracket that opens no IPv6 address
        raise _no_address(url) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _no_address(url)
    name = _NAME.sub("-", unquote(parts.path.rsplit("/", 1)[-1])).strip(".-")
    if not name.lower().endswith(".gguf"):
        raise PullError(f"“{name or url}” is not a GGUF file; llama.cpp runs no other.")
    return name


def _no_address(url: str) -> PullError:
    return PullError(f"“{url}” is not a web address like https://example.org/model.gguf.")


def pull(url: str, folder: Path, *, sha256: str | None = None, progress: Progress) -> Pulled:
    """Fetch a file into the folder. Raises PullError."""
    name = file_name(url)
    wanted = sha256.lower().strip() if sha256 is not None else None
    if wanted is not None and not _SHA256.fullmatch(wanted):
        raise PullError("A SHA-256 checksum has 64 hexadecimal digits.")
    target = folder / name
    if target.exists():
        raise PullError(f"{name} is there already; remove it first (belie models remove {name}).")
    try:
        make_private(folder)
        unfinished = folder / f"{name}.part"
        tag = unfinished.with_suffix(".part.json")
        with _held(unfinished) as part:
            resumed, found = _fetch_all(url, part, tag, progress)
        # Only now that it is closed: on Windows an open file can neither be renamed nor removed.
        if wrong := _wrong(unfinished, found, wanted):
            unfinished.unlink()
            tag.unlink(missing_ok=True)
            raise PullError(f"What came from {urlsplit(url).hostname} {wrong}; it was not kept.")
        replace(unfinished, target)
        tag.unlink(missing_ok=True)
        return Pulled(target, found, resumed)
    except OSError as error:
        raise PullError(f"{folder} cannot be written: {error.strerror or error}.") from error


@contextlib.contextmanager
def _held(path: Path) -> Iterator[IO[bytes]]:
    """The unfinished file, for this process alone."""
    make_private_file(path)
    try:
        with path.open("a+b") as part:
            if not lock_file(part.fileno()):
                raise PullError(f"{path.stem} is being pulled by another process.")
            yield part
    finally:
        with contextlib.suppress(OSError):
            if path.stat().st_size == 0:
                path.unlink()


def _fetch_all(url: str, part: IO[bytes], tag: Path, progress: Progress) -> tuple[int, str]:
    """How much was there before, and the checksum of the whole."""
    resumed = part.seek(0, os.SEEK_END)
    if resumed and _tag(tag).get("url") != url:
        part.truncate(resumed := 0)  # begun from another address: it may be another file
    for left in reversed(range(_TRIES)):
        before = part.seek(0, os.SEEK_END)
        try:
            _fetch(url, part, tag, progress)
            break
        except _Cut as error:
            have = part.seek(0, os.SEEK_END)
            if left == 0 or have <= before:
                raise PullError(f"{error} The same command goes on from there.") from error
    part.flush()
    os.fsync(part.fileno())
    return resumed, _sha256(part)


def _tag(path: Path) -> dict[str, Any]:
    try:
        stored = json.loads(read_regular(path))
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}


def _fetch(url: str, part: IO[bytes], tag: Path, progress: Progress) -> None:
    """From where it stands to the end. Raises _Cut, or PullError where another try would not help."""
    have = part.seek(0, os.SEEK_END)
    headers = {"User-Agent": "belie", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
        if known := _tag(tag).get("version"):
            headers["If-Range"] = str(known)
    try:
        answer = _opener().open(urllib.request.Request(url, headers=headers), timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416 and have:  # there is no more than we have, or it is another file by now
            if error.headers.get("Content-Range") == f"bytes */{have}":
                return
            part.truncate(0)
            raise _Cut("The file has changed at its address.") from error
        raise PullError(f"{urlsplit(url).hostname} answered {error.code} {error.reason}.") from error
    except (OSError, http.client.HTTPException) as error:
        if have:
            raise _Cut(f"{_unreachable(url, error)} {have:,} bytes are there.") from error
        raise PullError(_unreachable(url, error)) from error
    except ValueError as error:  # its host, or that of a redirect, is no name a network takes
        raise PullError(f"“{url}” does not lead to a web address ({error}).") from error
    with answer:
        whole = _whole_size(answer, have)
        if answer.status != 206:
            part.truncate(have := 0)
        free = shutil.disk_usage(tag.parent).free
        if whole is not None and whole - have > free:
            raise PullError(f"{whole - have:,} bytes are still to come, and the disk has room for {free:,}.")
        version = answer.headers.get("ETag") or answer.headers.get("Last-Modified")
        make_private_file(tag)
        tag.write_text(json.dumps({"url": url, "version": version}), encoding="utf-8")
        _copy(answer, part, have, whole, progress)


def _copy(answer: Any, part: IO[bytes], have: int, whole: int | None, progress: Progress) -> None:
    progress(have, whole)
    try:
        while chunk := _next(answer, have):
            part.write(chunk)
            have += len(chunk)
            progress(have, whole)
    finally:
        part.flush()
    if whole is not None and have < whole:
        raise _Cut(f"The connection was cut after {have:,} of {whole:,} bytes.")


def _next(answer: Any, have: int) -> bytes:
    """The next piece, empty at the end. Raises _Cut whatever is wrong with the connection: reset, no route to
    the host, a broken TLS record. An error of writing is none of these, and is the caller's."""
    try:
        chunk: bytes = answer.read(_CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise _Cut(f"The connection was cut after {have:,} bytes.") from error
    return chunk


def _whole_size(answer: Any, have: int) -> int | None:
    """Raises PullError where a server continues elsewhere than asked."""
    if answer.status == 206:
        match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", answer.headers.get("Content-Range") or "")
        if match is None or int(match[1]) != have:
            raise PullError("The server continued at another place than it was asked to.")
        return int(match[2]) if match[2] != "*" else None
    length = answer.headers.get("Content-Length")
    return int(length) if length and length.isdigit() else None


def _unreachable(url: str, error: BaseException) -> str:
    reason = getattr(error, "reason", None) or error
    why = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return (
        f"{urlsplit(url).hostname} cannot be reached ({why}). Pulling needs a connection; nothing else does."
    )


def _sha256(part: IO[bytes]) -> str:
    part.seek(0)
    digest = hashlib.sha256()
    while chunk := part.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def _wrong(path: Path, found: str, wanted: str | None) -> str:
    """What keeps a file from being installed; empty where nothing does. A server that does not say how long
    its file is cannot be caught cutting it short, but the file's own header can."""
    if wanted not in (None, found):
        return f"has another checksum ({found})"
    try:
        read_header(path)
    except Unusable as error:
        return str(error).removeprefix(f"{path} ")
    return ""


class _SameTrust(urllib.request.HTTPRedirectHandler):
    """A redirect may lead elsewhere, but never out of https, nor to another kind of address."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme not in ("http", "https") or (req.type == "https" and scheme != "https"):
            raise PullError(f"The server leads to an address that is not safe: {newurl}.")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_SameTrust)
