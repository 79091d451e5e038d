"""What every screen shares: status row, action bar, one entry line, key strip, and how keys reach it.

No widget ever has the focus: every key comes to the screen, so nothing can be typed into the wrong place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from assistant.console.actions import BY_ACT, Act, act_of, is_legal, key_label
from assistant.console.reading import NOTHING, Reading
from assistant.console.rows import row
from assistant.console.view import Strip, View
from assistant.console.widgets.bar import ActionBar
from assistant.console.widgets.entry import EntryLine, Typed
from assistant.console.widgets.keys import KeyStrip
from assistant.console.widgets.lines import Lines
from assistant.console.widgets.status import Status
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.console.app import ConsoleApp

MIN_WIDTH, MIN_HEIGHT = 80, 24
TALL_HEIGHT, WIDE_WIDTH = 34, 100
ENTERS = frozenset({"enter", "ctrl+m", "ctrl+j"})
SCREEN_ACTS = {
    Act.TABLE: "table",
    Act.SOURCES: "sources",
    Act.SEATS: "seats",
    Act.GAME: "game",
    Act.CLOSE: "close",
    Act.LEDGER: "ledger",
    Act.CAMERA: "camera",
    Act.HELP: "help",
    Act.SEASON: "season",
}


class ConsoleScreen(Screen[None]):
    """A screen that paints a `View` and turns keys into lines of table talk."""

    AUTO_FOCUS = None
    page = "table"
    _manual = ""

    def __init__(self) -> None:
        super().__init__()
        self.typed = Typed()
        self.bar, self.keys_strip, self.small = ActionBar(id="bar"), KeyStrip(id="keys"), Static(id="small")
        self.areas = (Status(id="status"), self.bar, *self.body(), EntryLine(id="entry"), self.keys_strip)
        self._is_show_due = False
        self._arranged_for: tuple[object, object, object, object] = (None, None, None, None)

    @property
    def console_app(self) -> ConsoleApp:
        """The app, with its state and its desk."""
        return cast("ConsoleApp", self.app)

    @property
    def manual(self) -> str:
        """Its page in the manual."""
        return self._manual or self.page

    @property
    def game_shown(self) -> str | None:
        """The game whose rules help shows from here: the one that is played."""
        snapshot = self.console_app.state.snapshot
        return snapshot.game if snapshot is not None else None

    # -- what it shows ------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Status, bar, whatever the screen is about, entry line, key strip."""
        yield from self.areas
        yield self.small

    def body(self) -> tuple[Lines, ...]:
        """The areas between bar and entry line."""
        return ()

    def view(self) -> View:
        """What to paint now."""
        raise NotImplementedError

    def read(self) -> Reading:
        """What the typed line means now."""
        return NOTHING

    def show(self) -> None:
        """Paint everything that has changed."""
        if not self.is_attached:
            return
        with self.app.batch_update():
            view = self.view()
            cause = (self.app.size, view.snapshot, view.panel, view.said)
            if cause[0] != self._arranged_for[0] or any(
                new is not old for new, old in zip(cause[1:], self._arranged_for[1:], strict=True)
            ):
                self._arranged_for = cause
                self.arrange_rows(view)
            for area in self.areas:
                if area.display:
                    area.show(view)

    def show_soon(self) -> None:
        """Paint once behind whatever else is waiting: a burst of keys costs one picture, not one each."""
        if not self._is_show_due:
            self._is_show_due = True
            self.call_later(self._show_due)

    def _show_due(self) -> None:
        self._is_show_due = False
        self.show()

    def arrange_rows(self, view: View) -> None:
        """Give every area its height; nothing is laid out again while they stay the same."""
        width, height = self.app.size
        is_small = width < MIN_WIDTH or height < MIN_HEIGHT
        # Only our own areas: Textual keeps widgets of its own on a screen (tooltip, toasts), mostly hidden.
        for area in self.areas:
            if not area.has_class("-optional"):
                set_display(area, not is_small)
        set_display(self.small, is_small)
        if is_small:
            text = _("window too small (80x24), is {width}x{height}").format(width=width, height=height)
            self.small.update(row(text), layout=False)
            return
        set_height(self.bar, max(self.bar.height_for(view, width), 4 if height >= TALL_HEIGHT else 3))
        set_height(self.keys_strip, 2 if height >= TALL_HEIGHT else self.key_rows(view, width))

    def key_rows(self, view: View, width: int) -> int:
        """Rows of the key strip on a low screen: a second one before a key is left out."""
        return min(2, self.keys_strip.height_for(view, width))

    @property
    def is_small(self) -> bool:
        """Whether the window is too small to play in; nothing is booked blindly then."""
        width, height = self.app.size
        return width < MIN_WIDTH or height < MIN_HEIGHT

    def on_mount(self) -> None:
        """Paint for the first time."""
        self.show()

    def on_screen_resume(self) -> None:
        """Paint what happened while another screen was on top."""
        self.show()

    def on_resize(self, event: events.Resize) -> None:
        """Arrange for the new size."""
        self.call_after_refresh(self.show)

    # -- what is typed ------------------------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        """Take a key: Enter, a command on an empty line, or a character of the line."""
        event.stop()
        event.prevent_default()
        self.console_app.moved()
        await self.press(event.key, event.character if event.is_printable else None)
        self.show_soon()

    def on_paste(self, event: events.Paste) -> None:
        """Put pasted text into the line; nothing is booked before Enter."""
        event.stop()
        if not self.is_small:
            self.paste(event)
            self.show_soon()

    def paste(self, event: events.Paste) -> None:
        """Put pasted text into the line."""
        self.typed = self.typed.insert(event.text)

    @property
    def entry_text(self) -> str:
        """What is typed."""
        return self.typed.text

    async def press(self, key: str, character: str | None) -> None:
        """Do what a key stands for at this moment."""
        state = self.console_app.state
        if self.is_small:
            return
        if key in ENTERS:
            if state.enter_counts():
                self.moved_on(key, character)
                await self.enter()
            return
        state.pressed(key, character)
        self.moved_on(key, character)
        if self.entry_text and self.entry_text == state.replaced_line:
            if key == "question_mark":  # what a refusal says to press; the line stays for mending
                await self.act(Act.HELP)
                return
            if character is not None:
                self.edit("ctrl+u", None)
            state.replaced_line = ""
            if self.takes_back(key, character):  # the line in the entry is what it is meant for
                state.say(
                    _("That line is gone; it was not booked. U again takes back the last one that was.")
                )
                return
        if not self.entry_text and await self.command(key, character):
            return
        if key == "escape":
            self.escape()
            return
        act = act_of(key, None, card_due=False) if len(key) > 1 else None
        if (
            act is not None
            and act in {*SCREEN_ACTS, Act.LOOK, Act.SAFETY, Act.QUIT}
            and key not in ("question_mark",)
        ):
            await self.act(act)
            return
        self.edit(key, character)

    def takes_back(self, key: str, character: str | None) -> bool:
        """Whether a letter takes back the last line on this screen, where lines begin with none."""
        return False

    def moved_on(self, key: str, character: str | None) -> None:
        """A key is pressed: what was said before goes, unless it is about the line that is being mended."""
        state = self.console_app.state
        begins_anew = character is not None and self.entry_text == state.replaced_line
        is_notice = state.said is not None and not state.said.stops
        if not self.entry_text or begins_anew or is_notice or key == "escape":
            state.said = None

    def drop_refused(self) -> None:
        """Hear that another line was booked: one that was refused here before is out of date."""

    async def enter(self) -> None:
        """Book the line, or do the usual act."""
        raise NotImplementedError

    async def command(self, key: str, character: str | None) -> bool:
        """Do what a key means on an empty line; False for a key that starts the line."""
        act = act_of(key, character, card_due=False)
        return act is not None and await self.act(act)

    async def act(self, act: Act) -> bool:
        """Do an act that every screen knows."""
        app = self.console_app
        if act in SCREEN_ACTS:
            app.go(SCREEN_ACTS[act])
        elif act is Act.LOOK:
            app.next_look()
        elif act is Act.SAFETY:
            app.tell_safety()
        elif act is Act.QUIT:
            await app.action_quit()
        else:
            return False
        return True

    def escape(self) -> None:
        """Empty the line, else go back."""
        if self.typed.text:
            self.typed = Typed()
        else:
            self.console_app.back()

    def edit(self, key: str, character: str | None) -> None:
        """Edit the line."""
        edited = self.typed.edited(key)
        if edited is not None:
            self.typed = edited
        elif character is not None:
            self.typed = self.typed.insert(character)
        self.console_app.state.withdraw()

    def strip(self, *acts: Act) -> tuple[Strip, ...]:
        """The strip entries of some acts, without what would be refused."""
        snapshot = self.console_app.state.snapshot
        legal = (act for act in acts if snapshot is None or is_legal(snapshot, act, None))
        return tuple(Strip(key_label(BY_ACT[act]), _(BY_ACT[act].label)) for act in legal)


def set_display(widget: Widget, wanted: bool) -> None:
    """Show or hide a widget, if that is not so already."""
    if widget.display != wanted:
        widget.display = wanted


def set_height(widget: Widget, rows: int) -> None:
    """Give a widget a height in rows, if it has another one now."""
    height = widget.styles.height
    if height is None or not height.is_cells or height.value != rows:
        widget.styles.height = rows
