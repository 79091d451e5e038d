"""Receipt printers over sockets, ptys, pipes and a stand-in for USB: taken, refused, or in doubt."""

# ruff: noqa: N815 - the names of USB descriptors

import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import usb.core
import usb.util

from drivers import receipt_printer
from drivers.base import BadSource, DriverDenied, DriverMissing
from drivers.printer import NoPrinter, PrintDoubtful, PrinterRefused
from drivers.printer_spec import Printer, read_printer
from drivers.receipt_printer import send
from drivers.usb_printer import find_usb_printers

RECEIPT = b"\x1b@SETTLEMENT\n" + b"x" * 3000 + b"\x1dVB\x00"
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs ptys and pipes")


# --- names -----------------------------------------------------------------------------------------------


def test_printers_are_named_like_sources() -> None:
    assert read_printer("usb:0416:5011,width=32,mode=image,cut=no") == Printer(
        "usb", "0416:5011", "usb:0416:5011", 32, image=True, dots=384, cut=False
    )
    assert read_printer("network:192.168.1.50") == Printer(
        "network", "192.168.1.50", "network:192.168.1.50", 48
    )
    assert read_printer("serial:COM3,baud=19200,flow=dsrdtr,codepage=59").flow == "dsrdtr"
    assert read_printer("usb,width=32") == Printer("usb", "", "usb", 32, dots=384)
    assert read_printer("system:Office") == Printer("system", "Office", "system:Office", 80)
    assert read_printer("system,mode=pdf").pdf
    assert read_printer("file:my slip.txt,width=42").columns == 42


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "'' is not a printer"),
        ("fax:1", "no kind of printer called 'fax'"),
        ("usb:“0416:5011”", "curly quotation marks"),
        ("usb:416", "names no USB device"),
        ("usb:12345:1", "names no USB device"),
        ("usb:0416:5011,widht=32", "A usb printer has no option widht"),
        ("network:", "needs an address"),
        ("serial:", "needs a port"),
        ("usb:0416:5011,width=7", "a whole number from 24 to 200"),
        ("system:x,mode=image", "one of text, pdf"),
        ("file:x,mode=pdf", "has no option mode"),
    ],
)
def test_names_that_are_none_say_why(text: str, says: str) -> None:
    with pytest.raises(BadSource) as refused:
        read_printer(text)
    assert says in f"{refused.value.message} {refused.value.hint}"


# --- network ---------------------------------------------------------------------------------------------


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)
        yield server


def network(server: socket.socket, timeout: str = "5") -> Printer:
    return read_printer(f"network:127.0.0.1:{server.getsockname()[1]},timeout={timeout}")


def test_network_printer_gets_every_byte(listener: socket.socket) -> None:
    taken: list[bytes] = []

    def serve() -> None:
        connection, _address = listener.accept()
        with connection:
            while chunk := connection.recv(1000):
                taken.append(chunk)

    thread = threading.Thread(target=serve)
    thread.start()
    printer = network(listener)
    assert send(RECEIPT, printer) == printer.name
    thread.join(5)
    assert b"".join(taken) == RECEIPT + b"\x1dr\x01", "behind the cut it is asked whether it is done"


@contextmanager
def answering(listener: socket.socket, answer: bytes) -> Iterator[list[bool]]:
    """A printer that reads everything, answers, and leaves the connection open until the sender is done; told
    is whether the sender was before the printer lost its patience."""
    done, told = threading.Event(), []

    def serve() -> None:
        connection, _address = listener.accept()
        with connection:
            while connection.recv(10_000):
                pass
            connection.sendall(answer)
            told.append(done.wait(10))

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield told
    finally:
        done.set()
        thread.join(30)


@pytest.mark.parametrize("answer", [b"\x00", b"\x03"], ids=["paper", "little paper"])
def test_network_printer_that_answers_and_stays_open_has_printed(
    listener: socket.socket, answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipt_printer, "ANSWER_S", 60.0)
    with answering(listener, answer) as told:
        send(RECEIPT, network(listener, "60"))
    assert told == [True]


def test_network_printer_that_answers_without_paper_leaves_a_doubt(listener: socket.socket) -> None:
    with (
        answering(listener, b"\x0c"),
        pytest.raises(PrintDoubtful, match="has no paper left: unknown how much came out"),
    ):
        send(RECEIPT, network(listener))


def test_a_silent_network_printer_is_not_waited_for_as_long_as_a_print(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert receipt_printer.ANSWER_S == 5.0
    monkeypatch.setattr(receipt_printer, "ANSWER_S", 0.2)
    with (
        answering(listener, b""),
        pytest.raises(PrintDoubtful, match=r"gave no answer within 0\.2 s: unknown whether it printed"),
    ):
        send(RECEIPT, network(listener, "15"))


def test_network_printer_that_is_off_printed_nothing(listener: socket.socket) -> None:
    printer = network(listener)
    listener.close()
    with pytest.raises(PrinterRefused, match="Nothing was printed"):
        send(RECEIPT, printer)


def test_network_printer_that_takes_all_and_breaks_off_leaves_a_doubt(listener: socket.socket) -> None:
    """B237: it may have printed; nothing is sent a second time."""
    runs = []

    def serve() -> None:
        connection, _address = listener.accept()
        runs.append(1)
        size = 0
        while size < len(RECEIPT):
            size += len(connection.recv(10_000))
        # close with a reset, as a printer does that is switched off
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()

    thread = threading.Thread(target=serve)
    thread.start()
    with pytest.raises(PrintDoubtful) as doubt:
        send(RECEIPT, network(listener))
    thread.join(5)
    assert "Look at the paper" in doubt.value.hint
    assert runs == [1]


def test_network_printer_that_reads_nothing_leaves_a_doubt(listener: socket.socket) -> None:
    """The buffers on the way take the whole receipt: that it was sent says nothing about the paper."""
    with pytest.raises(PrintDoubtful) as doubt:
        send(RECEIPT, network(listener, "0.3"))
    assert "gave no answer within 0.3 s: unknown whether it printed" in doubt.value.message
    assert doubt.value.hint == "Look at the paper before you print again."


def test_network_printer_that_never_stops_telling_its_state_is_left(listener: socket.socket) -> None:
    ended_by = []

    def serve() -> None:
        connection, _address = listener.accept()
        with connection:
            while connection.recv(10_000):
                pass
            for _turn in range(500):
                time.sleep(0.01)
                try:
                    connection.send(b"paper ok")
                except OSError:
                    ended_by.append("the sender")
                    return
            ended_by.append("the printer")

    thread = threading.Thread(target=serve)
    thread.start()
    send(RECEIPT, network(listener, "0.3"))
    thread.join(30)
    assert ended_by == ["the sender"]


@pytest.mark.parametrize("address", ["printer:0", "printer:99999", "printer:x"])
def test_port_that_is_none(address: str) -> None:
    with pytest.raises(NoPrinter, match="no port of a printer"):
        send(RECEIPT, read_printer(f"network:{address}"))


# --- serial and device files -----------------------------------------------------------------------------


@pytest.fixture
def pty() -> Iterator[tuple[int, str]]:
    near, far = os.openpty()
    yield near, os.ttyname(far)
    os.close(near)
    os.close(far)


def read_all(handle: int, size: int, into: list[bytes]) -> None:
    while sum(map(len, into)) < size:
        into.append(os.read(handle, 1000))


@posix
def test_serial_printer_gets_every_byte(pty: tuple[int, str]) -> None:
    near, path = pty
    taken: list[bytes] = []
    thread = threading.Thread(target=read_all, args=(near, len(RECEIPT), taken))
    thread.start()
    send(RECEIPT, read_printer(f"serial:{path},timeout=5"))
    thread.join(5)
    assert b"".join(taken) == RECEIPT


@posix
def test_serial_printer_without_paper_leaves_a_doubt(pty: tuple[int, str]) -> None:
    _near, path = pty
    with pytest.raises(PrintDoubtful, match="takes no more bytes"):
        send(b"x" * 100_000, read_printer(f"serial:{path},timeout=0.3"))


def test_serial_printer_that_is_not_there() -> None:
    with pytest.raises(PrinterRefused, match="Nothing was printed"):
        send(RECEIPT, read_printer("serial:/dev/nowhere"))


@posix
def test_device_file_gets_every_byte_and_may_not_hold_up_the_table(tmp_path: Path) -> None:
    pipe = tmp_path / "lp0"
    os.mkfifo(pipe)
    with pytest.raises(PrinterRefused):
        send(RECEIPT, read_printer(f"device:{pipe}"))
    handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    send(RECEIPT, read_printer(f"device:{pipe},timeout=5"))
    assert os.read(handle, 10_000) == RECEIPT
    with pytest.raises(PrintDoubtful, match=r"takes no more bytes for 0\.2 s"):
        send(b"x" * 1_000_000, read_printer(f"device:{pipe},timeout=0.2"))
    os.close(handle)


def test_device_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """A printer that is pulled out leaves no path; a file made in its place would take every receipt."""
    path = tmp_path / "lp0"
    with pytest.raises(PrinterRefused, match="Nothing was printed"):
        send(RECEIPT, read_printer(f"device:{path}"))
    assert not path.exists()


def test_file_is_no_device_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann")
    with pytest.raises(PrinterRefused, match="is a file and no device") as refusal:
        send(RECEIPT, read_printer(f"device:{path}"))
    assert "file:PATH" in refusal.value.hint
    assert path.read_text() == "Dear Ann"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_device_without_permission_names_the_group(tmp_path: Path) -> None:
    path = tmp_path / "lp0"
    path.touch(0o400)
    with pytest.raises(PrinterRefused) as refused:
        send(RECEIPT, read_printer(f"device:{path}"))
    assert "usermod -aG lp" in refused.value.hint


@posix
def test_raw_queue_goes_past_the_filters_of_cups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "lp"
    program.write_text(f"#!/bin/sh\necho \"$@\" > '{tmp_path}/words'\n/bin/cat > '{tmp_path}/bytes'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    send(RECEIPT, read_printer("raw:Receipts"))
    assert (tmp_path / "words").read_text() == "-d Receipts -t Tableside -o raw\n"
    assert (tmp_path / "bytes").read_bytes() == RECEIPT


# --- USB -------------------------------------------------------------------------------------------------


class FakeEndpoint:
    """A bulk way out that keeps what it was given; `fails` is raised behind the first piece."""

    bEndpointAddress = 0x01
    bmAttributes = 0x02

    def __init__(self, fails: Exception | None) -> None:
        self.taken: list[bytes] = []
        self.fails = fails

    def write(self, data: bytes, _timeout_ms: int) -> int:
        self.taken.append(bytes(data))
        if self.fails is not None:
            raise self.fails
        return len(data)


class FakeInterface(list[FakeEndpoint]):
    bInterfaceNumber = 0

    def __init__(self, kind: int, *ways: FakeEndpoint) -> None:
        super().__init__(ways)
        self.bInterfaceClass = kind


class FakeDevice(list[FakeInterface]):
    """A device of one configuration, which is itself here."""

    bDeviceClass = 0

    def __init__(self, vendor: int, product: int, kind: int = 7, fails: Exception | None = None) -> None:
        self.endpoint = FakeEndpoint(fails)
        super().__init__([FakeInterface(kind, self.endpoint)])
        self.idVendor, self.idProduct = vendor, product
        self.detached: list[int] = []
        self.attached: list[int] = []
        self.let_go: list[str] = []

    def __iter__(self) -> Iterator[Any]:
        return iter([list.__iter__(self)])

    def get_active_configuration(self) -> list[FakeInterface]:
        return list(list.__iter__(self))

    def is_kernel_driver_active(self, _interface: int) -> bool:
        return True

    def detach_kernel_driver(self, interface: int) -> None:
        self.detached.append(interface)

    def attach_kernel_driver(self, interface: int) -> None:
        assert self.let_go == ["claim"]  # the system takes no interface that is still held
        self.attached.append(interface)


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What is plugged in, and whether claiming it is refused."""
    plugged = SimpleNamespace(devices=[], refusal=None)

    def claim(_device: object, _interface: int) -> None:
        if plugged.refusal is not None:
            raise plugged.refusal

    monkeypatch.setattr(usb.core, "find", lambda find_all: iter(plugged.devices))
    monkeypatch.setattr(usb.util, "claim_interface", claim)
    monkeypatch.setattr(
        usb.util, "release_interface", lambda device, _interface: device.let_go.append("claim")
    )
    monkeypatch.setattr(usb.util, "dispose_resources", lambda device: device.let_go.append("device"))
    return plugged


def test_usb_printer_gets_every_byte(bus: SimpleNamespace) -> None:
    mouse, printer = FakeDevice(0x046D, 0xC077, 3), FakeDevice(0x0416, 0x5011)
    bus.devices = [mouse, printer]
    send(RECEIPT, read_printer("usb:0416:5011"))
    assert b"".join(printer.endpoint.taken) == RECEIPT
    assert (printer.detached, printer.attached, printer.let_go) == ([0], [0], ["claim", "device"])
    printer.let_go.clear()
    send(RECEIPT, read_printer("usb"))
    assert b"".join(printer.endpoint.taken) == RECEIPT * 2
    assert mouse.endpoint.taken == []
    assert [found.source for found in find_usb_printers()] == ["usb:0416:5011"]


def test_access_refused_names_the_rule_and_the_device(bus: SimpleNamespace) -> None:
    """B231."""
    bus.devices = [FakeDevice(0x0416, 0x5011)]
    bus.refusal = usb.core.USBError("Access denied (insufficient permissions)", errno=13)
    with pytest.raises(DriverDenied) as refused:
        send(RECEIPT, read_printer("usb:0416:5011"))
    assert (bus.devices[0].detached, bus.devices[0].attached) == ([0], [0])
    assert "0416:5011" in refused.value.message
    rule = 'SUBSYSTEM=="usb", ATTR{idVendor}=="0416", ATTR{idProduct}=="5011", MODE="0660", GROUP="lp"'
    assert rule in refused.value.hint


def test_swapped_numbers_are_noticed(bus: SimpleNamespace) -> None:
    """B232: 0808:0456 configured, 0456:0808 plugged in."""
    bus.devices = [FakeDevice(0x0456, 0x0808)]
    with pytest.raises(NoPrinter) as missing:
        send(RECEIPT, read_printer("usb:0808:0456"))
    assert "0808:0456 was not found, but 0456:0808 is there" in missing.value.message
    assert "usb:0456:0808" in missing.value.hint


def test_what_is_plugged_in_is_named(bus: SimpleNamespace) -> None:
    bus.devices = [FakeDevice(0x046D, 0xC077, 3)]
    with pytest.raises(NoPrinter, match="046d:c077"):
        send(RECEIPT, read_printer("usb:0416:5011"))
    with pytest.raises(NoPrinter, match="No USB printer"):
        send(RECEIPT, read_printer("usb"))
    bus.devices = [FakeDevice(1, 2), FakeDevice(3, 4)]
    with pytest.raises(NoPrinter, match="0001:0002, usb:0003:0004"):
        send(RECEIPT, read_printer("usb"))


@pytest.mark.parametrize(
    "failure", [usb.core.USBTimeoutError("timed out", errno=110), usb.core.USBError("gone", errno=19)]
)
def test_usb_printer_that_fails_behind_the_first_byte_leaves_a_doubt(
    bus: SimpleNamespace, failure: Exception
) -> None:
    """B237."""
    printer = FakeDevice(0x0416, 0x5011, fails=failure)
    bus.devices = [printer]
    with pytest.raises(PrintDoubtful) as doubt:
        send(RECEIPT, read_printer("usb:0416:5011"))
    assert "ook at the paper" in doubt.value.hint
    assert len(printer.endpoint.taken) == 1
    assert (printer.attached, printer.let_go) == ([0], ["claim", "device"])


def test_device_that_tells_nothing_hides_no_other(bus: SimpleNamespace) -> None:
    class Mute(FakeDevice):
        def __iter__(self) -> Iterator[Any]:
            raise usb.core.USBError("pulled out", errno=19)

    bus.devices = [Mute(1, 2), FakeDevice(0x0416, 0x5011)]
    assert [found.source for found in find_usb_printers()] == ["usb:0416:5011"]
    send(RECEIPT, read_printer("usb"))


def test_computer_without_libusb_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(find_all: bool) -> None:
        raise usb.core.NoBackendError("No backend available")

    monkeypatch.setattr(usb.core, "find", find)
    with pytest.raises(DriverMissing, match="libusb"):
        send(RECEIPT, read_printer("usb"))
    assert find_usb_printers() == ()
