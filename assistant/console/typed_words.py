"""Sentences name lines of table talk as a text file has them; here a line begins with the colon."""

from __future__ import annotations

import re
from functools import cache

from assistant.console.reading import TALK


def as_typed(text: str) -> str:
    """Return a sentence in which every line that it names in quotes can be typed here as it stands.

    A word that only stands behind others, such as ``cash``, is left as it is.
    """
    return _lines().sub(rf"\g<0>{TALK}", text)


@cache
def _lines() -> re.Pattern[str]:
    from assistant.games.variants import all_games
    from assistant.table.acts import TABLE_VERBS

    words = {"undo", "redo", *TABLE_VERBS}.union(*(game.verbs for game in all_games()))
    verbs = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.compile(rf"[“«](?=(?:{verbs})(?:[ ”»]))")
