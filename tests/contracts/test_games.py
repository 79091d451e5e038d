"""What every game must do; run over all games there are, with several house rules each.

States are reached by random play of whole nights, so a new game needs nothing here.
"""

import random
from collections.abc import Iterator
from contextlib import suppress

import pytest

from assistant.cards import Card
from assistant.errors import Refusal
from assistant.games.base import Action, Choice, Event, Game, IllegalAction, run
from assistant.games.variants import all_games, game_named, stored_types
from assistant.sentences import ANNOUNCEMENTS, DUTIES, ODDS
from assistant.store.codec import Codec
from assistant.store.memory import MemoryNight
from assistant.table.acts import decide
from assistant.table.night import Night
from assistant.table.night_log import NightLog
from assistant.table.record import night_record
from assistant.talk import quote, split_line
from assistant.wording import Wording
from fuzz_table import RULES, always, legal_line, prompt_of, say, unseen, whole_hand

STATES = 90
GAMES = [f"{game.name} {rules}".rstrip() for game in all_games() for rules in RULES.get(game.name, ("",))]


def nights_of(game: str, seed: int = 1) -> Iterator[Night]:
    """Moments of nights at which the game is played, reached by what it accepts itself."""
    dice = random.Random(f"{game} {seed}")
    log = NightLog(MemoryNight())
    for line in (f"game {game}", "seat A 60", "seat B 200", "seat C 9", "seat D 100"):
        log.submit(line)
    for _ in range(STATES):
        yield log.night
        try:
            log.submit(legal_line(log.night, dice))
        except Refusal:
            continue


@pytest.fixture(params=GAMES, scope="module")
def moments(request: pytest.FixtureRequest) -> list[Night]:
    found = list(nights_of(request.param))
    phases = {night.state.phase for night in found}
    assert len(phases) >= 3, "random play gets nowhere"
    return found


def the_game(night: Night) -> Game:
    assert night.game is not None
    return night.game


def action_of(night: Night, line: str) -> Action:
    """The action a line of table talk means; raises Refusal where it means none."""
    command = split_line(line)
    assert command is not None
    decision = decide(night, command)
    assert decision.action is not None
    return decision.action


def accepts(night: Night, line: str) -> bool:
    return refusal_of(night, line) is None


def due_cards(night: Night, choice: Choice) -> tuple[Card, ...]:
    """Cards that fit a choice: all that are due, or one that was exposed."""
    prompt = prompt_of(night)
    if choice.verb not in ("card", "burn", "show"):
        return ()
    if choice.verb == "show":
        return whole_hand(night, choice, unseen(night))
    high = prompt.due.high if prompt and prompt.due and choice.verb != "burn" else 1
    return tuple(unseen(night)[:high])


# --- decide and legal_actions -------------------------------------------------------------------------------


def test_everything_listed_is_accepted_between_its_ends_and_refused_beyond(moments: list[Night]) -> None:
    """STYLE.md 4: `legal_actions` lists exactly what `decide` accepts."""
    for night in moments:
        for choice in the_game(night).legal_actions(night.state):
            for line, legal in trials(night, choice):
                assert accepts(night, line) == legal, (line, choice, night.state)


def trials(night: Night, choice: Choice) -> list[tuple[str, bool]]:
    """Lines for one choice, and whether each is legal."""
    if choice.words and choice.low is None:
        return [(f"{say(night, choice)} {word}", True) for word in choice.words]
    if choice.low is None:
        cards = due_cards(night, choice)
        wanted = choice.verb in ("card", "burn", "show")
        return [(say(night, choice, cards=cards), True)] if cards or not wanted else []
    low = choice.low
    found = [(say(night, choice, low), True), (say(night, choice, low - 1), False)]
    if choice.high is not None:
        found += [(say(night, choice, choice.high), True), (say(night, choice, choice.high + 1), False)]
    return [(f"{line} {word}", legal) for line, legal in found for word in choice.words or ("",)]


def test_every_verb_that_is_not_listed_is_refused(moments: list[Night]) -> None:
    """The other half of STYLE.md 4, for every verb of the game, every player and several arguments."""
    for night in moments[::3]:
        game = the_game(night)
        listed = {(choice.verb, choice.player) for choice in game.legal_actions(night.state)}
        card = unseen(night)[0]
        for verb in [*game.verbs, "shuffle"]:
            for line in (verb, f"{verb} {card}"):
                assert accepts(night, line) <= ((verb, None) in listed), (line, night.state)
            for player, name in night.names().items():
                for words in ("", " 1", " 5", f" {card}"):
                    line = f"{verb} {quote(name)}{words}"
                    may = {(verb, player), (verb, None)} & listed
                    assert not accepts(night, line) or may, (line, night.state)


def test_words_that_are_not_listed_are_refused(moments: list[Night]) -> None:
    """A choice with words, such as the chips of the rack, names all that would be accepted."""
    for night in moments:
        for choice in the_game(night).legal_actions(night.state):
            if choice.words:
                words = [str(amount) for amount in (0, 1, 2, 5, 20, 25, 50, 100, 500)]
                found = {word for word in words if accepts(night, f"{say(night, choice)} {word}")}
                assert found <= set(choice.words), (choice, night.state)


def test_odds_of_every_moment_are_worked_out_and_said(moments: list[Night]) -> None:
    for night in moments:
        lines = the_game(night).odds(night.state)
        assert {line.key for line in lines} <= set(ODDS)
        assert all("…" not in says for says in Wording(night.names(), night.currency).odds(lines))


def test_refused_action_has_a_code_and_a_sentence(moments: list[Night]) -> None:
    for night in moments[::5]:
        for verb in the_game(night).verbs:
            for words in ("", " A", " A 5", " A 0", " QH", " A QH"):
                refusal = refusal_of(night, f"{verb}{words}")
                if refusal is not None:
                    assert refusal.code.startswith("E_")
                    assert Wording(night.names(), night.currency).refusal(refusal)


def refusal_of(night: Night, line: str) -> Refusal | None:
    try:
        action_of(night, line)
    except Refusal as refusal:
        return refusal
    return None


def test_decide_changes_nothing_and_says_the_same_again(moments: list[Night]) -> None:
    for night in moments:
        for choice in the_game(night).legal_actions(night.state):
            for line, legal in trials(night, choice):
                if legal:
                    action = action_of(night, line)
                    once = the_game(night).decide(night.state, action)
                    assert the_game(night).decide(night.state, action) == once


# --- events -------------------------------------------------------------------------------------------------


def caused(night: Night) -> Iterator[tuple[Action, tuple[Event, ...]]]:
    """Every listed act at its ends, and what it causes."""
    for choice in the_game(night).legal_actions(night.state):
        for line, legal in trials(night, choice):
            if legal:
                action = action_of(night, line)
                yield action, the_game(night).decide(night.state, action)


def test_every_event_conserves_chips_and_leaves_no_place_below_zero(moments: list[Night]) -> None:
    """RULES.md 1.1: conservation is asserted after every input; only the house may be below zero."""
    for night in moments:
        for _action, events in caused(night):
            state = night.state
            for event in events:
                state = the_game(night).evolve(state, event)
                assert state.table.chips.total() == 0, event
            for place, amount in state.table.chips.places.items():
                assert amount >= 0 or place.startswith("in:") or place in ("house", "carried"), place


def test_moves_of_events_are_positive(moments: list[Night]) -> None:
    for night in moments:
        for _action, events in caused(night):
            assert all(move.amount > 0 for event in events for move in event.moves)


def test_phase_dealer_and_turn_are_known_after_every_event(moments: list[Night]) -> None:
    """A turn belongs to somebody who plays; a phase is one word in capitals, as in RULES.md."""
    for night in moments:
        for _action, events in caused(night):
            state = run(the_game(night), night.state, events)
            assert state.phase.isupper()
            turn = the_game(night).turn(state)
            assert turn is None or turn in state.table.active
            assert the_game(night).prompt(state).player == turn


def test_actions_and_events_survive_the_night_file(moments: list[Night]) -> None:
    """Encoded and decoded they are equal; so is a state made from what was kept."""
    codec = Codec(stored_types())
    for night in moments:
        for action, events in caused(night):
            assert codec.decode(codec.encode(action)) == action
            kept = tuple(codec.decode(codec.encode(event)) for event in events)
            assert kept == events
            assert run(the_game(night), night.state, kept) == run(the_game(night), night.state, events)


def test_all_types_of_a_game_are_kept(moments: list[Night]) -> None:
    kept = set(stored_types())
    for night in moments:
        for action, events in caused(night):
            assert {type(action), *map(type, events)} <= kept


# --- what the dealer is told --------------------------------------------------------------------------------


def test_every_prompt_has_its_sentences(moments: list[Night]) -> None:
    """The duty starts with a verb in capitals; no gap is left open."""
    for night in moments:
        prompt = the_game(night).prompt(night.state)
        wording = Wording(night.names(), night.currency)
        assert prompt.do in DUTIES
        assert not prompt.say or prompt.say in ANNOUNCEMENTS
        duty = wording.duty(prompt)
        assert duty.split()[0].strip(",:").isupper()
        assert "{" not in duty + wording.announcement(prompt)


def test_cards_are_due_only_where_a_card_or_a_hand_is_legal(moments: list[Night]) -> None:
    for night in moments:
        prompt = the_game(night).prompt(night.state)
        verbs = {choice.verb for choice in prompt.choices}
        if prompt.due is not None:
            assert 1 <= prompt.due.low <= prompt.due.high
            assert ("show" if prompt.due.role == "hand" else "card") in verbs
            assert prompt.due.role != "hand" or prompt.due.player in night.table.active


def test_round_called_off_gives_every_chip_back(moments: list[Night]) -> None:
    """TABLE_TALK.md `void`: every chip goes back to where it was before the round."""
    for night in moments:
        last = night.rounds.last
        if not night.in_round or last is None:
            continue
        voided = the_game(night).void(night.state, last.start)
        assert not the_game(night).in_round(voided)
        assert voided.table.chips.total() == 0
        before = last.start.table.chips
        for player in night.table.players:
            assert voided.table.chips.stack(player) == before.stack(player) + before.bet(player)
            assert voided.table.chips.bet(player) == 0
        assert voided.table.shoe == night.table.shoe


def test_chips_add_up_in_the_record(moments: list[Night]) -> None:
    """TABLE_TALK.md, "Always"."""
    for night in moments:
        assert always(night_record(night)) == 0


# --- the registry -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: str(kind.name))
def test_options_have_unique_names_and_readable_defaults(kind: type[Game]) -> None:
    assert len({option.name for option in kind.options}) == len(kind.options)
    assert kind.name == kind.name.lower()
    assert game_named(kind.name.upper()) is kind


def test_games_have_unique_names() -> None:
    assert len({game.name for game in all_games()}) == len(all_games())


def test_foreign_action_is_the_wrong_moment(moments: list[Night]) -> None:
    """TABLE_TALK.md, "Refusals": another game's verb is E_PHASE."""

    class Foreign(Action):
        pass

    night = moments[0]
    with pytest.raises(IllegalAction) as caught:
        the_game(night).decide(night.state, Foreign())
    assert caught.value.code == "E_PHASE"


@pytest.mark.parametrize("game", GAMES)
def test_table_nobody_sits_at_any_more_has_its_prompt_and_its_choices(game: str) -> None:
    """Everybody may leave between two rounds; the screens go on asking what can be done."""
    dice = random.Random(game)
    log = NightLog(MemoryNight())
    for line in (f"game {game}", "seat A 60", "seat B 200", "seat C 90"):
        log.submit(line)
    for _ in range(60):
        with suppress(Refusal):
            log.submit(legal_line(log.night, dice))
    with suppress(Refusal):
        log.submit("void")
    for name in ("A", "B", "C"):
        log.submit(f"leave {name}")
        night = log.night
        prompt = prompt_of(night)
        assert prompt is not None
        assert prompt.do in DUTIES
        assert isinstance(the_game(night).legal_actions(night.state), tuple)
    assert log.night.table.players == ()
