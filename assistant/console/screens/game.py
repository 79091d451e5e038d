"""The game and its house rules: every option with its legal values; Enter makes them the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from assistant.console.reading import Reading
from assistant.console.rows import EMPTY, Rows, cut, fit, row, window
from assistant.console.screens.listing import ListScreen
from assistant.console.widgets.entry import Typed
from assistant.errors import Refusal
from assistant.i18n import N_, _
from assistant.rules_wording import rule_label, value_label, value_typed

if TYPE_CHECKING:
    from assistant.games.base import Game, Option
    from assistant.table.snapshot import TableSnapshot

NAME_WIDTH, VALUE_WIDTH = 18, 26


class GameScreen(ListScreen):
    """First row: the game; the others: its options. Left and right change, typing sets a number."""

    page = "game"
    hint = N_("← → change   or type a value   ⏎ takes these rules")

    def __init__(self) -> None:
        super().__init__()
        from assistant.games.variants import all_games

        self.prompt = _("value")
        self.games: tuple[type[Game], ...] = all_games()
        self.place = 0
        self.draft: dict[str, str] = {}
        self._is_drafted = False

    def headline(self, snapshot: TableSnapshot) -> str:
        """What can be done here; in a round nothing changes before its end."""
        if snapshot.in_round:
            return _("CHOOSE the game and its rules for after this round")
        return _("CHOOSE the game and its house rules")

    def usual_label(self, snapshot: TableSnapshot) -> str:
        """Enter takes the rules, in a round for its end."""
        return _("play this after it") if snapshot.in_round else _("play this")

    @property
    def game(self) -> type[Game]:
        """The game on the first row."""
        return self.games[self.place]

    @property
    def game_shown(self) -> str | None:
        """The game on the first row, once one was looked at or is played; else how to choose is shown."""
        is_looked_at = self.place != 0 or super().game_shown is not None
        return self.game.name if is_looked_at else None

    def count(self, snapshot: TableSnapshot) -> int:
        """The game and its options."""
        return 1 + len(self.game.options)

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The game, then its options with what is legal; what differs from the default is marked."""
        self._take_rules(snapshot)
        label = f"◂ {game_label(self.game.name)} ▸"
        number = _("{place} of {count}").format(place=self.place + 1, count=len(self.games))
        rows: Rows = [EMPTY, self._row(0, _("game"), label, number), EMPTY]
        room = max(1, height - len(rows))
        options = window(
            self.game.options,
            self.chosen - 1,
            room,
            lambda place, option: self._option_row(place + 1, option, width),
        )
        return [*rows, *options]

    def _option_row(self, place: int, option: Option, width: int) -> Content:
        value = self.draft.get(option.name, option.default)
        mark = "" if value == option.default else " *"
        legal = cut(_legal(option), max(4, width - 6 - NAME_WIDTH - VALUE_WIDTH))
        return self._row(place, rule_label(option.name), f"{value_label(value)}{mark}", legal)

    def _row(self, place: int, name: str, value: str, note: str) -> Content:
        is_chosen = place == self.chosen
        style = "bold $turn" if is_chosen else ""
        mark = "▶" if is_chosen else " "
        return row(
            (f" {mark} {fit(name, NAME_WIDTH)}", style),
            (fit(value, VALUE_WIDTH), style or "bold"),
            ("  " + note, "$quiet"),
        )

    def _take_rules(self, snapshot: TableSnapshot) -> None:
        """Begin with the rules that wait for the round's end, else with those in force."""
        if self._is_drafted:
            return
        self._is_drafted = True
        names = [game.name for game in self.games]
        waiting = [line.split()[1:] for line in snapshot.later if line.lower().startswith("game ")]
        if waiting and waiting[-1][0].lower() in names:
            self.place = names.index(waiting[-1][0].lower())
            said = (word.partition("=") for word in waiting[-1][1:])
            self.draft = {name.lower(): value for name, _equals, value in said if self._option(name.lower())}
            return
        if snapshot.game in names:
            self.place = names.index(snapshot.game)
            self.draft = {name: value for name, value in snapshot.rules if self._option(name) is not None}

    def _option(self, name: str) -> Option | None:
        return next((option for option in self.game.options if option.name == name), None)

    def read_own(self, text: str, snapshot: TableSnapshot) -> Reading:
        """A value for the chosen option; a number chooses a game on the first row."""
        if self.chosen == 0:
            return Reading(says=_("← → choose the game"))
        option = self.game.options[self.chosen - 1]
        value, label = value_typed(text, option.values), rule_label(option.name)
        try:
            option.read(value, snapshot.currency)
        except Refusal as refusal:
            legal = refusal.facts.get("legal") or _legal(option)
            legal = legal if not option.values else _legal(option)
            return Reading(says=_("{name} can be: {legal}").format(name=label, legal=legal))
        return Reading(says=f"{label} = {value_label(value)}", fill=value)

    async def enter(self) -> None:
        """Set the typed value, or take the rules."""
        reading = self.read()
        if reading.fill:
            self.draft[self.game.options[self.chosen - 1].name] = reading.fill
            self.typed = Typed()
            self.chosen = min(self.chosen + 1, len(self.game.options))
        else:
            await super().enter()

    async def command(self, key: str, character: str | None) -> bool:
        """Left and right change the game or the value."""
        if key in ("left", "right"):
            self._change(1 if key == "right" else -1)
            return True
        return await super().command(key, character)

    def _change(self, step: int) -> None:
        if self.chosen == 0:
            self.place = (self.place + step) % len(self.games)
            self.draft = {}
            return
        option = self.game.options[self.chosen - 1]
        value = self.draft.get(option.name, option.default)
        if option.values and value in option.values:
            value = option.values[(option.values.index(value) + step) % len(option.values)]
        elif option.values and not value.isdigit():
            value = option.values[0]
        elif value.isdigit():
            value = str(max(0, int(value) + step))
        if self._is_legal(option, value):
            self.draft[option.name] = value

    def _is_legal(self, option: Option, value: str) -> bool:
        snapshot = self.console_app.state.snapshot
        try:
            return snapshot is not None and option.read(value, snapshot.currency) is not None
        except Refusal:
            return False

    async def usual(self, snapshot: TableSnapshot) -> None:
        """Take the rules and go back to the table; where Enter led here, on to the players it has none of.

        Nothing is booked where they are in force already: a stray key must not move a chip.
        """
        changed = [
            f"{option.name}={self.draft[option.name]}"
            for option in self.game.options
            if self.draft.get(option.name, option.default) != option.default
        ]
        line = " ".join(["game", self.game.name, *changed])
        is_as_it_is = snapshot.game == self.game.name and self._rules_now(snapshot) == self._chosen_rules()
        # chosen anew, the same rules would only send the bets on the layout back
        if snapshot.in_round:
            is_done = await self._book_later("" if is_as_it_is else line, snapshot)
        else:
            is_done = is_as_it_is or await self.console_app.book(line)
        if is_done:
            is_led = self.console_app.state.is_led and not snapshot.seats
            self.console_app.go("seats" if is_led else "table")

    async def _book_later(self, line: str, snapshot: TableSnapshot) -> bool:
        """Let a game wait for the round's end, in place of the one that waits; with no line none does."""
        waiting = [one for one in snapshot.later if one.split()[0].lower() == "game"]
        if line:
            return line in waiting or await self.console_app.book(f"later {line}")
        return all([await self.console_app.book(f"later none {one}") for one in waiting])

    def _chosen_rules(self) -> dict[str, str]:
        return {option.name: self.draft.get(option.name, option.default) for option in self.game.options}

    def _rules_now(self, snapshot: TableSnapshot) -> dict[str, str]:
        said = dict(snapshot.rules)
        return {option.name: said.get(option.name, option.default) for option in self.game.options}


def _legal(option: Option) -> str:
    """What an option may be, in few words."""
    if option.values:
        return " | ".join(map(value_label, option.values))
    if option.span:
        return _("a number, {span}").format(span=option.span)
    return _("a number, or several parted by commas") if "," in option.default else _("a number")


def game_label(name: str) -> str:
    """A game as it is called in the dealer's language."""
    from assistant.wording import Wording

    return Wording().game(name)
