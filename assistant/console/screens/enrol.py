"""Enrolling a deck: it is drawn over the reader, forwards and backwards; the screen shows which card now."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from textual.message import Message

from assistant.console.actions import Act
from assistant.console.card_intake import source_name
from assistant.console.reading import NOTHING, TALK, Reading
from assistant.console.rows import EMPTY, Part, Rows, fit, row, wrap
from assistant.console.screens.listing import ListScreen
from assistant.console.view import Strip
from assistant.console.widgets.card import face_part
from assistant.console.widgets.entry import Typed
from assistant.errors import AssistantError
from assistant.i18n import N_, _

if TYPE_CHECKING:
    from textual.content import Content

    from assistant.console.card_intake import CardIntake
    from assistant.table.enrolling import EnrolmentDesk
    from assistant.table.snapshot import TableSnapshot
    from drivers.base import SourceEvent

GAUGE = 26
MOST_JOKERS, MOST_STICKERS = 2, 2
_BACK, _JOKERS, _STICKERS = range(3)
SHORT = {"u": "u", "г": "u", "s": "s", "ы": "s", "n": "n", "т": "n"}
"""Keys that answer at once, on both layouts."""


class TagsRead(Message):
    """The reader said something; it waits in the screen's queue."""


class EnrolScreen(ListScreen):
    """First the deck's back, jokers and stickers; then card after card.

    Args:
        reader: The reader as it was typed, with its format.
        name: What the deck is called.
        back: Colour of its back.
    """

    page = "enrol"
    _manual = "shoes"

    def __init__(self, reader: str, name: str, back: str = "") -> None:
        super().__init__()
        self.prompt = _("enrol")
        self.reader = reader
        self.deck_name = name
        self.back = back
        self.jokers, self.stickers = 0, 1
        self.desk: EnrolmentDesk | None = None
        self.lines: list[str] = []
        self.is_saved = False
        self._queue: deque[SourceEvent] = deque()
        self._intake: CardIntake | None = None
        self._was_open = ""
        self._asked_to_stop = False

    # -- what it shows ------------------------------------------------------------------------------------

    def headline(self, snapshot: TableSnapshot) -> str:
        """The card to draw now."""
        from assistant.table.enrolling import face
        from drivers.enrolment import Pass

        desk = self.desk
        if desk is None:
            return _("ENROL deck {name}").format(name=self.deck_name)
        enrolment = desk.enrolment
        if self.is_saved:
            return _("DECK {name} IS ENROLLED").format(name=self.deck_name)
        if desk.has_stopped:
            return _("STOP and look at the cards")
        card = face(enrolment.expected) if enrolment.expected else ""
        words = {
            Pass.FILL: _("DRAW {card}"),
            Pass.CHECK: _("BACKWARDS: DRAW {card}"),
            Pass.LEFT: _("IS A CARD LEFT OVER? Draw it; N if none is"),
            Pass.DONE: _("SAVING"),
        }
        return words[enrolment.now].format(card=card)

    def usual_label(self, snapshot: TableSnapshot) -> str:
        """Enter begins, and in the end plays with the deck."""
        if self.desk is None:
            return _("begin")
        return _("play with it") if self.is_saved else ""

    def keys(self) -> tuple[Strip, ...]:
        """The key strip."""
        if self.desk is None:
            return (Strip("⏎", _("begin")), Strip("← →", _("change")), Strip("Esc", _("back")))
        if self.is_saved:
            return (Strip("⏎", _("play with it")), Strip("Esc", _("back")))
        return (
            Strip("U", _("take back")),
            Strip("S", _("skip torn sticker")),
            Strip("G", _("go to card")),
            Strip("N", _("none left")),
            Strip("Esc", _("stop")),
            *self.strip(Act.HELP),
        )

    @property
    def hint(self) -> str:  # type: ignore[override]  # a line that changes with what is done
        """What can be typed now."""
        if self.desk is None:
            return N_("colour of its back") if self.chosen == _BACK else ""
        return "" if self.is_saved else N_("g 7h goes back to a card")

    def count(self, snapshot: TableSnapshot) -> int:
        """The three questions before it begins."""
        return 3 if self.desk is None else 0

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The questions, or the deck with what has been read."""
        if self.desk is None:
            return self._form(width)
        said = [line for text in self.lines[-6:] for line in wrap(text, max(10, width - 6))]
        style = "bold $warning" if self.desk.has_stopped else ""
        return [
            EMPTY,
            self._progress(self.desk),
            EMPTY,
            *self._grid(self.desk),
            EMPTY,
            *(row("   ", (line, style)) for line in said),
        ][:height]

    def _form(self, width: int) -> Rows:
        fields = (
            (_("colour of its back"), self.back or "-", _("type it")),
            (_("jokers"), f"◂ {self.jokers} ▸", _("red, then black, behind the king of clubs")),
            (_("stickers a card"), f"◂ {self.stickers} ▸", _("each is gone through forwards and backwards")),
        )
        found: Rows = [EMPTY]
        for at, (label, value, note) in enumerate(fields):
            style = "bold $turn" if at == self.chosen else ""
            mark = "▶" if at == self.chosen else " "
            found.append(
                row((f" {mark} {fit(label, 22)}", style), (fit(value, 14), style or "bold"), (note, "$quiet"))
            )
        text = _(
            "Sort the deck: spades from the ace to the king, hearts, diamonds, clubs, jokers. Then draw it "
            "card by card over the reader, and the whole deck once more backwards. Nothing is saved before "
            "that has ended well."
        )
        return [*found, EMPTY, *(row("   ", (line, "$quiet")) for line in wrap(text, max(10, width - 6)))]

    def _progress(self, desk: EnrolmentDesk) -> Content:
        from drivers.enrolment import Pass

        at, count = desk.enrolment.progress
        if desk.enrolment.now is Pass.DONE:
            at, count = 1, 1
        full = round(GAUGE * at / count) if count else GAUGE
        names = {
            Pass.FILL: _("in order"),
            Pass.CHECK: _("backwards"),
            Pass.LEFT: _("left over?"),
            Pass.DONE: _("done"),
        }
        numbers = f"{at}/{count}" if desk.enrolment.now in (Pass.FILL, Pass.CHECK) else ""
        return row(
            (f"   {fit(names[desk.enrolment.now], 12)}", "bold"),
            ("█" * full, "$success"),
            ("░" * (GAUGE - full), "$quiet"),
            f"  {numbers}",
        )

    def _grid(self, desk: EnrolmentDesk) -> Rows:
        """A row a suit: a tick where a tag is known, a pointer at the card to draw, ``~`` at a near-twin."""
        from drivers.decks import JOKERS, card_of

        enrolment = desk.enrolment
        known = set(enrolment.tags.values())
        alike = {card for twin in desk.twins() for card in (twin.card, twin.other_card)}
        found: Rows = []
        for start in range(0, len(enrolment.cards), 13):
            parts: list[Part] = ["   "]
            for word in enrolment.cards[start : start + 13]:
                card = card_of(word)
                text = card.face if card is not None else ("RJ" if word == JOKERS[0] else "BJ")
                mark = "~" if word in alike else "✓" if word in known else "·"
                mark = "▶" if word == enrolment.expected else mark
                face: Part = (f"{text:^4}", "$quiet" if word not in known else "bold reverse")
                if word in known and card is not None:
                    face = face_part(card)
                parts += [(mark, "bold $turn"), face, " "]
            found.append(row(*parts[:-1]))
        return found

    # -- the reader ---------------------------------------------------------------------------------------

    def _deliver(self, event: SourceEvent) -> None:
        """Take an event in the reader's thread."""
        self._queue.append(event)
        self.post_message(TagsRead())

    async def on_tags_read(self) -> None:
        """Take what the reader said."""
        desk = self.desk
        while self._queue and desk is not None and not desk.is_done:
            self._say(desk.heard(self._queue.popleft()))
        await self._end()
        self.show()

    async def _begin(self) -> None:
        """Take the reader from the table and go through the deck."""
        from assistant.table.enrolling import EnrolmentDesk
        from drivers.deckmap import tag_format
        from drivers.enrolment import Enrolment
        from drivers.spec import split_source, with_options

        app = self.console_app
        text = with_options(self.reader, {"deck": "", "map": "", "facedown": ""})
        try:
            format = tag_format(split_source(text).options.get("format", ""))
            source = await asyncio.to_thread(app.build_source, text)
        except AssistantError as error:
            app.state.say(str(error), stops=True)
            return
        name = source_name(text)
        self._was_open = app.opened.get(name, "")
        if self._was_open:
            await app.let_go(name)
            app.state.said = None
        self.desk = EnrolmentDesk(Enrolment(jokers=self.jokers, stickers=self.stickers), format)
        self.lines = []
        self._intake = app.read_alone(source, self._deliver)

    def _say(self, lines: list[str]) -> None:
        if lines:
            self.lines = [*self.lines, *lines][-12:] if self.desk and self.desk.has_stopped else lines

    async def _end(self) -> None:
        """Save the deck once every pass is over."""
        desk, app = self.desk, self.console_app
        if desk is None or not desk.is_done or self.is_saved:
            return
        await self._free_reader()
        try:
            await asyncio.to_thread(self._save, desk)
        except AssistantError as error:
            app.state.say(str(error), stops=True)
            return
        self.is_saved = True
        self.lines = desk.report()

    def _save(self, desk: EnrolmentDesk) -> None:
        from drivers.decks import save_deck

        folder = self.console_app.decks
        if folder is None:
            raise AssistantError(_("There is no house folder to keep decks in."))
        created = self.console_app.now().isoformat(timespec="seconds")
        deck = desk.enrolment.deck(self.deck_name, format=desk.format, back=self.back, created=created)
        save_deck(folder, deck)

    async def _free_reader(self) -> None:
        intake, self._intake = self._intake, None
        if intake is not None:
            await asyncio.to_thread(intake.stop)

    async def on_unmount(self) -> None:
        """Let go of the reader."""
        await self._free_reader()

    async def _leave(self, text: str) -> None:
        """Give the reader back to the table, as `text` says."""
        await self._free_reader()
        self.app.pop_screen()
        if text:
            await self.console_app.use_source(text)

    # -- what is typed ------------------------------------------------------------------------------------

    def read_own(self, text: str, snapshot: TableSnapshot) -> Reading:
        """The back's colour before it begins; then what a dealer says to the enrolment."""
        if self.desk is None:
            return Reading(says=_("colour of its back"), fill=text) if self.chosen == _BACK else NOTHING
        return Reading(says=_("u takes back, s skips, g 7h goes back to a card"), fill=text)

    async def enter(self) -> None:
        """Begin, take the typed line, or in the end play with the deck."""
        text = self.typed.text.strip()
        if text.startswith(TALK):
            await super().enter()
        elif self.desk is None:
            if text:
                self.back, self.typed = text[:20], Typed()
                self.chosen = _JOKERS
            else:
                await self._begin()
        elif self.is_saved:
            await self._play()
        elif text:
            self.typed = Typed()
            if text.lower() not in ("q", "quit"):
                self._say(self.desk.typed(text))
                await self._end()

    async def _play(self) -> None:
        from drivers.deckmap import BETWEEN_DECKS
        from drivers.spec import split_source, with_options

        text = self._was_open or self.reader
        before = [name for name in split_source(text).options.get("deck", "").split(BETWEEN_DECKS) if name]
        decks = BETWEEN_DECKS.join(dict.fromkeys([*before, self.deck_name]))
        await self._leave(with_options(text, {"deck": decks}))

    async def command(self, key: str, character: str | None) -> bool:
        """Change the deck's figures, or say something to the enrolment with one key."""
        if self.desk is None:
            if key in ("left", "right"):
                self._change(1 if key == "right" else -1)
                return True
            return await super().command(key, character)
        if self.is_saved:
            return await super().command(key, character)
        if character is not None and character.lower() in SHORT:
            self._say(self.desk.typed(SHORT[character.lower()]))
            await self._end()
            return True
        if character is not None and character.lower() in ("g", "п"):
            self.typed = Typed.of("g ")
            return True
        if key == "backspace":
            return True  # it takes nothing back at the table from here
        return await super().command(key, character)

    def _change(self, step: int) -> None:
        if self.chosen == _JOKERS:
            self.jokers = (self.jokers + step) % (MOST_JOKERS + 1)
        elif self.chosen == _STICKERS:
            self.stickers = (self.stickers - 1 + step) % MOST_STICKERS + 1

    async def usual(self, snapshot: TableSnapshot) -> None:
        """Everything Enter does is done before."""

    async def press(self, key: str, character: str | None) -> None:
        """Any key but Esc goes on with the enrolment."""
        if key != "escape":
            self._asked_to_stop = False
        await super().press(key, character)

    def escape(self) -> None:
        """Empty the line; else stop, asking once when cards were read."""
        if self.typed.text:
            self.typed = Typed()
            return
        is_under_way = self.desk is not None and not self.is_saved and bool(self.desk.enrolment.tags)
        if is_under_way and not self._asked_to_stop:
            self._asked_to_stop = True
            self.console_app.state.say(
                _("Nothing is saved yet. Esc once more stops the enrolment."), stops=True
            )
            return
        # the app's own work: this screen's ends with it, and the reader must be given back
        self.app.run_worker(self._leave(self._was_open), exit_on_error=False, group="leave")
