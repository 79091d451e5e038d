"""The power fails at any moment: no entry that was said to be saved is lost, and no file is corrupt.

The simulation is `scripts/power_cut.py`; longer runs are made there.
"""

import pytest

apsw = pytest.importorskip("apsw", reason="the power-cut simulation needs apsw, a package for tests")

from power_cut import GUARDS, Disk, Inode, simulate  # noqa: E402

IMAGES = 1000


def test_a_thousand_power_cuts_lose_nothing_and_break_nothing() -> None:
    """Scenario 23."""
    found = simulate(IMAGES, seed=1)
    assert (found.images, found.lost, found.corrupt) == (IMAGES, 0, 0), found.examples
    assert found.in_flight > 0


def test_neither_do_they_with_the_journal_of_network_disks() -> None:
    found = simulate(300, seed=1, journal="DELETE")
    assert (found.images, found.lost, found.corrupt) == (300, 0, 0), found.examples


@pytest.mark.parametrize("guard", GUARDS)
def test_without_a_guard_the_simulation_finds_losses(guard: str) -> None:
    """So the simulation can fail, and each guard is needed."""
    found = simulate(600, seed=1, without=guard)
    assert found.lost > 0, guard
    # a journal that knows more than the night, or lacks a line in between, says that entries are missing
    assert (found.corrupt > 0) is (guard != "folder")


def test_what_was_not_synced_may_be_there_sector_by_sector() -> None:
    inode = Inode()
    inode.pending.append((0, b"a" * 512 + b"b" * 512 + b"c" * 10))
    answers = iter((True, False, True))
    assert inode.image(lambda: next(answers)) == b"a" * 512 + bytes(512) + b"c" * 10
    inode.sync()
    inode.pending.append(512)
    assert len(inode.image(lambda: False)) == 1034
    assert inode.image(lambda: True) == b"a" * 512


def test_name_lasts_with_its_folder_only(tmp_path: object) -> None:
    import random
    from pathlib import Path

    disk = Disk(Path(str(tmp_path)))
    disk.add("n.night", Inode(b"x"))
    seen = {"n.night" in disk.image(random.Random(seed)) for seed in range(50)}
    assert seen == {True, False}
    disk.sync_names()
    assert all("n.night" in disk.image(random.Random(seed)) for seed in range(50))
