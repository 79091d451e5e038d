"""Where the fonts of printed slips lie; see the README beside this file."""

from pathlib import Path

PROPORTIONAL = Path(__file__).with_name("DejaVuSansCondensed.ttf")
MONO = Path(__file__).with_name("DejaVuSansMono.ttf")
