"""A camera on the network: pictures in any wrapping, refusals in words, and never a queue of old ones."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from drivers.base import DriverError, DriverNotFound, DriverOpenFailed

np = pytest.importorskip("numpy")
cv2 = pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from drivers.mjpeg_camera import PartReader, open_mjpeg  # noqa: E402

PATIENCE_S = 20.0
Answer = Callable[[BaseHTTPRequestHandler], None]


def jpeg(level: int) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((48, 64, 3), level, np.uint8))[1].tobytes())


ONE, TWO, THREE = jpeg(10), jpeg(20), jpeg(30)


def part(picture: bytes, length: bool = True, delimiter: bytes = b"--cut") -> bytes:
    said = b"Content-Length: %d\r\n" % len(picture) if length else b""
    return delimiter + b"\r\nContent-Type: image/jpeg\r\n" + said + b"\r\n" + picture + b"\r\n"


def test_pictures_come_whole_however_the_network_cuts_them() -> None:
    stream = part(ONE) + part(TWO) + part(THREE)
    for size in (1, 7, 100, len(stream)):
        parts = PartReader("cut")
        found = [one for n in range(0, len(stream), size) for one in parts.feed(stream[n : n + size])]
        assert found == [ONE, TWO, THREE], f"pieces of {size}"


def test_pictures_without_a_stated_length_end_at_the_next_ones_head() -> None:
    assert PartReader("cut").feed(part(ONE, False) + part(TWO, False) + b"--cut") == [
        ONE + b"\r\n",
        TWO + b"\r\n",
    ]


def test_a_picture_without_a_stated_length_is_not_held_back_until_the_next_one_comes() -> None:
    assert PartReader("cut").feed(part(ONE, False)) == [ONE + b"\r\n"]


def test_a_boundary_may_be_told_with_its_dashes() -> None:
    stream = part(ONE, False) + part(TWO, False) + b"--cut"
    assert len(PartReader("--cut").feed(stream)) == 2
    assert len(PartReader('"cut"').feed(stream)) == 2


def test_a_lie_about_the_length_costs_one_picture_only() -> None:
    lie = b"--cut\r\nContent-Length: 5\r\n\r\n" + ONE + b"\r\n"
    assert PartReader("cut").feed(lie + part(TWO))[-1] == TWO


def test_noise_without_pictures_fills_no_memory() -> None:
    parts = PartReader("cut")
    for _ in range(100):
        assert parts.feed(b"no picture " * 10_000) == []
    assert len(parts._held) < 200_000


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Answer) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer(self)

            def log_message(self, format: str, *args: object) -> None:
                """Nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/video"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def begin(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
    handler.end_headers()


def test_a_reader_that_is_late_gets_the_newest_picture_and_no_older_one(
    serve: Callable[[Answer], str],
) -> None:
    """OpenCV's own reader hands out all forty in turn: the last comes when it is long old."""
    done = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        for n in range(40):
            handler.wfile.write(part(jpeg(5 * n)))
        done.wait(PATIENCE_S)

    camera = open_mjpeg(serve(answer))
    assert camera is not None
    try:
        until_s = time.monotonic() + PATIENCE_S
        while camera._newest != jpeg(195) and time.monotonic() < until_s:
            time.sleep(0.01)
        image = camera.read()
        assert image is not None
        assert round(float(image.mean())) == 195
    finally:
        done.set()
        camera.close()


def test_a_stream_that_breaks_off_has_no_picture_any_more(serve: Callable[[Answer], str]) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        handler.wfile.write(part(ONE))

    camera = open_mjpeg(serve(answer))
    assert camera is not None
    first, second = camera.read(), camera.read()
    camera.close()
    assert first is not None
    assert second is None


def test_a_page_that_is_no_stream_is_left_to_opencv(serve: Callable[[Answer], str]) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "video/mp4")
        handler.end_headers()

    assert open_mjpeg(serve(answer)) is None


@pytest.mark.parametrize(
    ("code", "words"), [(401, "name and a password"), (503, "busy"), (404, "answers 404")]
)
def test_a_refusal_is_said_in_words(serve: Callable[[Answer], str], code: int, words: str) -> None:
    url = serve(lambda handler: handler.send_error(code))
    with pytest.raises(DriverOpenFailed, match=words):
        open_mjpeg(url)


def test_a_password_in_the_address_is_used(serve: Callable[[Answer], str]) -> None:
    asked: list[str] = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.headers.get("Authorization", ""))
        if not asked[-1]:
            handler.send_response(401)
            handler.send_header("WWW-Authenticate", 'Basic realm="camera"')
            handler.end_headers()
            return
        begin(handler)
        handler.wfile.write(part(ONE))

    camera = open_mjpeg(serve(answer).replace("http://", "http://me:p%40ss@"))
    assert camera is not None
    camera.close()
    assert asked == ["", "Basic bWU6cEBzcw=="]


def test_nobody_at_the_address_is_a_camera_that_is_not_there() -> None:
    with pytest.raises(DriverNotFound) as caught:
        open_mjpeg("http://127.0.0.1:9/video")
    assert isinstance(caught.value, DriverError)
    assert "camera app" in caught.value.hint


def test_a_silent_camera_is_hung_up_on_at_once(serve: Callable[[Answer], str]) -> None:
    """The thread waits in the connection for the next picture; the camera must not stay held till then."""
    done = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        handler.wfile.write(part(ONE))
        done.wait(PATIENCE_S)

    camera = open_mjpeg(serve(answer))
    assert camera is not None
    try:
        assert camera.read() is not None
        hanging_up = threading.Thread(target=camera.close, daemon=True)
        hanging_up.start()
        camera._thread.join(1.0)
        hanging_up.join(1.0)
        assert not camera._thread.is_alive()
        assert not hanging_up.is_alive()
    finally:
        done.set()


@pytest.mark.parametrize("url", ["http://[phone]:8080/video", "http://[::1:8080/v", "http://phone:80x/video"])
def test_an_address_that_is_none_is_said_in_words(url: str) -> None:
    with pytest.raises(DriverNotFound, match="no address") as caught:
        open_mjpeg(url)
    assert "http://192.168.1.20:8080/video" in caught.value.hint
