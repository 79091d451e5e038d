"""What is said where a kind of device is not there, and what to do about it; once for console and command."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.i18n import _

CAMERA, READER, PRINTER = "camera", "reader", "printer"


@dataclass(frozen=True, slots=True)
class Missing:
    """A kind of device of which none was found.

    Attributes:
        says: A sentence without its full stop.
        remedy: What to do.
    """

    says: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.says[:1].upper()}{self.says[1:]}. {self.remedy}"


def missing(there: Iterable[str]) -> tuple[Missing, ...]:
    """Say which kinds are not there.

    Args:
        there: `CAMERA`, `READER` and `PRINTER`, as far as one was found, usable or not.
    """
    found = set(there)
    words = {
        CAMERA: Missing(
            _("no camera found"),
            _(
                "Plug one in: Linux shows it as /dev/video0. "
                "A phone that sends its picture does as well: camera:http://ADDRESS:8080/video."
            ),
        ),
        READER: Missing(
            _("no shoe or reader found"),
            _(
                "Plug it in with a cable that carries data (some only charge). "
                "If it comes and is gone at once, brltty takes it: sudo apt remove brltty. "
                "Without one: tableside sources --emulate oslp."
            ),
        ),
        PRINTER: Missing(
            _("no printer found"),
            _(
                "Switch it on and add it in the system's settings, or name it in house.toml: "
                "network:192.168.1.50. Slips are saved as files meanwhile."
            ),
        ),
    }
    return tuple(says for kind, says in words.items() if kind not in found)
