"""Tags that the dealer names at the table: the reader learns them, and a deck keeps those it is told to.

What is taken back at the table is unlearnt: a tag named in haste must not deal a wrong card for the rest of
the night.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.cards import parse_card
from assistant.errors import AssistantError, Refusal
from assistant.i18n import _
from assistant.table.taught import Taught

if TYPE_CHECKING:
    from assistant.cards import Card
    from assistant.console.sources_app import SourcesApp


class Teaching:
    """What readers have learnt tonight, also before the program was started anew.

    Args:
        app: Where readers and decks are, and the file that keeps it.
    """

    def __init__(self, app: SourcesApp) -> None:
        self._app = app
        self._taught: list[Taught] = []
        self._writing = asyncio.Lock()
        """One file at a time: an older list must not be the last that is written."""

    def begin(self) -> None:
        """Tell the readers what was named in the night that has been opened."""
        if self._app.taught is not None:
            for one in self._taught:
                self._app.learn("", one.tag, "")
            self._taught = list(self._app.taught.of_night())
        self._remind()

    async def teach(self, source: str, tag: str, card: Card, deck: str) -> None:
        """A tag is this card, tonight or also in a deck."""
        if card.suit is None:
            return
        one = Taught(source, tag, str(card), deck)
        self._taught.append(one)
        self._remind()
        self._app.learn(source, tag, one.card)
        await self._keep()
        if deck and await self._in_deck(one, one.card):
            text = _("{card}: its tag is in deck {name} now.").format(card=card.face, name=deck)
            self._app.state.say(text)

    async def booked(self, line: str) -> None:
        """Hear of a line: one that takes back or mends may concern a tag named before."""
        verb, *words = line.split()
        if verb.lower() == "undo":
            for one in [one for one in self._taught if not self._stands(one)]:
                self._taught.remove(one)
                await self._change(one, "")
                await self._keep()
        elif verb.lower() == "fix" and len(words) >= 2:
            old, new = _word(words[0]), _word(words[1])
            for at, one in enumerate(self._taught):
                if one.card == old and new:
                    await self._change(one, "")
                    self._taught[at] = replace(one, card=new)
                    await self._change(self._taught[at], new)
                    await self._keep()

    @property
    def tags(self) -> dict[str, str]:
        """Tag -> card, as named tonight."""
        return {one.tag: one.card for one in self._taught}

    def _remind(self) -> None:
        self._app.recall(self.tags)

    async def _keep(self) -> None:
        if self._app.taught is not None:
            async with self._writing:
                await asyncio.to_thread(self._app.taught.keep, tuple(self._taught))

    def _stands(self, one: Taught) -> bool:
        """Whether the line its card was booked or mended in still stands, as far as the log is shown."""
        snapshot = self._app.state.snapshot
        log = snapshot.log if snapshot else ()
        lines = [line for line in log if one.card in map(_word, line.text.split())]
        return not lines or any(line.state == "done" for line in lines)

    async def _change(self, one: Taught, card: str) -> None:
        self._remind()
        self._app.learn(one.source if card else "", one.tag, card, "" if card else one.deck)
        if one.deck:
            await self._in_deck(one, card)

    async def _in_deck(self, one: Taught, card: str) -> bool:
        from drivers.decks import change_tag

        folder = self._app.decks
        try:
            if folder is None:
                raise AssistantError(_("There is no house folder to keep decks in."))
            async with self._writing:
                await asyncio.to_thread(change_tag, folder, one.deck, one.tag, card)
        except AssistantError as error:
            self._app.state.say(str(error), stops=True)
            return False
        return True


def decks_of(source: str) -> tuple[str, ...]:
    """The decks in play of a source as it was typed."""
    if "deck=" not in source:
        return ()
    from drivers.base import DriverError
    from drivers.deckmap import BETWEEN_DECKS
    from drivers.spec import split_source

    try:
        chosen = split_source(source).options.get("deck", "")
    except DriverError:
        return ()
    return tuple(name.strip() for name in chosen.split(BETWEEN_DECKS) if name.strip())


def _word(text: str) -> str:
    try:
        return str(parse_card(text))
    except Refusal:
        return ""
