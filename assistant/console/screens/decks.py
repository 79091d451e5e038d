"""Decks of tagged or bar-coded cards: which are in play at a reader, enrolling one, tag lists in and out."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.console.actions import Act
from assistant.console.card_intake import source_name
from assistant.console.panels import Item, ListPanel
from assistant.console.reading import Reading
from assistant.console.rows import EMPTY, Rows, cut, fit, row, window, wrap
from assistant.console.screens.listing import ListScreen
from assistant.console.view import Strip
from assistant.console.widgets.entry import Typed
from assistant.errors import AssistantError
from assistant.i18n import N_, _

if TYPE_CHECKING:
    from textual.content import Content

    from assistant.table.snapshot import TableSnapshot
    from drivers.decks import Deck

IMPORT, EXPORT = " < ", " > "
_PLAY, _ENROL = "play", "enrol"
FORMATS_OF_TAGS = ("uidline", "oslp", "stxetx", "barcode")


class DecksScreen(ListScreen):
    """First row: the reader and its format; the others: the decks of the house.

    Args:
        reader: The reader as it was typed.
    """

    page = "decks"
    _manual = "shoes"
    hint = N_("name of a new deck   or: Blue < tags.csv")

    def __init__(self, reader: str) -> None:
        super().__init__()
        from drivers.spec import split_source, with_options

        self.prompt = _("new deck")
        format = split_source(reader).options.get("format", "")
        known = format if format in FORMATS_OF_TAGS else FORMATS_OF_TAGS[0]
        self.reader = with_options(reader, {"format": known})
        self.decks: tuple[Deck, ...] = ()
        self._read_decks()

    # -- what it shows ------------------------------------------------------------------------------------

    def on_screen_resume(self) -> None:
        """A deck may have been enrolled meanwhile."""
        self._read_decks()

    def headline(self, snapshot: TableSnapshot) -> str:
        """What can be done here."""
        return _("DECKS of tagged or bar-coded cards")

    def usual_label(self, snapshot: TableSnapshot) -> str:
        """Enter opens the deck's menu."""
        return _("what to do with it") if self._chosen_deck() is not None else ""

    def keys(self) -> tuple[Strip, ...]:
        """The key strip."""
        return (Strip("← →", _("format")), *self.strip(Act.TABLE, Act.SOURCES, Act.HELP, Act.QUIT))

    def count(self, snapshot: TableSnapshot) -> int:
        """The reader and the decks."""
        return 1 + len(self.decks)

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The reader, then the decks."""
        is_chosen = self.chosen == 0
        name = self._reader_name()
        found: Rows = [
            EMPTY,
            row(
                (f" {'▶' if is_chosen else ' '} {_('reader')}  ", "bold $turn" if is_chosen else "bold"),
                (f"{cut(name, max(8, width - 40))}  ", ""),
                (f"◂ {self._format()} ▸", "bold $turn" if is_chosen else "bold"),
            ),
            EMPTY,
        ]
        if not self.decks:
            text = _(
                "No deck is enrolled yet. Type a name for one, then Enter; every card needs a tag or a code."
            )
            return [*found, *(row("   ", (line, "$quiet")) for line in wrap(text, max(10, width - 6)))]
        room = max(1, height - len(found))
        in_play = self._in_play()
        decks = window(
            self.decks,
            self.chosen - 1,
            room,
            lambda place, deck: self._deck_row(deck, place + 1, in_play, width),
        )
        return [*found, *decks]

    def _deck_row(self, deck: Deck, at: int, in_play: tuple[str, ...], width: int) -> Content:
        is_chosen = at == self.chosen
        style = "bold $turn" if is_chosen else ""
        text = _("{count} tags").format(count=len(deck.tags))
        if deck.missing:
            text += "  " + _("without: {cards}").format(cards=" ".join(deck.missing[:6]))
            text += " …" if len(deck.missing) > 6 else ""
        plays = _("in play") if deck.name in in_play else ""
        return row(
            (f" {'▶' if is_chosen else ' '} {fit(deck.name, 22)} {fit(deck.back, 10)} ", style),
            (fit(plays, 9), "bold $success"),
            (cut(text, max(4, width - 46)), "$quiet"),
        )

    def _chosen_deck(self) -> Deck | None:
        return self.decks[self.chosen - 1] if 0 < self.chosen <= len(self.decks) else None

    def _reader_name(self) -> str:
        return source_name(self.reader)

    def _format(self) -> str:
        from drivers.spec import split_source

        return split_source(self.reader).options.get("format", "")

    def _in_play(self) -> tuple[str, ...]:
        """The decks of the reader as it is open now."""
        return self.console_app.decks_in_play(self._reader_name())

    def _read_decks(self) -> None:
        from drivers.decks import load_decks

        folder = self.console_app.decks if self.is_attached else None
        try:
            self.decks = load_decks(folder) if folder is not None else ()
        except AssistantError as error:
            self.decks = ()
            self.console_app.state.say(str(error), stops=True)

    # -- what is typed ------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Read the decks; the app is known from now on."""
        self._read_decks()

    def read_own(self, text: str, snapshot: TableSnapshot) -> Reading:
        """A name enrols a deck; ``NAME < FILE`` imports one, ``NAME > FILE`` exports it."""
        if IMPORT in f"{text} ":
            return Reading(says=_("import a tag list"), fill=text)
        if EXPORT in f"{text} ":
            return Reading(says=_("write the tag list"), fill=text)
        return Reading(says=_("enrol deck {name}").format(name=text), fill=text)

    async def enter(self) -> None:
        """Do what was typed, or open the menu."""
        reading = self.read()
        if not (self.typed.text.strip() and reading.fill):
            await super().enter()
            return
        try:
            await self._do_typed(reading.fill)
        except AssistantError as error:
            self.console_app.state.say(str(error), stops=True)
            return
        self.typed = Typed()
        self._read_decks()

    async def _do_typed(self, text: str) -> None:
        from drivers.decks import checked_name

        for sign, work in ((IMPORT, self._import), (EXPORT, self._export)):
            name, found, file = f"{text} ".partition(sign)
            if found:
                done = await asyncio.to_thread(work, checked_name(name), file.strip())
                self.console_app.state.say(done)
                return
        self._enrol(checked_name(text), "")

    def _import(self, name: str, file: str) -> str:
        from drivers.decks import import_tags, save_deck

        deck = import_tags(name, Path(file).expanduser())
        save_deck(self._folder(), deck)
        missing = _(" Without a tag: {cards}.").format(cards=" ".join(deck.missing)) if deck.missing else ""
        return _("{count} tags of deck {name} are saved.").format(count=len(deck.tags), name=name) + missing

    def _export(self, name: str, file: str) -> str:
        from drivers.decks import load_deck, tags_csv
        from drivers.printer import SlipNotWritten, write_slip

        deck, path = load_deck(self._folder(), name), Path(file or f"{name}.csv").expanduser()
        try:
            write_slip(tags_csv(deck), path)
        except SlipNotWritten as error:
            why = getattr(error.__cause__, "strerror", None) or error.message
            raise AssistantError(_("{path} can't be written: {why}.").format(path=path, why=why)) from error
        return _("{count} tags written to {path}.").format(count=len(deck.tags), path=path.absolute())

    def _folder(self) -> Path:
        folder = self.console_app.decks
        if folder is None:
            raise AssistantError(_("There is no house folder to keep decks in."))
        return folder

    async def usual(self, snapshot: TableSnapshot) -> None:
        """Say what can be done with the chosen deck."""
        deck = self._chosen_deck()
        if deck is None:
            self.console_app.state.say(_("← → choose the reader's format. Type a name to enrol a deck."))
            return
        plays = deck.name in self._in_play()
        items = (
            Item(_("take it out of play") if plays else _("play with it"), _PLAY),
            Item(_("enrol it anew"), _ENROL),
            Item(_("write its tag list (CSV)"), f"{deck.name}{EXPORT}{deck.name}.csv"),
        )
        self.menu = ListPanel(_("{name}: WHAT?").format(name=deck.name), _("number"), items=items)

    async def command(self, key: str, character: str | None) -> bool:
        """A digit does what the menu says; left and right change the reader's format."""
        menu, deck = self.menu, self._chosen_deck()
        if menu is not None and character is not None and character.isdigit() and deck is not None:
            number = int(character)
            if 1 <= number <= len(menu.items):
                self.menu = None
                await self._do(menu.items[number - 1].fill, deck)
            return True
        if key in ("left", "right"):
            self._change_format(1 if key == "right" else -1)
            return True
        return await super().command(key, character)

    async def _do(self, what: str, deck: Deck) -> None:
        if what == _PLAY:
            await self._play(deck.name)
        elif what == _ENROL:
            self._enrol(deck.name, deck.back)
        else:
            self.typed = Typed.of(what)

    async def _play(self, name: str) -> None:
        """Take a deck into play or out of it; the reader is opened anew with its decks."""
        from drivers.deckmap import BETWEEN_DECKS
        from drivers.spec import with_options

        now = self._in_play()
        wanted = tuple(one for one in now if one != name) if name in now else (*now, name)
        self.reader = with_options(self.reader, {"deck": BETWEEN_DECKS.join(wanted)})
        await self.console_app.exchange_source(self._reader_name(), self.reader)

    def _change_format(self, step: int) -> None:
        from drivers.spec import with_options

        at = FORMATS_OF_TAGS.index(self._format()) if self._format() in FORMATS_OF_TAGS else 0
        format = FORMATS_OF_TAGS[(at + step) % len(FORMATS_OF_TAGS)]
        self.reader = with_options(self.reader, {"format": format})

    def _enrol(self, name: str, back: str) -> None:
        from assistant.console.screens.enrol import EnrolScreen

        self._folder()
        self.console_app.state.said = None
        self.app.push_screen(EnrolScreen(self.reader, name, back))

    def escape(self) -> None:
        """Close the menu, empty the line, else go back to the sources."""
        if self.menu is None and not self.typed.text:
            self.app.pop_screen()
        else:
            super().escape()
