"""Pulling a model file from a server on this machine: whole, in pieces, and from one that misbehaves."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import http.client
import ssl
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from app.models import pull as pulling
from app.models.pull import Pulled, PullError, pull
from tests.models import tiny_gguf


def model(width: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return tiny_gguf.model(Path(folder) / "model.gguf", width=width).read_bytes()


BODY = model(512)  # about a megabyte
SHA = hashlib.sha256(BODY).hexdigest()


@dataclass
class Behaviour:
    """What the server does, and what it was asked."""

    body: bytes = BODY
    ranges: bool = True
    length: bool = True
    cuts: list[int] = field(default_factory=list)
    """After so many bytes of an answer the connection is cut; one for each request, then never."""
    tag: str | None = '"one"'
    status: int = 0
    elsewhere: str = ""
    shift: int = 0
    seen: list[str | None] = field(default_factory=list)


class Server(ThreadingHTTPServer):
    behaviour: Behaviour


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        does = self.server.behaviour
        wanted = self.headers.get("Range")
        does.seen.append(wanted)
        if does.status:
            self.send_error(does.status)
            return
        if does.elsewhere:
            self.send_response(302)
            self.send_header("Location", does.elsewhere)
            self.end_headers()
            return
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and does.ranges else 0
        if self.headers.get("If-Range") not in (None, does.tag):
            start = 0
        if start >= len(does.body):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(does.body)}")
            self.end_headers()
            return
        rest = does.body[start:]
        self.send_response(206 if start else 200)
        if start:
            at = start + does.shift
            self.send_header("Content-Range", f"bytes {at}-{len(does.body) - 1}/{len(does.body)}")
        if does.length:
            self.send_header("Content-Length", str(len(rest)))
        if does.tag:
            self.send_header("ETag", does.tag)
        self.end_headers()
        cut = does.cuts.pop(0) if does.cuts else None
        self.wfile.write(rest if cut is None else rest[:cut])

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as made:
        made.behaviour = Behaviour()
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def does(server: Server) -> Behaviour:
    return server.behaviour


@pytest.fixture
def url(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}/some/tiny%20model.gguf?download=true"


def quiet(have: int, whole: int | None) -> None:
    pass


def get(url: str, folder: Path, sha256: str | None = None) -> Pulled:
    return pull(url, folder, sha256=sha256, progress=quiet)


def only(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_file_arrives_whole_with_its_checksum_and_progress(url: str, tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    done = pull(url, tmp_path / "new", sha256=SHA.upper(), progress=lambda *at: told.append(at))
    assert (done.path.name, done.sha256, done.resumed) == ("tiny-model.gguf", SHA, 0)
    assert done.path.read_bytes() == BODY
    assert only(tmp_path / "new") == ["tiny-model.gguf"]
    assert told[0] == (0, len(BODY)) and told[-1] == (len(BODY), len(BODY))
    assert [have for have, _ in told] == sorted(have for have, _ in told)


def test_a_cut_connection_is_taken_up_where_it_broke(url: str, does: Behaviour, tmp_path: Path) -> None:
    does.cuts = [300_000, 200_000]
    assert get(url, tmp_path, SHA).path.read_bytes() == BODY
    assert does.seen == [None, "bytes=300000-", "bytes=500000-"]


def test_a_connection_cut_for_good_keeps_what_came_for_the_next_time(
    url: str, does: Behaviour, tmp_path: Path
) -> None:
    does.cuts = [300_000, 0]
    with pytest.raises(PullError, match="goes on from there"):
        get(url, tmp_path)
    assert "tiny-model.gguf.part" in only(tmp_path) and "tiny-model.gguf" not in only(tmp_path)
    done = get(url, tmp_path, SHA)
    assert done.resumed == 300_000 and done.path.read_bytes() == BODY
    assert only(tmp_path) == ["tiny-model.gguf"]


def test_a_server_without_ranges_starts_over(url: str, does: Behaviour, tmp_path: Path) -> None:
    does.ranges, does.cuts = False, [300_000]
    assert get(url, tmp_path, SHA).path.read_bytes() == BODY
    assert does.seen == [None, "bytes=300000-"]


def test_another_file_at_the_address_is_not_glued_to_the_old_one(
    url: str, does: Behaviour, tmp_path: Path
) -> None:
    does.cuts = [300_000, 0]
    with pytest.raises(PullError):
        get(url, tmp_path)
    does.body, does.tag = model(256), '"two"'
    assert get(url, tmp_path).path.read_bytes() == does.body


def test_the_same_name_from_another_address_starts_over(url: str, does: Behaviour, tmp_path: Path) -> None:
    does.cuts = [300_000, 0]
    with pytest.raises(PullError):
        get(url, tmp_path)
    done = get(url.replace("/some/", "/other/"), tmp_path, SHA)
    assert (done.resumed, does.seen[-1]) == (0, None)


def test_all_was_there_but_the_end_was_not_heard(url: str, does: Behaviour, tmp_path: Path) -> None:
    does.cuts = [300_000, 0]
    with pytest.raises(PullError):
        get(url, tmp_path)
    (tmp_path / "tiny-model.gguf.part").write_bytes(BODY)
    assert get(url, tmp_path, SHA).resumed == len(BODY)


def test_a_wrong_checksum_leaves_nothing(url: str, tmp_path: Path) -> None:
    with pytest.raises(PullError, match="checksum"):
        get(url, tmp_path, "0" * 64)
    assert only(tmp_path) == []


def test_what_is_no_gguf_leaves_nothing(url: str, does: Behaviour, tmp_path: Path) -> None:
    does.body = b"<html>please sign in</html>"
    for checksum in (None, hashlib.sha256(does.body).hexdigest()):
        with pytest.raises(PullError, match=r"127\.0\.0\.1 is not a GGUF file; it was not kept"):
            get(url, tmp_path, checksum)
        assert only(tmp_path) == []


@pytest.mark.parametrize("cut", [4, 100, 300_000, len(BODY) - 1])
def test_a_file_cut_short_by_a_server_that_does_not_say_how_long_it_is(
    cut: int, url: str, does: Behaviour, tmp_path: Path
) -> None:
    does.length, does.cuts = False, [cut]
    with pytest.raises(PullError, match=r"is damaged: .*it was not kept"):
        get(url, tmp_path)
    assert only(tmp_path) == []
    assert get(url, tmp_path, SHA).path.read_bytes() == BODY


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> list[OSError]:
    """Each of these breaks one connection, after the first piece of an answer was read."""
    breaks: list[OSError] = []
    real = http.client.HTTPResponse.read

    def read(self: http.client.HTTPResponse, amount: int | None = None) -> bytes:
        if breaks and getattr(self, "begun", False):
            raise breaks.pop(0)
        self.begun = True  # type: ignore[attr-defined]
        return real(self, amount)

    monkeypatch.setattr(http.client.HTTPResponse, "read", read)
    return breaks


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EHOSTUNREACH, "No route to host"),
        OSError(errno.ENETDOWN, "Network is down"),
        ssl.SSLError(1, "[SSL: DECRYPTION_FAILED_OR_BAD_RECORD_MAC] bad record mac"),
        ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"),
        TimeoutError("timed out"),
    ],
    ids=lambda error: type(error).__name__ + str(error.errno or ""),
)
def test_whatever_breaks_a_connection_it_is_taken_up_again(
    error: OSError, broken: list[OSError], url: str, does: Behaviour, tmp_path: Path
) -> None:
    broken.append(error)
    assert get(url, tmp_path, SHA).path.read_bytes() == BODY
    assert len(does.seen) == 2 and does.seen[1] not in (None, "bytes=0-")


def test_a_connection_that_breaks_each_time_is_not_blamed_on_the_folder(
    broken: list[OSError], url: str, tmp_path: Path
) -> None:
    broken += [OSError(errno.EHOSTUNREACH, "No route to host")] * 10
    with pytest.raises(PullError, match=r"The connection was cut after .* goes on from there"):
        get(url, tmp_path)
    broken.clear()
    assert get(url, tmp_path, SHA).resumed > 0


def test_a_disk_that_is_full_is_not_blamed_on_the_connection(
    url: str, does: Behaviour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pulling._copy

    class Full:
        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def flush(self) -> None:
            pass

    monkeypatch.setattr(pulling, "_copy", lambda answer, part, *rest: real(answer, Full(), *rest))
    with pytest.raises(PullError, match="cannot be written: No space left on device"):
        get(url, tmp_path)
    assert len(does.seen) == 1


def test_a_server_that_continues_elsewhere_is_not_believed(url: str, does: Behaviour, tmp_path: Path) -> None:
    does.cuts, does.shift = [300_000], 7
    with pytest.raises(PullError, match="another place"):
        get(url, tmp_path)


def test_offline_is_said_plainly(url: str, server: Server, tmp_path: Path) -> None:
    nobody = "http://127.0.0.1:9/model.gguf"
    with pytest.raises(PullError, match=r"127.0.0.1 cannot be reached .* nothing else does"):
        get(nobody, tmp_path)
    assert only(tmp_path) == []
    with pytest.raises(PullError, match="cannot be reached"):
        get("https://host.invalid/model.gguf", tmp_path)


def test_an_error_of_the_server_is_named(url: str, does: Behaviour, tmp_path: Path) -> None:
    does.status = 404
    with pytest.raises(PullError, match="404"):
        get(url, tmp_path)


def test_a_redirect_may_not_lead_to_a_file(url: str, does: Behaviour, tmp_path: Path) -> None:
    does.elsewhere = "file:///etc/passwd"
    with pytest.raises(PullError):
        get(url, tmp_path)
    assert only(tmp_path) == []


def test_too_little_room_is_said_before_anything_comes(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("usage", (), {"free": 1000})
    monkeypatch.setattr(pulling.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(PullError, match="room for 1,000"):
        get(url, tmp_path)


@pytest.mark.parametrize("elsewhere", ["http://[bad/x.gguf", "http://a..b/x.gguf"])
def test_a_redirect_to_what_is_no_address(elsewhere: str, url: str, does: Behaviour, tmp_path: Path) -> None:
    does.elsewhere = elsewhere
    with pytest.raises(PullError, match="does not lead to a web address"):
        get(url, tmp_path)


def test_two_do_not_pull_the_same_file(url: str, tmp_path: Path) -> None:
    with (tmp_path / "tiny-model.gguf.part").open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(PullError, match="another process"):
            get(url, tmp_path)


def test_what_is_there_is_not_pulled_again(url: str, does: Behaviour, tmp_path: Path) -> None:
    get(url, tmp_path)
    with pytest.raises(PullError, match="already"):
        get(url, tmp_path)
    assert len(does.seen) == 1


@pytest.mark.parametrize(
    "address",
    [
        "model.gguf",
        "ftp://a/model.gguf",
        "file:///etc/passwd",
        "http:///x.gguf",
        "http://a/model.bin",
        "http://[bad/x.gguf",
        "http://a..b/x.gguf",
    ],
)
def test_addresses_that_are_none(address: str, tmp_path: Path) -> None:
    with pytest.raises(PullError):
        get(address, tmp_path)


def test_a_checksum_that_is_none(url: str, does: Behaviour, tmp_path: Path) -> None:
    with pytest.raises(PullError, match="64"):
        get(url, tmp_path, "abc")
    assert does.seen == []


def test_a_name_cannot_leave_the_folder() -> None:
    assert pulling.file_name("http://a/x/..%2F..%2Fevil.gguf") == "evil.gguf".replace(
        "evil", "..-evil"
    ).strip(".-")


def test_a_folder_that_cannot_be_made(url: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PullError, match="cannot be written"):
        get(url, tmp_path / "file" / "models")
