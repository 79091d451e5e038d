"""Card sources: which are open and how they do, what is attached, why one can't be used and what helps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.console.actions import Act
from assistant.console.card_intake import lamp_of
from assistant.console.devices import LISTEN_S
from assistant.console.panels import Item, ListPanel
from assistant.console.reading import Reading
from assistant.console.rows import EMPTY, Rows, cut, fit, page, row, wrap
from assistant.console.screens.listing import ListScreen
from assistant.console.view import Strip
from assistant.console.widgets.entry import Typed
from assistant.device_words import CAMERA, PRINTER, READER, missing
from assistant.i18n import N_, _
from assistant.started import as_started

if TYPE_CHECKING:
    from textual.content import Content

    from assistant.table.intake import SourceState
    from assistant.table.snapshot import TableSnapshot
    from drivers.base import Found

LOOK_S = 3.0
"""How often it is looked what is attached, while this screen is shown."""
NAME_WIDTH = 26
OPEN, ATTACHED, HEARD, SIMULATED, NOTHING = "open", "attached", "heard", "simulated", "nothing"
_CLOSE, _TAGS, _USE, _FIND, _OSLP, _TYPE = "close", "tags", "use", "find", "oslp", "type"


@dataclass(frozen=True)
class Place:
    """One row that can be chosen.

    Attributes:
        kind: ``open``, ``attached``, ``heard``, ``simulated``, or ``nothing`` where there is none.
        source: Its name, or what opens it.
        state: A word for how it does.
        label: What it is.
        remarks: Why it can't be used and what to do, or what it can't do.
        is_good: Whether the word is a good one.
    """

    kind: str
    source: str
    state: str = ""
    label: str = ""
    remarks: tuple[str, ...] = ()
    is_good: bool = True


class SourcesScreen(ListScreen):
    """Enter on a row says what can be done with it; a typed source is opened."""

    page = "sources"
    _manual = "shoes"
    hint = N_("serial:/dev/ttyUSB0,format=oslp   ⏎ on a row: what else")

    def __init__(self) -> None:
        super().__init__()
        self.prompt = _("open source")
        self._asked_simulated = False

    # -- what it shows ------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Look what is attached, now and every few seconds."""
        devices = self.console_app.devices
        devices.look()
        self.set_interval(LOOK_S, devices.look)

    def headline(self, snapshot: TableSnapshot) -> str:
        """What goes on."""
        listening = self.console_app.devices.listening
        if listening:
            text = _("LISTENING at {port} for {seconds} s, sending nothing. Draw cards meanwhile")
            return text.format(port=listening, seconds=LISTEN_S)
        return _("CARD SOURCES")

    def usual_label(self, snapshot: TableSnapshot) -> str:
        """Enter opens the row's menu."""
        return _("what to do with it") if self._chosen_place() is not None else ""

    def keys(self) -> tuple[Strip, ...]:
        """The key strip."""
        return (Strip("F3", _("look again")), *self.strip(Act.TABLE, Act.SEATS, Act.GAME, Act.HELP, Act.QUIT))

    def count(self, snapshot: TableSnapshot) -> int:
        """Rows that can be chosen."""
        return len(self._places())

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The open sources, then what else there is; the chosen row is always in sight."""
        places = self._places()
        self.chosen = max(0, min(self.chosen, len(places) - 1))
        blocks: list[Rows] = []
        kind = ""
        for at, place in enumerate(places):
            head = [row((f" {_title(place.kind)}", "bold $accent"))] if _title(place.kind) != kind else []
            kind = _title(place.kind)
            blocks.append([*head, *self._block(place, width, is_chosen=at == self.chosen)])
        said = self.console_app.devices.said
        if said:
            blocks.append(
                [EMPTY, *(row("  ", (line, "$warning")) for line in wrap(said, max(10, width - 4)))]
            )
        return [EMPTY, *_in_sight(blocks, self.chosen, height - 1)]

    def _block(self, place: Place, width: int, *, is_chosen: bool) -> Rows:
        mark = "▶" if is_chosen else " "
        style = "bold $turn" if is_chosen else "bold"
        state = fit(place.state, 9) if place.state else ""
        state_style = "$success" if place.is_good else "bold $warning"
        name_width = max(NAME_WIDTH, len(place.source))
        room = max(4, width - name_width - len(state) - 7)
        if name_width + len(state) + 12 > width:
            name_width, room = width - len(state) - 7, 0
        line: Content = row(
            (f" {mark} {fit(place.source, name_width)} ", style),
            (state, state_style),
            (cut(place.label, room), ""),
        )
        below = [part for remark in place.remarks for part in wrap(remark, max(10, width - 8))]
        return [line, *(row("      ", (text, "$quiet" if place.is_good else "$warning")) for text in below)]

    def _places(self) -> tuple[Place, ...]:
        app = self.console_app
        open_ = [_open_place(state, app.opened.get(state.name, "")) for state in app.source_states()]
        used = {place.source for place in open_} | {_plain(text) for text in app.opened.values()}
        attached = [_found_place(one, ATTACHED) for one in app.devices.attached if one.source not in used]
        heard = [_found_place(one, HEARD) for one in app.devices.heard]
        if not app.devices.has_looked:
            attached.append(Place(NOTHING, _("looking …")))
        elif not app.devices.has_failed:
            attached += self._missing()
        simulated = Place(SIMULATED, "simulated", label=_("a shoe without hardware, for trying things out"))
        return (*open_, *heard, *attached, *(() if app.has_waiting_source else (simulated,)))

    def _missing(self) -> list[Place]:
        """What there is none of, and what to do; what is open need not be listed (a network camera)."""
        app = self.console_app
        opened = {name.partition(":")[0] for name in app.opened}
        there = {*app.devices.kinds, *({CAMERA} & opened), *({READER} if "serial" in opened else ())}
        lacks = missing({*there, PRINTER})
        return [Place(NOTHING, lack.says, remarks=(as_started(lack.remedy),)) for lack in lacks]

    def _chosen_place(self) -> Place | None:
        places = self._places()
        return places[self.chosen] if 0 <= self.chosen < len(places) else None

    # -- what is typed ------------------------------------------------------------------------------------

    def read_own(self, text: str, snapshot: TableSnapshot) -> Reading:
        """A source to open; whether it is one is said at Enter."""
        return Reading(says=_("open it"), fill=text)

    async def enter(self) -> None:
        """Open what was typed, or do what every list does."""
        reading = self.read()
        self.console_app.devices.search_trouble = ""  # it was read by now
        if self.typed.text.strip() and reading.fill:
            if await self.console_app.use_source(reading.fill):
                self.typed = Typed()
                self.chosen = 0
            return
        await super().enter()

    async def usual(self, snapshot: TableSnapshot) -> None:
        """Say what can be done with the chosen row."""
        place = self._chosen_place()
        if place is None or place.kind == NOTHING:
            usual = _("Plug a shoe in, or type a source: serial:/dev/ttyUSB0,format=oslp")
            self.console_app.state.say(place.remarks[0] if place is not None and place.remarks else usual)
        elif place.kind == HEARD:
            await self.console_app.use_source(place.source)
        elif place.kind == SIMULATED:
            self.console_app.try_shoe()
        else:
            title = _("{source}: WHAT?").format(source=cut(place.source, 40))
            self.menu = ListPanel(title, _("number"), items=_items(place))

    async def command(self, key: str, character: str | None) -> bool:
        """A digit does what the menu says; F3 looks again."""
        place, menu = self._chosen_place(), self.menu
        if menu is not None and character is not None and character.isdigit() and place is not None:
            number = int(character)
            if 1 <= number <= len(menu.items):
                self.menu = None
                await self._do(menu.items[number - 1].fill, place)
            return True
        return await super().command(key, character)

    async def act(self, act: Act) -> bool:
        """F3 looks again; other keys do what they do everywhere."""
        if act is Act.SOURCES:
            self.console_app.devices.look()
            return True
        return await super().act(act)

    async def _do(self, what: str, place: Place) -> None:
        app = self.console_app
        if what == _CLOSE:
            app.drop_source(place.source)
        elif what == _TAGS:
            app.show_decks(app.opened.get(place.source, place.source))
        elif what == _FIND:
            if not app.devices.listen(place.source):
                app.state.say(_("Another port is being listened at; wait a moment."))
        elif what == _TYPE:
            self.typed = Typed.of(f"{place.source},")
        else:
            await app.use_source(place.source + (",format=oslp" if what == _OSLP else ""))


def _title(kind: str) -> str:
    return {OPEN: _("OPEN"), HEARD: _("HEARD"), SIMULATED: _("WITHOUT A DEVICE")}.get(kind, _("ATTACHED"))


def _plain(text: str) -> str:
    """A source as it is listed: without options."""
    return text.partition(",")[0]


def _open_place(state: SourceState, text: str) -> Place:
    lamp = lamp_of(state)
    able = state.capabilities
    remarks = []
    if state.note and lamp.state != "ok":
        remarks.append(state.note)
    if able is not None and able.is_shoe and not able.exactly_once:
        remarks.append(_("weak: nothing but the deck's own count shows a card read wrong or not at all"))
    if able is not None and not able.names_cards:
        remarks.append(_("it reads tags, and no deck is chosen for them: Enter, decks of tags"))
    cards = _("{count} cards").format(count=state.cards)
    options = text.partition(",")[2]
    label = f"{cards}   {options}" if options else cards
    return Place(OPEN, state.name, lamp.state, label, tuple(remarks), is_good=not lamp.is_lost)


def _found_place(found: Found, kind: str) -> Place:
    if found.usable:
        return Place(kind, found.source, label=found.label)
    remarks = tuple(text for text in (f"{found.why}." if found.why else "", found.remedy) if text)
    return Place(kind, found.source, label=found.label, remarks=remarks, is_good=False)


def _items(place: Place) -> tuple[Item, ...]:
    """What can be done with a row; a serial port is opened with a format, found by listening or typed."""
    is_serial = place.source.startswith("serial:")
    if place.kind == OPEN:
        tags = (Item(_("decks of tags or codes: choose, enrol, import"), _TAGS),) if is_serial else ()
        return (Item(_("close it"), _CLOSE), *tags)
    if not is_serial:
        return (Item(_("open it"), _USE), Item(_("open it with options"), _TYPE))
    return (
        Item(_("find speed and format by listening; nothing is sent"), _FIND),
        Item(_("open it: a shoe that speaks OSLP"), _OSLP),
        Item(_("open it with another format: type format=…"), _TYPE),
        Item(_("enrol a deck of tags or codes through it"), _TAGS),
    )


def _in_sight(blocks: list[Rows], chosen: int, height: int) -> Rows:
    """The rows of the blocks from where the chosen one fits."""
    rows = [line for block in blocks for line in block]
    before = sum(len(block) for block in blocks[:chosen])
    last = before + (len(blocks[chosen]) if 0 <= chosen < len(blocks) else 0)
    # the row of the mark is not there for the block: its end stays in sight above it
    shown, _top = page(rows, max(0, min(last - height + 1, before)) if len(rows) > height else 0, height)
    return shown
