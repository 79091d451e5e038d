"""A shoe whose reports nothing protects is shown as weak; one that numbers and checks them is not."""

import pytest

from assistant.console.card_intake import lamp_of
from assistant.table.intake import Lamp, SourceState
from drivers.base import Capabilities, Integrity
from drivers.codecs.formats import FORMATS


@pytest.mark.parametrize("format", FORMATS)
def test_only_oslp_is_not_weak(format: str) -> None:
    able = FORMATS[format].make("shoe").capabilities
    lamp = lamp_of(SourceState("serial:/dev/ttyUSB0", Lamp.UP, "", 0, able))
    assert lamp.name == ("serial" if format == "oslp" else "weak serial")
    assert lamp.state == "ok"


def test_a_camera_and_a_source_that_is_still_being_opened_are_not_called_weak() -> None:
    assert lamp_of(SourceState("camera:0", Lamp.UP, "", 0, Capabilities())).name == "camera"
    assert lamp_of(SourceState("serial:COM3", Lamp.OPENING, "", 0, None)).name == "serial"
    xor = Capabilities(is_shoe=True, integrity=Integrity.XOR8)
    assert lamp_of(SourceState("the shoe", Lamp.DOWN, "", 0, xor)).is_lost
