"""Showing a deck to the camera: progress card by card, missing ones named, doubtful ones asked about."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.timer import Timer

from assistant.camera_words import safety_words
from assistant.cards import Suit, parse_card
from assistant.console.actions import Act
from assistant.console.reading import NOTHING, Reading
from assistant.console.rows import EMPTY, Part, Rows, beside, row, wrap
from assistant.console.screens.base import ConsoleScreen
from assistant.console.view import PanelView, Strip, View
from assistant.console.widgets.crop import WIDTH, both_corners
from assistant.console.widgets.entry import Typed
from assistant.console.widgets.lines import Lines
from assistant.console.widgets.panel import Body
from assistant.errors import AssistantError, Refusal
from assistant.i18n import _

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from calibration.deck import CardVerdict
    from calibration.showing import DeckShowing
    from drivers.base import Sight

LOOK_S = 0.1
NO_CARD = frozenset({"x", "ч"})
SIGNS = {0: "·", 1: "1"}


class DeckScreen(ConsoleScreen):
    """Lay the cards down in any order, several at once if they like; each is wanted twice."""

    page = "deck"

    def __init__(self) -> None:
        super().__init__()
        self.showing: DeckShowing | None = None
        self.verdicts: tuple[CardVerdict, ...] = ()
        self._seen: object = None
        self._timer: Timer | None = None

    def body(self) -> tuple[Lines, ...]:
        """The deck."""
        return (Body(id="body"),)

    def on_mount(self) -> None:
        """Begin to look; what the camera sees is for this screen now."""
        self.console_app.show_deck(True)
        self._timer = self.set_interval(LOOK_S, self.look)

    def on_unmount(self) -> None:
        """What the camera sees is for the table again."""
        self.console_app.show_deck(False)

    def look(self) -> None:
        """Take the newest reading."""
        if self.app.screen is not self:
            return
        sight = self.console_app.sight()
        if sight is not None:
            self.take(sight)

    def take(self, sight: Sight) -> None:
        """Take what was read in a picture, once."""
        if sight.cards is self._seen:
            return
        self._seen = sight.cards
        if self.showing is None:
            from calibration.deck import DeckProfile
            from calibration.showing import DeckShowing

            self.showing = DeckShowing(DeckProfile("new"))
        self.showing.add(sight.cards)
        self.show()

    # -- what it shows ------------------------------------------------------------------------------------

    def view(self) -> View:
        """How far it is, and what is asked."""
        app, showing = self.console_app, self.showing
        asked = showing is not None and showing.asked is not None
        duty = _("SHOW THE DECK: lay the cards down, in any order, each twice")
        if showing is not None:
            duty = _("SHOW THE DECK: {seen} of {all} seen, {rest} to see again").format(
                seen=showing.seen, all=len(showing.deck.cards), rest=len(showing.deck.to_see_again())
            )
        if asked:
            duty = _("WHICH CARD IS IT? Type it, such as qh; X: a joker, the back")
        return View(
            app.state.snapshot,
            duty,
            usual="" if asked else _("save"),
            said=app.state.said,
            prompt=_("card") if asked else _("save as"),
            entry=self.typed.text,
            cursor=self.typed.cursor,
            hint=_("the card that lies there") if asked else _("a name for this deck, such as: blue"),
            lamps=app.lamps(),
            clock=app.clock_text,
            strip=(
                Strip("⏎", _("ok")),
                Strip("Esc", _("back")),
                *self.strip(Act.TABLE, Act.CAMERA, Act.HELP),
            ),
            panel=PanelView("", self._rows, stops=asked),
        )

    def _rows(self, width: int, height: int) -> Rows:
        showing = self.showing
        if showing is None:
            return [EMPTY, row(_("  No camera shows a picture. F3 opens one: camera:0"))]
        counts = showing.deck.counts()
        rows: Rows = [EMPTY]
        for suit in Suit:
            parts: list[Part] = ["  "]
            for card in (card for card in showing.deck.cards if card.suit is suit):
                count = counts[card]
                style = "$success" if count > 1 else "" if count else "$quiet"
                parts.append((f"{card.face:>3}{SIGNS.get(count, '✓')} ", style))
            rows.append(row(*parts))
        rows.append(EMPTY)
        missing = showing.deck.missing()
        if missing and len(missing) <= 20:
            words = _("missing: {cards}").format(cards=" ".join(card.face for card in missing))
            rows += [row("  ", line) for line in wrap(words, width - 4)]
        for verdict in [one for one in self.verdicts if not one.is_named][: max(0, height - len(rows) - 1)]:
            rows.append(row("  ! ", safety_words(verdict)))
        if showing.asked is not None:
            crop, _other = both_corners(showing.asked.crop)
            why = showing.asked.reason.replace("_", " ")
            told: Rows = [row("  ", _("It can't be named safely: {why}.").format(why=why))]
            rows += beside([row("  ", line) for line in crop], WIDTH + 5, told) if crop else told
        return rows[:height]

    # -- what is typed ------------------------------------------------------------------------------------

    def read(self) -> Reading:
        """What is typed is a card or a name."""
        return NOTHING

    async def enter(self) -> None:
        """Name the card that is asked about, or save."""
        if self.showing is not None and self.showing.asked is not None:
            self._answer()
        else:
            await self._save()

    async def command(self, key: str, character: str | None) -> bool:
        """Letters begin a card or a name; function keys go elsewhere."""
        return False if character is not None else await super().command(key, character)

    def _answer(self) -> None:
        assert self.showing is not None
        typed = self.typed.text.strip()
        if not typed:
            return
        try:
            card = None if typed.casefold() in NO_CARD else parse_card(typed)
        except Refusal:
            self.console_app.state.say(
                _("Not a card: {text}. Such as qh 10s ad.").format(text=typed), stops=True
            )
            return
        self.showing.name(card)
        self.console_app.state.said = None
        self.typed = Typed()

    async def _save(self) -> None:
        app, showing, name = self.console_app, self.showing, self.typed.text.strip()
        if showing is None or not showing.deck.looks or app.house is None:
            app.state.say(_("Not saved: no card has been seen yet."), stops=True)
            return
        if not name:
            app.state.say(_("Type a name for the deck, then Enter."), stops=True)
            return
        house, now = app.house, app.now()
        app.state.say(_("Working out which cards can be told apart …"))
        self.show()
        try:
            path = await asyncio.to_thread(_store, showing, house, name, now)
            self.verdicts = await asyncio.to_thread(_judge, showing)
        except AssistantError as error:
            app.state.say(str(error), stops=True)
            return
        self.typed = Typed()
        asked = sum(not verdict.is_named for verdict in self.verdicts)
        text = _("Saved in {path}. {asked} cards will be asked about. Play with --source …,deck={name}")
        app.state.say(text.format(path=path, asked=asked, name=name))


def _store(showing: DeckShowing, house: Path, name: str, now: datetime) -> Path:
    from dataclasses import replace

    from calibration.deck_files import save_deck_looks
    from drivers.decks import checked_name

    folder = house / "decks" / checked_name(name)
    return save_deck_looks(folder, replace(showing.deck, name=name), now)


def _judge(showing: DeckShowing) -> tuple[CardVerdict, ...]:
    from calibration.recogniser import Recogniser

    return Recogniser().deck_verdicts(showing.deck)
