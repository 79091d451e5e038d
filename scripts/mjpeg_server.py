"""A camera on loopback: serves a picture as an MJPEG stream with sensor noise, as a phone's camera app does.

    python scripts/mjpeg_server.py PICTURE [PICTURE ...] --seconds 4 --port 8080     shows one after the other

Tests and `bench_camera_console.py` hand it pictures with `show`; nothing leaves the machine.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt

from calibration.frames import Image
from calibration.pixels import load_picture

BOUNDARY = b"picture"
NOISE = 2.0
"""Standard deviation of the sensor noise (of 255); a stream without any stands still."""
NOISES = 8
"""So many noises are made ahead and shifted at random, for making them anew would cost more than the JPEG."""
JPEG_QUALITY = 85


class MjpegServer:
    """Serves what `show` gave it, until it is closed; every viewer gets every picture at `fps`.

    Args:
        fps: Pictures a second.
        port: 0 takes a free one.
        stamp: Writes the time (`time.monotonic`) into each picture, for who measures how old it gets.
    """

    def __init__(
        self, fps: float = 15.0, port: int = 0, stamp: Callable[[Image, float], Image] | None = None
    ) -> None:
        self._fps = fps
        self._stamp = stamp
        self._image: Image = np.zeros((720, 1280, 3), np.uint8)
        self._jpeg = b""
        self._number = 0
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._rng = np.random.default_rng(1)
        self._noises = [
            self._rng.normal(0, NOISE, (720, 1280, 1)).astype(np.int8).repeat(3, axis=2)
            for _ in range(NOISES)
        ]
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server._stream(self)

            def log_message(self, format: str, *args: object) -> None:
                """Nothing: the screen belongs to the console."""

        self._http = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._http.daemon_threads = True
        self._threads = [
            threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True),
            threading.Thread(target=self._draw, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def url(self) -> str:
        """Where the stream is."""
        return f"http://127.0.0.1:{self._http.server_port}/video.mjpg"

    def show(self, image: Image) -> float:
        """Show another picture from now on; returns the time (`time.monotonic`)."""
        self._image = image
        return time.monotonic()

    def close(self) -> None:
        """Stop serving; viewers are cut off."""
        self._stop.set()
        with self._news:
            self._news.notify_all()
        self._http.shutdown()
        self._http.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _draw(self) -> None:
        next_s = time.monotonic()
        while not self._stop.is_set():
            shot_s = time.monotonic()  # before the picture is taken: none is older than its stamp
            picture = np.asarray(self._noisy(self._image), np.uint8)
            if self._stamp is not None:
                picture = self._stamp(picture, shot_s)
            jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
            with self._news:
                self._jpeg, self._number = jpeg.tobytes(), self._number + 1
                self._news.notify_all()
            next_s = max(next_s + 1 / self._fps, time.monotonic() - 1 / self._fps)
            self._stop.wait(max(0.0, next_s - time.monotonic()))

    def _noisy(self, image: Image) -> npt.NDArray[np.uint8]:
        height, width = image.shape[:2]
        noise = self._noises[int(self._rng.integers(NOISES))]
        noise = np.roll(noise, int(self._rng.integers(height)), axis=0)[:height, :width]
        if noise.shape != image.shape:
            return image
        return np.asarray(cv2.add(image, noise, dtype=cv2.CV_8U), np.uint8)

    def _stream(self, handler: BaseHTTPRequestHandler) -> None:
        try:
            handler.send_response(200)
            handler.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}")
            handler.end_headers()
            seen = 0
            while not self._stop.is_set():
                with self._news:
                    self._news.wait_for(lambda: self._number > seen or self._stop.is_set(), 1.0)  # noqa: B023
                    jpeg, seen = self._jpeg, self._number
                head = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % (
                    BOUNDARY,
                    len(jpeg),
                )
                handler.wfile.write(head + jpeg + b"\r\n")
        except OSError:
            return  # the viewer has gone


def main() -> None:
    """Serve pictures until Ctrl+C."""
    parser = argparse.ArgumentParser(description="Serve pictures as a camera on loopback.")
    parser.add_argument("pictures", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each is shown")
    parser.add_argument("--fps", type=float, default=15.0)
    parser.add_argument("--port", type=int, default=0)
    arguments = parser.parse_args()
    with MjpegServer(arguments.fps, arguments.port) as server:
        print(f"tableside --source camera:{server.url}", flush=True)
        try:
            while True:
                for path in arguments.pictures:
                    server.show(load_picture(path))
                    time.sleep(arguments.seconds)
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
