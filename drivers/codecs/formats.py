"""The formats a serial source can read: name -> codec, usual speed, and how a tag looks on the wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from drivers.codecs.angeleye import AngelEyeCodec
from drivers.codecs.barcode import BarcodeCodec
from drivers.codecs.base import Codec
from drivers.codecs.beetek import BeeTekCodec
from drivers.codecs.oslp import OslpCodec, encode
from drivers.codecs.plain import PlainCodec
from drivers.codecs.stxetx import StxEtxCodec, checksum
from drivers.codecs.uidline import UidLineCodec


@dataclass(frozen=True, slots=True)
class Format:
    """What is known of a format without a device.

    Attributes:
        make: Builds a codec that never sends; its argument is the name of the source.
        baud: Usual speed.
        label: What such a device is, for lists.
        wire: The bytes in which two tags can differ; None where the device names cards itself.
        is_printed: Whether the tags are printed codes: two copies of a card may bear the same, the check is
            part of the symbol, and each is read once.
        is_experimental: Built from other people's programs and tried on no device.
    """

    make: Callable[[str], Codec]
    baud: int
    label: str
    wire: Callable[[str], bytes] | None = None
    is_printed: bool = False
    is_experimental: bool = False


def _stxetx_wire(tag: str) -> bytes:
    is_tag = len(tag) == 10 and all(sign in "0123456789ABCDEF" for sign in tag)
    return tag.encode("ascii") + (b"%02X" % checksum(tag) if is_tag else b"")


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "plain": Format(PlainCodec, 9600, "one card a line: AH, 10d, 7♥"),
        "oslp": Format(
            lambda source: OslpCodec(source, replies=False),
            115200,
            "a shoe that speaks OSLP/1",
            lambda tag: encode(f"TAG,0000,0000,{tag},0,0"),
        ),
        "stxetx": Format(StxEtxCodec, 9600, "a 125 kHz reader: RDM6300, ID-12LA", _stxetx_wire),
        "uidline": Format(UidLineCodec, 9600, "an MFRC522 or PN532 sketch", lambda tag: tag.encode("ascii")),
        "barcode": Format(
            BarcodeCodec, 9600, "a bar-code scanner", lambda tag: tag.encode("ascii"), is_printed=True
        ),
        "beetek": Format(BeeTekCodec, 9600, "a Bee-Tek shoe", is_experimental=True),
        "angeleye": Format(AngelEyeCodec, 4800, "an Angel Eye II-EX shoe", is_experimental=True),
    }
)
"""By the word of the option ``format=``."""
