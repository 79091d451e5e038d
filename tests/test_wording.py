"""Every refusal and every prompt has its sentence, every gap of it a fact; hostile names break nothing."""

import ast
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.cards import Card, Rank, Suit, parse_card
from assistant.errors import AssistantError, Refusal
from assistant.games.acts import PoolDivided, PoolRefilled
from assistant.games.base import (
    BetSettled,
    CardTurned,
    Corrected,
    Mispaid,
    Prompt,
    RoundOpened,
)
from assistant.games.casino_table import BetRaised, MarkerPlaced
from assistant.games.hands import HandsDealt
from assistant.games.turns import HandFolded
from assistant.holdings import Holdings, Move, bet_of, stack_of
from assistant.ledger import events as ledger
from assistant.money import Currency
from assistant.sentences import ANNOUNCEMENTS, DUTIES, EXACT_DUTIES, REFUSALS
from assistant.wording import Wording

SOURCES = ("ledger", "cards.py", "money.py", "talk.py", "games", "table")
SPECS = {
    "",
    "name",
    "names",
    "money",
    "moneys",
    "signed",
    "cash",
    "cashes",
    "cash-signed",
    "card",
    "cards",
    "odds",
    "why",
}
OPEN = "*"  # facts that the caller hands over; random lines fill their sentences in tests/games
HOSTILE = ["[/b]", "{0} {player}", "%s%n", "=1+1", "\\", '"', "a{b", "}", "x" * 32, "李雷", "👍"]


@dataclass(frozen=True)
class Raised:
    """A refusal somewhere in the code: where, its code, its possible reasons, the facts it names."""

    where: str
    code: str
    reasons: tuple[str, ...]
    facts: frozenset[str]


def modules(repository: Path) -> Iterator[Path]:
    for name in SOURCES:
        path = repository / "assistant" / name
        yield from [path] if path.is_file() else sorted(path.glob("*.py"))


def calls(repository: Path, *names: str) -> Iterator[tuple[str, ast.Call, ast.AST]]:
    """Every call of some names, with the function it stands in."""
    for path in modules(repository):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names:
                        yield f"{path.name}:{node.lineno}", node, function


def strings(node: ast.AST, function: ast.AST) -> tuple[str, ...]:
    """The texts an expression may be: a constant, either side of a condition, what a name was last given."""
    if isinstance(node, ast.Constant):
        return (str(node.value),)
    if isinstance(node, ast.IfExp):
        return strings(node.body, function) + strings(node.orelse, function)
    if isinstance(node, ast.Name):
        value = given_last(node, function)
        return strings(value, function) if value else default_of(node.id, function)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
        return tuple(text for value in node.value.values for text in strings(value, function))
    raise AssertionError(f"line {getattr(node, 'lineno', '?')}: a reason must be a text that can be found")


def given_last(name: ast.Name, function: ast.AST) -> ast.expr | None:
    """What a name was given last above its use."""
    above: list[ast.expr] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno < name.lineno:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            named = any(getattr(target, "id", "") == name.id for target in targets)
            above += [node.value] if named and node.value is not None else []
    return max(above, key=lambda value: value.lineno, default=None)


def default_of(name: str, function: ast.AST) -> tuple[str, ...]:
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args.args[-len(function.args.defaults) :] if function.args.defaults else []
    for argument, value in zip(arguments, function.args.defaults, strict=True):
        if argument.arg == name and isinstance(value, ast.Constant):
            return (str(value.value),)
    return ()


def keys(node: ast.AST | None, function: ast.AST) -> frozenset[str]:
    """The facts a dictionary names."""
    if node is None:
        return frozenset()
    if isinstance(node, ast.Dict):
        named = frozenset(str(key.value) for key in node.keys if isinstance(key, ast.Constant))
        spread = [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
        return named.union(*(keys(value, function) for value in spread))
    if isinstance(node, ast.Name):
        value = given_last(node, function)
        return keys(value, function) if value else frozenset([OPEN])
    if isinstance(node, ast.BinOp):
        return keys(node.left, function) | keys(node.right, function)
    if isinstance(node, ast.Call):
        return frozenset([OPEN])
    raise AssertionError(f"line {getattr(node, 'lineno', '?')}: facts must be a dictionary that can be found")


def argument(call: ast.Call, place: int, name: str) -> ast.AST | None:
    if len(call.args) > place:
        return call.args[place]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def refusals(repository: Path) -> list[Raised]:
    found = []
    for where, call, function in calls(repository, "Refusal", "IllegalAction"):
        codes = strings(call.args[0], function)
        reason = argument(call, 1, "reason")
        reasons = strings(reason, function) if reason else ("",)
        facts = keys(argument(call, 2, "facts"), function)
        found += [Raised(where, code, reasons, facts) for code in codes]
    return found


def gaps(sentence: str) -> dict[str, str]:
    """Name -> what it holds, of every gap of a sentence."""
    parts = string.Formatter().parse(sentence)
    return {name: spec or "" for _text, name, spec, _conversion in parts if name}


def test_every_refusal_has_a_sentence_whose_gaps_are_among_its_facts(repository: Path) -> None:
    """TABLE_TALK.md: the message says what was found, what is legal now and what to do."""
    found = refusals(repository)
    assert len(found) > 100
    for one in found:
        for reason in one.reasons:
            key = reason or one.code
            assert key in REFUSALS, f"{one.where}: no sentence for {key!r}"
            missing = set(gaps(REFUSALS[key])) - one.facts
            assert not missing or OPEN in one.facts, (
                f"{one.where}: {key!r} names {missing}, which no fact gives"
            )


def test_every_code_is_one_of_the_specification(repository: Path) -> None:
    """TABLE_TALK.md, "Refusals", and RULES.md 1.5: stable codes."""
    stable = """
        E_VERB E_ARGS E_PLAYER E_AMOUNT E_CARD E_OPTION E_PHASE E_BET_FIXED E_TURN E_CALL E_CHIP E_RAISE
        E_BET_LOW E_STACK E_BET_HIGH E_BANK_LOW E_BET_EXISTS E_BET_PRESENT E_CHECK E_CONFIG E_EMPTY E_LATE
        E_LIMIT E_NO_BET E_NO_CARDS E_NO_REBET E_NO_REOPEN E_PLAYERS E_POOL E_STITCH E_DUPLICATE_CARD E_HAND
        E_FIX E_COUNT E_UNDO
    """
    money = "E_BOX E_PAY E_RACK E_REVERSE"  # the ledger's own (help, "Money")
    assert {one.code for one in refusals(repository)} <= {*stable.split(), *money.split()}


def test_every_sentence_is_used(repository: Path) -> None:
    used = {reason or one.code for one in refusals(repository) for reason in one.reasons}
    general = {key for key in REFUSALS if key.startswith("E_")}
    assert set(REFUSALS) - general - used == set()


def test_every_prompt_has_sentences_whose_gaps_are_among_its_facts(repository: Path) -> None:
    count = 0
    for where, call, function in calls(repository, "Prompt"):
        facts = keys(argument(call, 2, "facts"), function)
        say = argument(call, 1, "say")
        for table, words in (
            (DUTIES, strings(call.args[0], function)),
            (ANNOUNCEMENTS, strings(say, function) if say else ()),
        ):
            for word in filter(None, words):
                count += 1
                assert word in table, f"{where}: no sentence for {word!r}"
                assert OPEN in facts or set(gaps(table[word])) <= facts, f"{where}: {word!r}"
    assert count > 15


@pytest.mark.parametrize("table", [REFUSALS, DUTIES, EXACT_DUTIES, ANNOUNCEMENTS])
def test_gaps_say_what_they_hold(table: Mapping[str, str]) -> None:
    assert {spec for sentence in table.values() for spec in gaps(sentence).values()} <= SPECS


def test_duties_start_with_a_verb_in_capitals() -> None:
    assert all(sentence.split()[0].strip(":,").isupper() for sentence in DUTIES.values())


def test_what_is_to_be_done_is_a_sentence_of_its_own() -> None:
    assert str(AssistantError("not saved - disk full", "Free some space.")) == (
        "not saved - disk full. Free some space."
    )
    assert str(AssistantError("It is gone.", "Look again.")) == "It is gone. Look again."
    assert str(AssistantError("It is gone")) == "It is gone"


# --- sentences ----------------------------------------------------------------------------------------------


def wording(name: str = "Anna") -> Wording:
    return Wording({"p1": name, "p2": "Bob"})


def test_refusal_names_people_cards_and_money() -> None:
    refusal = Refusal("E_STACK", "", {"player": "p1", "stack": 1205, "found": 2000})
    euro = Wording({"p1": "Anna"}, Currency("EUR", 2))
    assert euro.refusal(refusal).startswith("Anna has only 12.05, not 20.00.")
    card = Refusal("E_DUPLICATE_CARD", "", {"card": Card(Rank.TEN, Suit.HEARTS), "decks": 1})
    assert wording().refusal(card).startswith("10♥ has been seen already.")


def test_unknown_reason_and_missing_facts_still_make_a_sentence() -> None:
    """A game of somebody else's may give reasons this program has no sentence for."""
    assert wording().refusal(Refusal("E_STACK", "their_reason")).startswith("… has only …")
    assert wording().refusal(Refusal("E_THEIRS", "their_reason")) == "E_THEIRS"


def test_prompt_is_a_duty_and_an_announcement() -> None:
    prompt = Prompt("ask_raise", "say_spread", {"player": "p1", "spread": 4, "odds": 1, "ante": 10})
    assert wording().duty(prompt) == "ASK Anna: raise 10?"
    assert wording().announcement(prompt) == "Spread 4. Pays even. Raise?"
    five = Prompt("ask_raise", "say_spread", {"player": "p1", "spread": 1, "odds": 5, "ante": 10})
    assert wording().announcement(five) == "Spread 1. Pays 5 to 1. Raise?"


def test_one_possible_amount_is_not_told_as_a_span() -> None:
    facts = {"player": "p1", "low": 5, "high": 5}
    assert wording().duty(Prompt("ask_bet", "", facts)) == "ASK Anna: bet 5, or fold"
    assert wording().duty(Prompt("ask_bet", "", {**facts, "high": 9})) == "ASK Anna: bet 5 to 9, or fold"


def test_payments_are_told_losers_first_then_winners_then_pushes() -> None:
    """As a dealer says it: "Pay NAME 30, collect 10 from NAME"."""
    win = BetSettled("p1", "win", 10, 30, moves=(Move("house", stack_of("p1"), 30),))
    lose = BetSettled("p2", "lose", 10)
    push = BetSettled("p1", "push", 5)
    assert wording().told([win, lose, push]) == (
        "COLLECT from Bob 10",
        "PAY Anna 30, and give the bet back",
        "PUSH: give back Anna 5",
    )


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            RoundOpened(moves=(Move("stack:p1", "pool", 5), Move("stack:p2", "pool", 5))),
            "COLLECT the ante of 5 from 2 players",
        ),
        (RoundOpened(), None),
        (MarkerPlaced("4-11", 5), "MARKER on 4-11"),
        (MarkerPlaced("Cons", 0), "MARKER on Cons. Say: consecutive, a tie"),
        (BetRaised("p1", 10), "Anna raises by 10"),
        (HandsDealt((), 3, moves=(Move("pool", "stack:p1", 5),)), "GIVE BACK the ante: Anna 5"),
        (
            PoolRefilled(("p1", "p2"), moves=(Move("stack:p1", "pool", 5),)),
            "COLLECT 5 each for the empty pool: Anna, Bob",
        ),
        (HandFolded("p1", 5), "COLLECT 5 from Anna"),
        (HandFolded("p1", 0), None),
        (PoolDivided((("p1", 17), ("p2", 17))), "DIVIDE the pool: Anna 17, Bob 17"),
        (Mispaid("overpaid", "p1", 5), "NOTED: payment of 5, Anna"),
        (Corrected("p1", 5, moves=(Move("stack:p1", "pool", 5),)), "COLLECT back 5 from Anna"),
        (Corrected("p1", 5, moves=(Move("pool", "stack:p1", 5),)), "PAY 5 more to Anna"),
        (Corrected("p1", 0), None),
        (CardTurned(parse_card("7H"), "turned"), None),
        (ledger.BoughtIn("p1", 50), "GIVE 50 to Anna"),
        (ledger.CashedOut("p1", 50), "CASH OUT 50: Anna"),
        (ledger.CashedOut("p1", 0), None),
        (ledger.PlayerLeft("p1", 50), "CASH OUT 50: Anna"),
        (ledger.PoolShared((("p1", 3),)), "SHARE the pool: Anna 3"),
        (ledger.AceFound((), "p2"), "DEALER: Bob"),
        (ledger.ChangeQueued("p1", "leave"), "NOTED for the end of the round: Anna"),
        (ledger.DifferenceAccepted("equal", (("p1", 5), ("p2", -3))), "ACCEPTED: Anna -5, Bob +3"),
        (
            ledger.DifferenceAccepted("equal", ()),
            "ACCEPTED: nobody bears anything; the ledger's stacks stand",
        ),
        (
            ledger.DifferenceAccepted("equal", (("p1", 0), ("p2", 0)), pool=3, box=-2),
            "ACCEPTED: pool -3, box +2",
        ),
        (ledger.NightClosed(), "CLOSED: cash out every stack and settle"),
        (ledger.Noted("x"), None),
    ],
    ids=lambda value: type(value).__name__ if value is not None and not isinstance(value, str) else "",
)
def test_what_an_event_asks_of_the_dealer(event: ledger.LedgerEvent, expected: str | None) -> None:
    assert wording().told([event]) == ((expected,) if expected else ())


def test_what_changes_hands_after_a_correction_is_told() -> None:
    moves = (
        Move(stack_of("p1"), "house", 60),
        Move("house", stack_of("p2"), 5),
        Move(bet_of("p2"), stack_of("p2"), 1),
    )
    fixed = ledger.CardFixed(1, parse_card("3D"), parse_card("5D"), moves=moves)
    assert wording().told([fixed]) == ("CORRECTION: 3♦ was 5♦", "COLLECT 60 from Anna", "PAY 6 to Bob")
    voided = ledger.RoundVoided(1, moves=(Move(bet_of("p1"), stack_of("p1"), 10),))
    assert wording().told([voided]) == ("VOID: every chip goes back", "PAY 10 to Anna")


def test_pool_is_paid_out_before_the_antes_that_fill_it_again_are_collected() -> None:
    """The winner takes the last chips; only then does the table pay in for the next hand."""
    lost, won = BetSettled("p2", "lose", 10), BetSettled("p1", "win", 30, 30)
    refilled = PoolRefilled(("p1", "p2"), moves=(Move(stack_of("p1"), "pool", 5),))
    card = CardTurned(parse_card("7H"), "turned")
    assert wording().told([card, won, lost, refilled]) == (
        "COLLECT from Bob 10",
        "PAY Anna 30, and give the bet back",
        "COLLECT 5 each for the empty pool: Anna, Bob",
    )


def test_what_changes_hands_is_told_of_two_moments_collect_before_pay() -> None:
    before = Holdings().moved([Move("in:p1", stack_of("p1"), 100), Move("in:p2", stack_of("p2"), 50)])
    after = before.moved([Move("house", stack_of("p1"), 20), Move(stack_of("p2"), bet_of("p2"), 5)])
    assert wording().differences(before.difference(after)) == ("COLLECT 5 from Bob", "PAY 20 to Anna")
    changes = before.difference(after)
    assert wording().travelled(True, ("card 8H", "bet Bob 5"), changes, ()) == (
        "Taken back: card 8H; bet Bob 5",
        "BETS BACK ON THE TABLE: Bob 5",
        "GIVE BACK: Anna 20",
    )
    assert wording().travelled(False, ("card 8H",), {}, ()) == ("Put back: card 8H",)


def test_nodes_of_the_settlement_have_names_and_players_called_so_keep_theirs() -> None:
    assert (wording().name("house"), wording().name("carried"), wording().name("p1")) == (
        "house",
        "carried",
        "Anna",
    )
    assert wording().name("p9") == "p9"


# --- hostile names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stand_as_they_are_in_every_sentence(name: str) -> None:
    """User text is never markup, formula, format or escape sequence."""
    facts = {"player": "p1", "found": name, "name": name}
    for key, sentence in REFUSALS.items():
        said = wording(name).refusal(Refusal("E_X", key, facts))
        for gap, spec in gaps(sentence).items():
            assert gap not in facts or spec not in ("", "name") or name in said or "p1" in said, key
    for do in DUTIES:
        wording(name).duty(Prompt(do, "", facts))
    for say in ANNOUNCEMENTS:
        wording(name).announcement(Prompt("closed", say, facts))
    told = wording(name).told([HandFolded("p1", 5), PoolDivided((("p1", 5),)), ledger.BoughtIn("p1", 5)])
    assert all(name in line for line in told)


@given(st.text())
def test_typed_text_never_steers_the_terminal(text: str) -> None:
    said = wording().refusal(Refusal("E_VERB", "", {"found": text}))
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in said)
    assert not set(said) & set("\u2028\u2029\u202e\u2066")
