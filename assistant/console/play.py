"""Playing: how keys at the table become lines of table talk, and how answers come back. No drawing here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assistant.console import confirm
from assistant.console.actions import Act, act_of, choice_for, is_legal, most_choice, names_amount
from assistant.console.confirm import named
from assistant.console.panels import (
    FixPanel,
    ListPanel,
    MarketPanel,
    Panel,
    QuestionPanel,
    ResumePanel,
    misdeal_panel,
)
from assistant.console.reading import NOTHING, Reading, card_word, market_choice, read_line
from assistant.console.sizes import far_more, far_more_text, sized
from assistant.console.typed_words import as_typed
from assistant.console.view import Said
from assistant.console.widgets.entry import Typed
from assistant.errors import Refusal
from assistant.i18n import _
from assistant.money import format_amount
from assistant.wording import Wording

if TYPE_CHECKING:
    from assistant.console.app import ConsoleApp
    from assistant.console.state import TableState
    from assistant.games.base import Choice
    from assistant.table.snapshot import QuestionView, TableSnapshot

BURN_PREFIX = ":burn "


@dataclass
class Play:
    """The table's keys and their consequences.

    Attributes:
        app: Where lines are booked and other screens opened.
        typed: The entry.
        meant: The line that the entry stood for when its last key was pressed; None for one that was not
            typed.
        ahead: Lines that were typed before the night was open.
        refused: The last line the rules refused; it may be mended until something else is booked or shown.
        history: Lines that were booked or dropped, for Up and Down; the oldest first.
        panel: A panel the dealer opened; questions of card sources come from the snapshot.
        dropped: A refused line that got out of Enter's way; Up brings it back, until a line is booked.
        fix_closed: Whether the field of the wrong card has just closed, with the line that was in it.
    """

    app: ConsoleApp
    typed: Typed = field(default_factory=Typed)
    panel: Panel | None = None
    meant: str | None = None
    ahead: list[str] = field(default_factory=list)
    refused: str = ""
    history: list[str] = field(default_factory=list)
    dropped: str = ""
    fix_closed: bool = False

    @property
    def state(self) -> TableState:
        """The console's memory."""
        return self.app.state

    @property
    def open_panel(self) -> Panel | None:
        """The panel on screen: the dealer's own, else the oldest question of a card source, else a draw."""
        question, snapshot = self.question, self.state.snapshot
        if self.panel is None and question is None and snapshot is not None and market_choice(snapshot):
            return MarketPanel()
        if self.panel is not None or question is None:
            return self.panel
        title = _("WHICH CARD IS IT?") if question.kind == "unsure" else ""
        decks = self.app.decks_in_play(question.source) if question.tag else ()
        return QuestionPanel(title, _("which"), stops=True, question=question, decks=decks)

    @property
    def question(self) -> QuestionView | None:
        """The oldest open question of a card source."""
        snapshot = self.state.snapshot
        return snapshot.questions[0] if snapshot is not None and snapshot.questions else None

    def read(self) -> Reading:
        """What the typed line means now."""
        snapshot = self.state.snapshot
        if snapshot is None or not self.typed.text.strip():
            return NOTHING
        panel = self.open_panel
        if panel is not None and not self.typed.text.startswith(":"):
            return panel.read(self.typed.text, snapshot, self.state.selected)
        return read_line(self.typed.text, snapshot, self.state.selected)

    def usual(self, snapshot: TableSnapshot) -> confirm.Usual | None:
        """What Enter does on an empty line."""
        panel = self.open_panel
        if isinstance(panel, ResumePanel):
            return confirm.Usual(step="resume", label=_("it matches: go on"))
        if panel is not None and not self._is_early(panel):
            return None
        waits = self.app.has_waiting_source and not self.state.deals and not snapshot.in_round
        return confirm.usual_act(snapshot, self.state.selected, shoe_waits=waits)

    def _is_early(self, panel: Panel) -> bool:
        """Whether the question is about a card nobody waited for: then the table's duty stays as it is."""
        return isinstance(panel, QuestionPanel) and panel.question.kind != "unsure"

    # -- Enter --------------------------------------------------------------------------------------------

    async def enter(self) -> None:
        """Book the typed line, or do the usual act."""
        snapshot = self.state.snapshot
        if snapshot is None:
            self.state.say(_("The night is still being opened; your line is kept."))
            self.ahead += [self.typed.text] if self.typed.text.strip() else []
            self.typed = Typed()
        elif not self.typed.text.strip():
            await self._usual_act(snapshot)
        else:
            await self._book_typed(snapshot, self.read())

    async def _usual_act(self, snapshot: TableSnapshot) -> None:
        usual = self.usual(snapshot)
        if usual is None:
            if self.open_panel is None:
                self.state.say(_("Nothing to confirm now. {duty}").format(duty=snapshot.duty))
        elif usual.line:
            await self.app.book(usual.line)
        elif usual.step == confirm.GO_GAME:
            self.app.go("game")
            self.state.is_led = True
        elif usual.step == confirm.GO_SEATS:
            self.app.go("seats")
        elif usual.step == confirm.GO_CLOSE:
            self.app.go("close")
        elif usual.step == confirm.NEXT_SEAT:
            self.state.select(1)
        elif usual.step == confirm.DEAL:
            self.state.deals = True
        else:
            self.panel = None

    async def _book_typed(self, snapshot: TableSnapshot, reading: Reading) -> None:
        panel = self.open_panel
        if reading.pick is not None and isinstance(panel, FixPanel):
            self.panel = replace(panel, chosen=reading.pick, prompt=_("the right card"))
            self.typed = Typed()
        elif reading.fill:
            self.fill(reading.fill)
        elif not reading.line:
            self.state.say(_("Not booked: {why}").format(why=reading.says), stops=True)
            self.state.replaced_line = self.refused = self.typed.text
        elif self.meant is not None and reading.line != self.meant:
            # a card source changed what the same words mean since they were typed
            self.meant = reading.line
            self.state.say(
                _("The table has changed: this now says {line}. Enter once more books it.").format(
                    line=reading.says
                ),
                stops=True,
            )
        elif self._must_ask(snapshot, reading) and not await self.app.refuses(reading.line):
            self._ask_again(snapshot, reading)
        else:
            await self._book(reading)

    async def _book(self, reading: Reading) -> None:
        selected, key = self.state.selected, self.state.key
        if reading.answer is not None:
            booked = await self.app.answer(reading.answer, reading.cards[0], reading.deck)
        else:
            booked = await self.app.book(reading.line)
        if not booked:
            self.state.replaced_line = self.typed.text
            # what the disk refused keeps its key and stays in the line until it is saved
            if self.state.key != key:
                self.refused = self.typed.text
                self._leave_fix()
            return
        self.typed = Typed()
        self.meant = None
        self.dropped = ""
        self.panel = None
        self.state.remember(reading)
        if self.state.snapshot is not None:
            self.state.remember(sized(reading, self.state.snapshot))
        if reading.verb == "bet":
            self.state.bet_taken(selected)

    def _leave_fix(self) -> None:
        """Close the field of the wrong card where no other card helps: the refusal may say to undo, or to
        call the round off. A card that was seen already is mended where it stands."""
        if isinstance(self.panel, FixPanel) and self.state.refusal == "E_FIX":
            self.fix_closed = True
            self.panel, self.typed, self.meant, self.refused = None, Typed(), None, ""

    def drop_refused(self) -> None:
        """Take a refused line that nobody has mended out of Enter's way; Up brings it back."""
        if self.refused and self.typed.text == self.refused:
            self.keep(self.refused)
            self.dropped = self.refused
            self.typed, self.meant = Typed(), None
        self.refused = ""

    def keep(self, text: str) -> None:
        """Keep a line for Up and Down."""
        self.history = [*[line for line in self.history if line != text], text][-50:]

    def _must_ask(self, snapshot: TableSnapshot, reading: Reading) -> bool:
        if self.state.asked == self.typed.text:
            return False
        last_amounts = self.state.last_amounts
        return any(far_more(one, last_amounts, snapshot) for one in (sized(reading, snapshot), reading))

    def _ask_again(self, snapshot: TableSnapshot, reading: Reading) -> None:
        # another amount typed now stands instead: 40, asked about, then 8 is no 408
        self.state.asked = self.state.replaced_line = self.typed.text
        talk = sized(reading, snapshot)
        asked = reading if talk.amount is None else talk
        self.state.say(far_more_text(asked, self.state.last_amounts, snapshot), stops=True)

    # -- commands -----------------------------------------------------------------------------------------

    async def command(self, key: str, character: str | None) -> bool:
        """Do what a key means on an empty line; False for a key that starts the line."""
        snapshot = self.state.snapshot
        panel = self.open_panel
        if snapshot is None:
            return False
        closed, self.fix_closed = self.fix_closed, False
        if closed and key == "backspace":  # it was to mend the line that went with its field
            self.state.say(
                _("That line is gone; it was not booked. U again takes back the last one that was.")
            )
            return True
        if panel is not None and panel.instant and character is not None and character.isdigit():
            reading = panel.read(character, snapshot, self.state.selected)
            if reading.fill:
                self.fill(reading.fill)
                return True
        ace_due = any(choice.verb == "ace" for choice in snapshot.choices)
        act = act_of(key, character, card_due=snapshot.due is not None, ace_due=ace_due)
        if act is None:
            return self._choose_seat(key)
        if panel is not None and not panel.passes(act):
            return character is None and key != "backspace"
        return await self._act(act, snapshot)

    def _choose_seat(self, key: str) -> bool:
        steps = {"tab": 1, "right": 1, "shift+tab": -1, "left": -1}
        if key in steps:
            self.state.select(steps[key])
            return True
        if key.startswith("alt+") and key[4:].isdigit():
            self.state.select_number(int(key[4:]))
            return True
        return False

    async def _act(self, act: Act, snapshot: TableSnapshot) -> bool:
        if act in (Act.WRONG, Act.MISDEAL, Act.TALK, Act.BURN):
            self.state.said = None  # what was said before is no news to what is begun now
        match act:
            case Act.UNDO:
                if self.state.undo_counts():
                    await self.app.book("undo")
                    self._drop_resume()
            case Act.REDO:
                await self.app.book("redo")
            case Act.WRONG:
                self._open_fix(snapshot)
            case Act.MISDEAL:
                self.panel = misdeal_panel(snapshot, self.state.selected)
            case Act.TALK:
                self.typed = Typed.of(":")
            case Act.BURN:
                self.fill(BURN_PREFIX + self._early_card())
            case Act.ODDS:
                await self.app.show_odds(snapshot.odds is None)
            case Act.REJECT:
                await self._reject()
            case Act.LIVE:
                self.app.table.toggle_live()
            case Act.AGAIN_ALL:
                await self._same_for_all(snapshot)
            case _:
                return await self._verb(act, snapshot)
        return True

    async def _verb(self, act: Act, snapshot: TableSnapshot) -> bool:
        """Acts that stand for a legal choice; False for those every screen knows."""
        if act in (
            Act.YES,
            Act.NO,
            Act.FOLD,
            Act.MOST,
            Act.HIGH,
            Act.LOW,
            Act.AGAIN,
            Act.TAKE_CHIP,
            Act.CLEAR,
            Act.SHUFFLE,
        ):
            choice = choice_for(snapshot, act, self.state.selected)
            if choice is None or not is_legal(snapshot, act, self.state.selected):
                self.state.say(_("That key has nothing to do now. {duty}").format(duty=snapshot.duty))
            elif act is Act.MOST:
                most = most_choice(snapshot)
                self._offer((most or choice).high or 0, snapshot)
            elif act is Act.YES and names_amount(choice) and confirm.is_contested(snapshot):
                self._offer(choice.low or 0, snapshot)
            else:
                line = _line_of(act, choice, snapshot)
                selected = self.state.selected
                if await self.app.book(line):
                    self._drop_resume()
                    if act is Act.AGAIN:
                        self.state.bet_taken(selected)
            return True
        return await self.app.act(act)

    def _offer(self, amount: int, snapshot: TableSnapshot) -> None:
        """Write an amount into the line for Enter; a digit begins another one."""
        self.typed = Typed.of(format_amount(amount, snapshot.currency))
        self.edited()
        self.state.replaced_line = self.typed.text

    async def _same_for_all(self, snapshot: TableSnapshot) -> None:
        """The same chips again for everybody who may; stops at the first refusal."""
        players = [choice.player for choice in snapshot.choices if choice.verb == "rebet"]
        if not players:
            self.state.say(_("Nobody has an earlier bet to repeat."))
        for player in players:
            if not await self.app.book(f"rebet {named(snapshot, player)}"):
                return
            self.state.bet_taken(player)
        if players and self.state.snapshot is not None:
            self.state.selected = confirm.next_without_bet(self.state.snapshot, None)

    def _open_fix(self, snapshot: TableSnapshot) -> None:
        if snapshot.is_strict:
            self.state.say(Wording().refusal(Refusal("E_FIX", "fix_strict", {})), stops=True)
            return
        if not snapshot.board:
            self.state.say(_("No card has been booked in this round."))
            return
        chosen = 1 if len(snapshot.board) == 1 else None
        prompt = _("the right card") if chosen else _("number of the wrong card")
        self.panel = FixPanel(_("WHICH CARD IS WRONG?"), prompt, chosen=chosen)

    def _early_card(self) -> str:
        """The card that was seen before any was due; the usual thing to burn."""
        question = self.question
        if question is None or question.kind != "unexpected" or not question.candidates:
            return ""
        return card_word(question.candidates[0][0])

    async def _reject(self) -> None:
        question = self.question
        if self.panel is None and question is not None:
            await self.app.dismiss(question.number)
            self.state.say(_("Ignored; nothing was booked."))
        elif self.panel is None:
            self.state.say(_("No card is in doubt now."))
        else:
            self.panel = None

    def _drop_resume(self) -> None:
        if isinstance(self.panel, ResumePanel):
            self.panel = None

    def edited(self) -> None:
        """A key changed the entry: note what it stands for now."""
        self.meant = self.read().line

    async def book_ahead(self) -> None:
        """Book what was typed before the night was open, up to the first line that is not taken."""
        while self.ahead and not self.typed.text:
            self.typed = Typed.of(self.ahead.pop(0))
            self.edited()
            await self.enter()
        if self.ahead:
            self.state.say(
                _("Not entered after that: {lines}").format(lines=" / ".join(self.ahead)), stops=True
            )
            self.ahead.clear()

    def fill(self, text: str) -> None:
        """Put a line into the entry for the dealer to finish."""
        self.typed = Typed.of(text)
        self.meant = None
        if isinstance(self.panel, ListPanel | ResumePanel):
            self.panel = None

    def escape(self) -> None:
        """Empty the line, else close the panel the dealer opened."""
        if self.typed.text:
            self.typed = Typed()
            self.state.asked = ""
        elif self.panel is not None and not isinstance(self.panel, ResumePanel):
            self.panel = None
        else:
            self.state.said = None

    def said(self) -> Said | None:
        """What the bar says under the duty: the last refusal or notice, else what a card source asks."""
        if self.state.said is not None:
            return self.state.said
        panel = self.open_panel
        if isinstance(panel, QuestionPanel):
            return Said(panel.question.text)
        if self.state.snapshot is not None and self.state.snapshot.reminder:
            return Said(as_typed(self.state.snapshot.reminder))
        if self.app.types_cards:
            return Said(_("No card source: type the cards."))
        return None


def _line_of(act: Act, choice: Choice, snapshot: TableSnapshot) -> str:
    """The line that books a choice."""
    words = [choice.verb] if choice.player is None else [choice.verb, named(snapshot, choice.player)]
    return " ".join([*words, act.value] if choice.verb == "ace" else words)
