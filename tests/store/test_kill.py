"""A program killed in the middle of its work: what it acknowledged is there, and the night opens at once."""

import subprocess
import sys
from pathlib import Path

from assistant.store.night_file import make_file
from assistant.store.sqlite import open_night

ROUNDS = 20
CHILD = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from assistant.ledger.accounts import chips
from assistant.store.base import NewEntry
from assistant.store.sqlite import open_night
night = open_night(Path(sys.argv[1]))
while True:
    seq = night.head[0] + 1
    postings = (chips("rack", -seq), chips("stack:p1", seq))
    entry = NewEntry(f"k{seq}", datetime.now(UTC), "host", None, (), "buy", {"amount": seq}, postings)
    print(night.append(entry).seq, flush=True)
"""


def run_and_kill(path: Path, acknowledged: int) -> int:
    """Let a child add entries, kill it after some acknowledgements; return the last one it gave."""
    last = 0
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for count, line in enumerate(child.stdout, start=1):
            last = int(line)
            if count == acknowledged:
                child.kill()
    return last


def test_kill_loses_no_acknowledged_entry(tmp_path: Path) -> None:
    """Scenario 23: 20 rounds; the kill comes at another moment each time, with entries in flight."""
    path = tmp_path / "n.night"
    make_file(path)
    for number in range(ROUNDS):
        acknowledged = run_and_kill(path, 3 + 7 * number % 23)
        with open_night(path) as night:
            found = night.verify()
            assert found.ok
            assert acknowledged <= found.entries <= acknowledged + 1
            assert [entry.body["amount"] for entry in night.entries()] == list(range(1, found.entries + 1))
