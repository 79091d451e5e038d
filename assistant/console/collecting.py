"""Python's garbage collector, kept from stopping the table: full collections wait until nobody does.

A full collection goes through every object of the program and takes 20 ms and more, growing with the night;
left to itself it comes in the middle of booking a card. The night's own records are never garbage, so each
full collection afterwards sets what is left aside (`gc.freeze`), and the next one goes through what is new
only.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

STILL_S = 3.0
"""Nothing was booked, typed or reported for so long: a pause of some milliseconds holds up nobody."""
YOUNG = (700, 10)
"""Python's own thresholds for the young generations, which cost well below a millisecond."""
NEVER = 1_000_000
ENOUGH = 5_000
"""New objects from which on a collection is worth its while."""


class Collector:
    """Collects in still moments.

    Args:
        clock: Seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._moved_s = clock()
        gc.set_threshold(*YOUNG, NEVER)

    def moved(self) -> None:
        """Hear that something happens at the table."""
        self._moved_s = self._clock()

    def look(self) -> bool:
        """Collect if the table is still and there is enough to look through; whether it did."""
        if self._clock() - self._moved_s < STILL_S or len(gc.get_objects(generation=2)) < ENOUGH:
            return False
        gc.collect()
        gc.freeze()
        return True
