"""What is attached and what was heard, for the screen of card sources; every look at a device is on a thread.

No Textual here, and no device library before somebody looks.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from assistant.errors import AssistantError
from assistant.i18n import _

if TYPE_CHECKING:
    from drivers.base import Found

LISTEN_S = 9
"""About how long the search for speed and format takes; see `drivers.port_finder`."""

_log = logging.getLogger(__name__)


def _detect() -> tuple[Found, ...]:
    from drivers.registry import detect

    return detect()


def _find(port: str) -> Iterator[Found]:
    from drivers.registry import find

    return find(port)


class Devices:
    """Looks for devices, and listens at one the dealer chose; it never sends.

    Args:
        changed: Called, from a thread of its own, when there is something new to see.
        detect: Lists what is attached, opening nothing.
        find: Listens at a port for speed and format.
    """

    def __init__(
        self,
        changed: Callable[[], object],
        detect: Callable[[], tuple[Found, ...]] = _detect,
        find: Callable[[str], Iterator[Found]] = _find,
    ) -> None:
        self._changed = changed
        self._detect = detect
        self._find = find
        self._lock = threading.Lock()
        self.attached: tuple[Found, ...] = ()
        self.heard: tuple[Found, ...] = ()
        self.listening = ""
        """The port that is being listened at; empty when none is."""
        self.look_trouble = self.search_trouble = ""
        self.has_looked = self.has_failed = False
        self._is_looking = False

    @property
    def said(self) -> str:
        """What came of the last look or search, where that is not to be seen in the lists."""
        return self.look_trouble or self.search_trouble

    @property
    def kinds(self) -> set[str]:
        """Which of cameras and readers are attached, usable or not."""
        from drivers.registry import kinds_of

        return kinds_of(self.attached)

    def look(self) -> None:
        """Look what is attached, unless somebody is looking already."""
        with self._lock:
            if self._is_looking:
                return
            self._is_looking = True
        threading.Thread(target=self._look, name="devices", daemon=True).start()

    def listen(self, port: str) -> bool:
        """Listen at a port for speed and format; False while another search runs."""
        with self._lock:
            if self.listening:
                return False
            self.listening = port
            self.heard = ()
            self.search_trouble = ""
        threading.Thread(target=self._listen, args=(port,), name=f"listening {port}", daemon=True).start()
        return True

    def _look(self) -> None:
        failed, trouble = True, ""
        try:
            self.attached = self._detect()
            failed = False
        except AssistantError as error:
            trouble = str(error)
        except Exception as error:  # noqa: BLE001 - a device list that fails must not take the console with it
            _log.exception("looking for devices failed")
            trouble = _("Devices can't be listed: {error}").format(error=type(error).__name__)
        finally:
            self.look_trouble = trouble
            self._is_looking = False
            self.has_looked, self.has_failed = True, failed
            self._changed()

    def _listen(self, port: str) -> None:
        said = ""
        try:
            for found in self._find(port):
                self.heard = (*self.heard, found)
                self._changed()
            if not self.heard:
                said = _(
                    "Nothing that makes sense was heard. Is it switched on, and did it read a card meanwhile?"
                )
        except AssistantError as error:
            said = str(error)
        except Exception as error:  # noqa: BLE001 - nor must a port that fails in a new way
            _log.exception("listening at %s failed", port)
            said = _("Listening failed: {error}").format(error=type(error).__name__)
        finally:
            self.search_trouble = said
            self.listening = ""
            self._changed()
