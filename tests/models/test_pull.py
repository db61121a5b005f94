"""Pulling a model file from a server on this machine: whole, in pieces, and from one that misbehaves."""

from __future__ import annotations

import fcntl
import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from app.models import pull as pulling
from app.models.pull import Pulled, PullError, pull

BODY = b"GGUF" + bytes(range(256)) * 4000
SHA = hashlib.sha256(BODY).hexdigest()


@dataclass
class Behaviour:
    """What the server does, and what it was asked."""

    body: bytes = BODY
    ranges: bool = True
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
    does.body, does.tag = b"GGUF" + bytes(500_000), '"two"'
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
    with pytest.raises(PullError, match="not a GGUF"):
        get(url, tmp_path)
    assert only(tmp_path) == []


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
    ["model.gguf", "ftp://a/model.gguf", "file:///etc/passwd", "http:///x.gguf", "http://a/model.bin"],
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
