"""What the screens with a list share: a chosen row, one entry line, a short menu on Enter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.console.actions import Act, act_of
from assistant.console.panels import ListPanel
from assistant.console.reading import NOTHING, TALK, Reading, read_line
from assistant.console.rows import Rows
from assistant.console.screens.base import ENTERS, ConsoleScreen
from assistant.console.sizes import far_more, far_more_text, sized
from assistant.console.view import PanelView, Strip, View
from assistant.console.widgets.entry import Typed
from assistant.console.widgets.lines import Lines
from assistant.console.widgets.panel import Body
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.table.snapshot import TableSnapshot


class ListScreen(ConsoleScreen):
    """A list with a chosen row; everything typed goes into the entry line, a colon makes it table talk."""

    prompt = ""
    hint = ""
    marks_whose = False
    """Whether what is typed is for the chosen row: then the arrows choose it all the same."""

    def __init__(self) -> None:
        super().__init__()
        self.chosen = 0
        self.menu: ListPanel | None = None
        self._told_for: TableSnapshot | None = None
        self._refused = ""

    def body(self) -> tuple[Lines, ...]:
        """The list."""
        return (Body(id="body"),)

    # -- what a subclass says -----------------------------------------------------------------------------

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The list for a width and height."""
        raise NotImplementedError

    def count(self, snapshot: TableSnapshot) -> int:
        """Rows that can be chosen."""
        raise NotImplementedError

    def read_own(self, text: str, snapshot: TableSnapshot) -> Reading:
        """What a typed line means on this screen."""
        raise NotImplementedError

    async def usual(self, snapshot: TableSnapshot) -> None:
        """What Enter does on an empty line."""
        raise NotImplementedError

    def headline(self, snapshot: TableSnapshot) -> str:
        """What the bar says; the duty of the table unless the screen has something better."""
        return snapshot.duty

    def usual_label(self, snapshot: TableSnapshot) -> str:
        """What Enter does, in words."""
        return ""

    def keys(self) -> tuple[Strip, ...]:
        """The key strip."""
        others = self.strip(Act.SEATS, Act.GAME, Act.CLOSE, Act.HELP, Act.QUIT)
        return (*self.strip(Act.TABLE), *self.undo_key(), *others)

    def undo_key(self) -> tuple[Strip, ...]:
        """Undo where it is offered: by its other key, for a letter begins a line here."""
        return tuple(Strip("⌫", one.label) for one in self.strip(Act.UNDO))

    async def after(self, reading: Reading, snapshot: TableSnapshot) -> None:
        """Go on after a line was booked."""

    # -- what it shows ------------------------------------------------------------------------------------

    def view(self) -> View:
        """The list, or the menu over it."""
        app, snapshot = self.console_app, self.console_app.state.snapshot
        if snapshot is None:
            return View(None, app.opening_text, clock=app.clock_text)
        reading, menu = self.read(), self._marked_menu()

        def rows(width: int, height: int) -> Rows:
            return menu.rows(snapshot, width, height) if menu else self.rows(snapshot, width, height)

        return View(
            snapshot,
            menu.title if menu else self.headline(snapshot),
            usual="" if menu or self.typed.text else self.usual_label(snapshot),
            told=snapshot.told if snapshot is self._told_for and menu is None else (),
            said=app.state.said,
            prompt=menu.prompt
            if menu
            else _("table talk")
            if self.typed.text.startswith(TALK)
            else self.prompt,
            entry=self.typed.text,
            cursor=self.typed.cursor,
            reading=reading.says,
            is_read=reading.is_read,
            hint=_(self.hint) if menu is None else "",
            lamps=app.lamps(),
            clock=app.clock_text,
            strip=menu.strip() if menu else self.keys(),
            panel=PanelView("", rows),
        )

    def _marked_menu(self) -> ListPanel | None:
        """The menu, with the entry marked whose number stands in the line."""
        menu, text = self.menu, self.typed.text
        return replace(menu, marked=int(text)) if menu is not None and menu.item(text) is not None else menu

    # -- what is typed ------------------------------------------------------------------------------------

    def read(self) -> Reading:
        """What the typed line means."""
        snapshot = self.console_app.state.snapshot
        if snapshot is None or not self.typed.text.strip():
            return NOTHING
        if self.typed.text.startswith(TALK):
            return read_line(self.typed.text, snapshot)
        if self.menu is not None:
            return self.menu.read(self.typed.text, snapshot)
        return self.read_own(self.typed.text.strip(), snapshot)

    async def enter(self) -> None:
        """Book the line, or do the usual act."""
        snapshot = self.console_app.state.snapshot
        if snapshot is None:
            return
        reading = self.read()
        if self.menu is not None and not self.typed.text:
            if self.menu.asks:
                self.console_app.state.say(_("Type its number, then Enter."))
            else:
                self.menu = None
        elif self.menu is not None and reading.fill:
            self.typed = Typed()
            await self._answer(reading)
        elif not self.typed.text.strip():
            await self.usual(snapshot)
        elif not reading.line:
            self.console_app.state.say(_("Not booked: {why}").format(why=reading.says), stops=True)
            self.keep_refused()
        elif self._must_ask(reading) and not await self.console_app.refuses(reading.line):
            self._ask_again(reading)
        elif await self.console_app.book(reading.line):
            self.console_app.state.remember(sized(reading, snapshot))
            self.typed = Typed()
            self._tell()
            if self.console_app.state.snapshot is not None:
                await self.after(reading, self.console_app.state.snapshot)
        else:
            self.keep_refused()

    def keep_refused(self) -> None:
        """Leave a refused line to be mended; the next character begins anew, another booked line drops it."""
        self._refused = self.console_app.state.replaced_line = self.typed.text

    def moved_on(self, key: str, character: str | None) -> None:
        """With Enter the line is sent again, whatever it was before."""
        if key in ENTERS:
            self._refused = ""
        super().moved_on(key, character)

    def drop_refused(self) -> None:
        """A refused line that nobody has mended gets out of Enter's way."""
        if self._refused and self.typed.text == self._refused:
            self.typed = Typed()
        self._refused = ""

    def _must_ask(self, reading: Reading) -> bool:
        """Whether an amount is so much more than the last one that it is asked for once more."""
        state = self.console_app.state
        if state.snapshot is None or state.asked == self.typed.text:
            return False
        return far_more(sized(reading, state.snapshot), state.last_amounts, state.snapshot)

    def _ask_again(self, reading: Reading) -> None:
        """Say what Enter once more books."""
        state = self.console_app.state
        assert state.snapshot is not None
        state.asked = state.replaced_line = self.typed.text  # what is typed now stands instead
        money = sized(reading, state.snapshot)
        state.say(far_more_text(money, state.last_amounts, state.snapshot), stops=True)

    async def command(self, key: str, character: str | None) -> bool:
        """Move the choice, answer the menu, or do what a key without a letter means."""
        snapshot = self.console_app.state.snapshot
        if snapshot is None:
            return False
        if self.menu is not None and character is not None and character.isdigit():
            item = self.menu.item(character)
            if item.asks if item is not None else self.menu.asks:
                return False  # the number stands in the line until Enter
            await self._answer(self.menu.read(character, snapshot))
            return True
        if key in ("up", "down"):
            self._move(key, snapshot)
            return True
        if character is not None and key not in ("colon", "question_mark"):
            return False
        act = act_of(key, character, card_due=False)
        if act is Act.TALK:
            self.typed = Typed.of(TALK)
            return True
        if act is Act.UNDO:
            if self.console_app.state.undo_counts() and await self.console_app.book("undo"):
                self._tell()
            return True
        return act is not None and await self.act(act)

    def _move(self, key: str, snapshot: TableSnapshot) -> None:
        step = -1 if key == "up" else 1
        self.chosen = max(0, min(self.count(snapshot) - 1, self.chosen + step))

    def edit(self, key: str, character: str | None) -> None:
        """Edit the line; the arrows choose whom it is for, and what was asked about somebody else goes."""
        snapshot = self.console_app.state.snapshot
        is_own = self.marks_whose and self.menu is None and not self.typed.text.startswith(TALK)
        if key in ("up", "down") and is_own and snapshot is not None:
            self._move(key, snapshot)
            self.console_app.state.withdraw(moved=True)
        else:
            super().edit(key, character)

    async def _answer(self, reading: Reading) -> None:
        """A line that still wants something is put into the entry; a whole one is booked."""
        if not reading.fill:
            return
        self.menu = None
        if reading.fill.endswith((" ", "=")):  # as `Item.is_whole` has it
            self.typed = Typed.of(reading.fill)
        else:
            if await self.console_app.book(reading.fill.removeprefix(TALK)):
                self._tell()

    def _tell(self) -> None:
        """What a line booked here asks to take and to give stands in the bar until the next one."""
        self._told_for = self.console_app.state.snapshot

    def escape(self) -> None:
        """Close the menu, empty the line, else go back to the table."""
        if self.menu is not None:
            self.menu, self.typed = None, Typed()
            self.console_app.state.said = None
        else:
            super().escape()
