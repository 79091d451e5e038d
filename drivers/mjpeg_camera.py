"""A phone's or network camera that sends JPEG after JPEG over HTTP: always its newest picture, never a queue.

OpenCV decodes every picture in the order of their coming, so on a busy machine a stream gets older and older.
Here a thread takes what the network brings and keeps the last whole picture; only pictures that are read are
decoded. What is no such stream (RTSP, HTTPS, a film on a server) is left to OpenCV.

Source: ``multipart/x-mixed-replace`` as cameras send it, parts as in RFC 2046; basic and digest passwords.
"""

from __future__ import annotations

import contextlib
import http.client
import logging
import socket
import threading
import urllib.error
import urllib.request
from typing import IO, TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

import numpy as np

from drivers.base import DriverNotFound, DriverOpenFailed
from drivers.opencv_camera import OPEN_TIMEOUT_MS, READ_TIMEOUT_MS, load_cv2

if TYPE_CHECKING:
    from calibration.frames import Image

STREAM_TYPE = "multipart/x-mixed-replace"
PIECE_BYTES = 65536
"""Taken from the network at once."""
LONGEST_PART_BYTES = 32 * 1024 * 1024
"""More without a whole picture is no camera; what came is thrown away."""
JPEG_START, JPEG_END = b"\xff\xd8", b"\xff\xd9"

_log = logging.getLogger(__name__)


class MjpegCamera:
    """An open stream of pictures.

    Args:
        response: The answer of the camera's address.
        boundary: What stands between two pictures, as the answer's head says.
    """

    def __init__(self, response: IO[bytes], boundary: str) -> None:
        self._response = response
        self._parts = PartReader(boundary)
        self._news = threading.Condition()
        self._newest: bytes | None = None
        self._has_ended = False
        self._is_closed = False
        self._thread = threading.Thread(target=self._receive, name="camera stream", daemon=True)
        self._thread.start()

    def read(self) -> Image | None:
        """Return the newest picture that was not read yet; None when none comes, or it is damaged."""
        with self._news:
            if self._newest is None and not self._has_ended:
                self._news.wait(READ_TIMEOUT_MS / 1000)
            jpeg, self._newest = self._newest, None
        return None if jpeg is None else _decoded(jpeg)

    def close(self) -> None:
        """Hang up at once, whether or not a picture is coming."""
        self._is_closed = True
        _hang_up(self._response)  # closing alone waits for the lock that the thread holds while it reads
        with contextlib.suppress(OSError, ValueError):
            self._response.close()

    def _receive(self) -> None:
        read_some = getattr(self._response, "read1", self._response.read)
        try:
            while not self._is_closed:
                piece = read_some(PIECE_BYTES)
                if not piece:
                    break
                jpegs = self._parts.feed(piece)
                if jpegs:
                    with self._news:
                        self._newest = jpegs[-1]
                        self._news.notify_all()
        except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
            if not self._is_closed:  # closing takes the connection away under the thread's hands
                _log.info("the camera's stream broke off: %s", error)
        finally:
            with self._news:
                self._has_ended = True
                self._news.notify_all()


class PartReader:
    """Cuts a stream of parts into pictures.

    Args:
        boundary: As in the head; some cameras write the two dashes before it there too.
    """

    def __init__(self, boundary: str) -> None:
        self._delimiter = b"--" + boundary.strip('"').lstrip("-").encode("latin-1", "replace")
        self._held = bytearray()

    def feed(self, piece: bytes) -> list[bytes]:
        """Take what came and return the JPEGs that are whole now, in order."""
        self._held += piece
        found = []
        while (jpeg := self._next()) is not None:
            found.append(jpeg)
        if len(self._held) > LONGEST_PART_BYTES:
            self._held.clear()
        return found

    def _next(self) -> bytes | None:
        held = self._held
        start = held.find(JPEG_START)
        if start < 0:
            if len(held) > PIECE_BYTES:
                del held[:-1]  # a picture's first byte may have come alone
            return None
        length = _content_length(bytes(held[:start]))
        if length:
            end = start + length
            if len(held) < end:
                return None
        else:
            end = held.find(self._delimiter, start)
            if end < 0:
                # the camera pauses after a picture: waiting for the next one's head would make this one old
                if not bytes(held[-4:]).rstrip(b"\r\n").endswith(JPEG_END):
                    return None
                end = len(held)
        jpeg = bytes(held[start:end])
        del held[:end]
        return jpeg


def open_mjpeg(url: str) -> MjpegCamera | None:
    """Open an ``http://`` address; None when it is no stream of JPEGs.

    Raises:
        DriverError: Nobody answers there, or the camera refuses.
    """
    try:
        plain, name, password = _without_password(url)
    except ValueError as error:
        raise _no_address() from error
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if name:
        passwords.add_password(None, plain, name, password)
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),  # a camera is at home: no other machine learns its password
        urllib.request.HTTPBasicAuthHandler(passwords),
        urllib.request.HTTPDigestAuthHandler(passwords),
    )
    try:
        response = opener.open(plain, timeout=OPEN_TIMEOUT_MS / 1000)
    except urllib.error.HTTPError as error:
        error.close()
        raise _refused(error.code) from error
    except http.client.InvalidURL as error:
        raise _no_address() from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise DriverNotFound(
            "No picture comes from the camera's address.", "Start the camera app; check address and network."
        ) from error
    kind = response.headers.get_content_type()
    boundary = response.headers.get_param("boundary")
    if kind != STREAM_TYPE or not isinstance(boundary, str):
        response.close()
        return None
    return MjpegCamera(response, boundary)


def _hang_up(response: IO[bytes]) -> None:
    """Shut the connection under the response, so that a read that waits in it ends."""
    try:
        connection = socket.socket(fileno=response.fileno())
    except (OSError, ValueError, AttributeError):
        return  # hung up already, or no connection at all
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.detach()  # the response closes it


def _no_address() -> DriverNotFound:
    return DriverNotFound(
        "What was typed for the camera is no address.",
        "Type it as the app shows it: http://192.168.1.20:8080/video",
    )


def _refused(code: int) -> DriverOpenFailed:
    if code in (401, 403):
        return DriverOpenFailed(
            "The camera's address wants a name and a password, or other ones.",
            "Type it as http://name:password@address.",
        )
    if code in (429, 503):
        return DriverOpenFailed(
            "The camera's address says that it is busy.", "Close what else shows its picture, then try again."
        )
    return DriverOpenFailed(
        f"The camera's address answers {code} instead of pictures.", "Check the path after the address."
    )


def _without_password(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    at = parts.netloc.rpartition("@")[2]
    plain = urlunsplit((parts.scheme, at, parts.path or "/", parts.query, ""))
    return plain, unquote(parts.username or ""), unquote(parts.password or "")


def _content_length(head: bytes) -> int:
    """The length the part's head says; 0 without one."""
    for line in head.splitlines()[-12:]:
        name, _colon, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
            return length if length <= LONGEST_PART_BYTES else 0
    return 0


def _decoded(jpeg: bytes) -> Image | None:
    cv2 = load_cv2()
    try:
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    if image is None or image.ndim != 3 or image.size == 0:
        return None
    picture: Image = image.astype("uint8", copy=False)
    return picture
