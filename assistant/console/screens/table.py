"""The table: whole rounds with one key a usual act; everything the dealer needs is on this one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.timer import Timer

from assistant.console.actions import Act, act_of, is_legal, label_of, names_amount, strip_name
from assistant.console.confirm import is_contested, takes_chips
from assistant.console.panels import Panel
from assistant.console.play import Play
from assistant.console.reading import Reading, span_text
from assistant.console.screens.base import TALL_HEIGHT, ConsoleScreen, set_display, set_height
from assistant.console.view import PanelView, Strip, View
from assistant.console.widgets.bar import Say
from assistant.console.widgets.card import Board
from assistant.console.widgets.entry import Typed
from assistant.console.widgets.event_log import EventLog
from assistant.console.widgets.layout import LOW_ROWS, TALL_ROWS, Arc
from assistant.console.widgets.lines import Lines
from assistant.console.widgets.live import LiveView
from assistant.console.widgets.odds import Odds
from assistant.console.widgets.panel import PanelArea
from assistant.console.widgets.pool import Pool
from assistant.console.widgets.seat import Seats
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.console.confirm import Usual
    from assistant.games.base import CardsDue, Choice
    from assistant.money import Currency
    from assistant.table.snapshot import TableSnapshot

LIVE_S = 0.125
"""Between two pictures of the live view."""
PANEL_ROWS = 11
"""Rows a panel needs before the seats may stay beside it."""
LOG_ROWS = 3
"""Rows of the log that stay below the odds, where there is room."""
_MENDING = frozenset({Act.UNDO, Act.REDO, Act.WRONG, Act.MISDEAL})
"""What a closed night takes no more; it is opened again first."""
ON_STRIP = (
    *(
        Act.YES,
        Act.NO,
        Act.FOLD,
        Act.MOST,
        Act.HIGH,
        Act.LOW,
        Act.AGAIN,
        Act.TAKE_CHIP,
        Act.UNDO,
        Act.WRONG,
        Act.MISDEAL,
        Act.HELP,
    ),
    *(
        Act.SEATS,
        Act.GAME,
        Act.CLOSE,
        Act.SOURCES,
        Act.AGAIN_ALL,
        Act.CLEAR,
        Act.BURN,
        Act.SHUFFLE,
        Act.REDO,
        Act.TALK,
    ),
    *(Act.ODDS, Act.LIVE, Act.CAMERA, Act.LOOK, Act.QUIT),
)
NEEDS_CAMERA = frozenset({Act.LIVE, Act.CAMERA})


class TableScreen(ConsoleScreen):
    """The main screen."""

    page = "table"

    def __init__(self) -> None:
        super().__init__()
        self._play: Play | None = None
        self._live_timer: Timer | None = None

    @property
    def play(self) -> Play:
        """What the keys do here."""
        if self._play is None:
            self._play = Play(self.console_app)
        return self._play

    def body(self) -> tuple[Lines, ...]:
        """Everything about the cards, the seats and the log."""
        self.say, self.board, self.pool = Say(id="say"), Board(id="board"), Pool(id="pool")
        self.arc, self.seats = Arc(id="arc", classes="-optional"), Seats(id="seats", classes="-optional")
        self.live_area = LiveView(id="live", classes="-optional")
        self.odds = Odds(id="odds", classes="-optional")
        self.panel_area, self.log_area = (
            PanelArea(id="panel", classes="-optional"),
            EventLog(id="log", classes="-optional"),
        )
        return (
            self.say,
            self.board,
            self.pool,
            self.arc,
            self.seats,
            self.odds,
            self.panel_area,
            self.live_area,
            self.log_area,
        )

    # -- what it shows ------------------------------------------------------------------------------------

    def view(self) -> View:
        """The table and what is typed."""
        app, state, play = self.console_app, self.console_app.state, self.play
        snapshot = state.snapshot
        typed = play.typed
        if snapshot is None:
            return View(
                None,
                app.opening_text,
                said=state.said,
                prompt=_("wait"),
                entry=typed.text,
                cursor=typed.cursor,
                clock=app.clock_text,
                strip=self.strip(Act.QUIT),
            )
        reading = play.read()
        usual = play.usual(snapshot) if not typed.text.strip() else None  # Enter sends what is typed
        panel = play.open_panel
        return View(
            snapshot,
            snapshot.duty,
            usual=usual.label if usual else "",
            told=snapshot.told,
            said=play.said(),
            prompt=(panel.prompt if panel is not None else "") or self._prompt(snapshot),
            entry=typed.text,
            cursor=typed.cursor,
            reading=reading.says,
            is_read=reading.is_read,
            hint="" if panel is not None and panel.prompt else self._hint(snapshot),
            selected=state.selected,
            lamps=app.lamps(),
            clock=app.clock_text,
            strip=panel.strip() if panel is not None and panel.prompt else self._strip(snapshot, usual),
            panel=_panel_view(panel, snapshot),
        )

    def arrange_rows(self, view: View) -> None:
        """Low screens get flat cards and cells of four rows, tall ones boxes and a row more."""
        super().arrange_rows(view)
        width, height = self.app.size
        fits = not self.is_small
        tall = height >= TALL_HEIGHT and fits
        say, seats = self.say, self.seats
        set_height(say, say.height_for(view, width))
        set_height(self.board, 4 if tall else 1)
        set_height(self.arc, TALL_ROWS if tall else LOW_ROWS)
        seats.tall = tall
        set_height(seats, seats.height_for(view, width))
        fields = view.snapshot.layout if view.snapshot is not None else ()
        arc = bool(fields) and fits and (view.panel is None or tall)
        rest = (
            height
            - max(self.bar.height_for(view, width), 3)
            - (10 if tall else 6)
            - (TALL_ROWS if arc else 0)
        )
        set_display(self.arc, arc)
        live = self.console_app.state.live and view.panel is None
        in_log = view.panel is not None or live
        set_display(seats, fits and (not in_log or rest - seats.height_for(view, width) >= PANEL_ROWS))
        wanted = self.odds.height_for(view, width) if not in_log and fits else 0
        set_height(self.odds, min(wanted, max(2, rest - seats.height_for(view, width) - LOG_ROWS)))
        set_display(self.odds, wanted > 0)
        set_display(self.panel_area, view.panel is not None and fits)
        set_display(self.live_area, live and fits)
        set_display(self.log_area, not in_log and fits)

    def toggle_live(self) -> None:
        """Put the camera's picture where the log is, or take it away; then nothing runs for it."""
        state = self.console_app.state
        state.live = not state.live
        self._arranged_for = (None, None, None, None)
        if self._live_timer is not None:
            self._live_timer.stop()
            self._live_timer = None
        if state.live:
            self._live_timer = self.set_interval(LIVE_S, self.show_live)
            self.live_area.say(_("waiting for the camera …"))

    def show_live(self) -> None:
        """Paint what the camera sees now."""
        if not self.live_area.display or self.app.screen is not self:
            return
        sight = self.console_app.sight()
        width, height = self.live_area.size
        if sight is None:
            self.live_area.say(_("No camera shows a picture. F3 opens one: camera:0"))
        elif width > 0 and height > 0:
            from calibration.preview import preview

            self.live_area.show_preview(preview(sight.image, width, height, sight.cards))

    def _prompt(self, snapshot: TableSnapshot) -> str:
        """What the entry line is for now."""
        names = {seat.player: seat.name for seat in snapshot.seats}
        selected = self.console_app.state.selected
        if self.play.typed.text.startswith(":"):
            return _("table talk")
        if selected is not None:
            return _("chips for {name}").format(name=names.get(selected, selected))
        if snapshot.due is not None:
            role, player = snapshot.due.role, snapshot.due.player
            if role == "hand" and player is not None:
                return _("hand of {name}").format(name=names.get(player, player))
            return _("card for {name}").format(name=names[player]) if player in names else _("card")
        if takes_chips(snapshot):  # no seat is chosen, and without a bet no card is due
            return _("table")
        for choice in snapshot.choices:
            if choice.verb == "bank" and choice.low is not None:
                turn = next((seat.name for seat in snapshot.seats if seat.is_turn), "")
                return _("bank of {name}").format(name=turn)
            if choice.verb == "take" and choice.player is not None:
                return _("card for {name}").format(name=names[choice.player])
            if choice.verb == "bet" and choice.player is not None:
                return _("bet of {name}").format(name=names.get(choice.player, choice.player))
            if choice.verb in ("call", "raise", "ace") and choice.player is not None:
                return names.get(choice.player, choice.player)
        return _("table")

    def _hint(self, snapshot: TableSnapshot) -> str:
        """What can be typed now."""
        selected = self.console_app.state.selected
        choices = {
            choice.verb: choice for choice in snapshot.choices if choice.player in (selected, choice.player)
        }
        if takes_chips(snapshot):
            bets = [one for one in snapshot.choices if one.verb == "bet" and one.player == selected]
            if bets:
                return _("amount {span} and Enter  Tab next seat").format(
                    span=_span(bets[0], snapshot.currency)
                )
            if snapshot.due is None:
                return _("Tab chooses the seat that bets")
        elif "take" in choices:
            return _("number of the card, the card itself, or c for closed")
        elif "raise" in choices and not is_contested(snapshot):
            return _("R raises {span}").format(span=_span(choices["raise"], snapshot.currency))
        elif "raise" in choices:
            return _("raise to {span} and Enter").format(span=_span(choices["raise"], snapshot.currency))
        elif "bet" in choices and choices["bet"].words:
            return _("amount {span} with h or l: 12h").format(span=_span(choices["bet"], snapshot.currency))
        elif "bet" in choices or ("bank" in choices and names_amount(choices["bank"])):
            one = choices.get("bet") or choices["bank"]
            return _("amount {span} and Enter").format(span=_span(one, snapshot.currency))
        if snapshot.due is not None and snapshot.due.role == "hand":
            return _hand_hint(snapshot, snapshot.due)
        if snapshot.due is not None:
            return _("cards such as qh 10s ad, several at once")
        if any(" " in seat.name for seat in snapshot.seats):
            return _(": any line of table talk; a name with a blank in quotes")
        return _(": any line of table talk")

    def _strip(self, snapshot: TableSnapshot, usual: Usual | None) -> tuple[Strip, ...]:
        """The keys that work now, the most needed first."""
        selected = self.console_app.state.selected
        enters = usual is not None or bool(self.play.typed.text.strip())
        first = (Strip("⏎", usual.label if usual else _("ok")),) if enters else ()
        has_camera = any("camera" in lamp.name for lamp in self.console_app.lamps())
        acts = (act for act in ON_STRIP if has_camera or act not in NEEDS_CAMERA)
        acts = (act for act in acts if not (snapshot.closed and act in _MENDING))
        legal = (act for act in acts if is_legal(snapshot, act, selected))
        return (
            *first,
            *(Strip(strip_name(snapshot, act, selected), label_of(snapshot, act, selected)) for act in legal),
        )

    # -- what is typed ------------------------------------------------------------------------------------

    def read(self) -> Reading:
        """What the typed line means now."""
        return self.play.read()

    async def enter(self) -> None:
        """Book the line, or do the usual act."""
        text = self.play.typed.text
        await self.play.enter()
        if text.strip() and not self.play.typed.text:
            self.play.keep(text)

    async def command(self, key: str, character: str | None) -> bool:
        """Do what a key means on an empty line."""
        if key in ("pageup", "pagedown"):
            log = self.log_area
            log.back = max(0, log.back + (1 if key == "pageup" else -1) * max(1, log.size.height - 1))
            return True
        if key in ("up", "down") and self._chooses_seat():
            self.console_app.state.select(-1 if key == "up" else 1)
            return True
        if key == "up" and self.play.history:
            self.play.dropped = ""
            self.play.typed = Typed.of(self.play.history[-1])
            self.play.edited()
            return True
        return await self.play.command(key, character)

    def _chooses_seat(self) -> bool:
        """Whether Up and Down choose a seat, as they do while chips are taken: an earlier bet that came back
        into the line would be one Enter from being booked again."""
        snapshot, play = self.console_app.state.snapshot, self.play
        is_talk = play.typed.text.startswith(":") or bool(play.dropped)
        return snapshot is not None and takes_chips(snapshot) and play.open_panel is None and not is_talk

    def key_rows(self, view: View, width: int) -> int:
        """One: the seats and the log need the room, and help has every key."""
        return 1

    def takes_back(self, key: str, character: str | None) -> bool:
        """U does, on either layout."""
        return character is not None and act_of(key, character, card_due=False) is Act.UNDO

    def moved_on(self, key: str, character: str | None) -> None:
        """At the table a refusal stands until something is booked: the dealer may look up meanwhile."""

    def escape(self) -> None:
        """Empty the line, else close the panel."""
        self.play.escape()

    @property
    def entry_text(self) -> str:
        """What is typed."""
        return self.play.typed.text

    def edit(self, key: str, character: str | None) -> None:
        """Edit the line; Up and Down go through earlier ones, Tab chooses a seat all the same, and so do Up
        and Down while chips are taken."""
        play, state = self.play, self.console_app.state
        if key in ("up", "down") and self._chooses_seat():
            state.select(-1 if key == "up" else 1)
            state.withdraw(moved=True)
        elif key in ("up", "down") and play.history:
            step, lines = -1 if key == "up" else 1, play.history
            place = lines.index(play.typed.text) if play.typed.text in lines else len(lines)
            wanted = place + step
            play.typed = Typed.of(lines[wanted]) if 0 <= wanted < len(lines) else Typed()
        elif key in ("tab", "shift+tab"):
            state.select(1 if key == "tab" else -1)
        else:
            play.typed = play.typed.edited(key) or (play.typed.insert(character) if character else play.typed)
        play.edited()
        state.withdraw()
        if state.said is not None and not state.said.stops:
            state.said = None

    def paste(self, event: events.Paste) -> None:
        """Put pasted text into the line."""
        self.play.typed = self.play.typed.insert(event.text)
        self.play.edited()


def _panel_view(panel: Panel | None, snapshot: TableSnapshot) -> PanelView | None:
    if panel is None:
        return None
    return PanelView(panel.title, lambda width, height: panel.rows(snapshot, width, height), panel.stops)


def _hand_hint(snapshot: TableSnapshot, due: CardsDue) -> str:
    """What of a hand must be shown."""
    if due.low == due.high:
        return _("all {count} cards").format(count=due.high)
    verbs = {choice.verb for choice in snapshot.choices}
    words = _("  Y won  N lost") if "won" in verbs else _("  N lost") if "lost" in verbs else ""
    return _("a winning card, or all of them") + words


def _span(choice: Choice, currency: Currency) -> str:
    """The amounts a choice allows."""
    return span_text(choice.low or 0, choice.high or 0, currency)
