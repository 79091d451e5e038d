"""Every key of the table in one place: what it does on both layouts, when it works, what help says of it.

The rule (design, "Keys"): on an empty line a letter that cannot begin a card is a command; any other key
starts the line. A card can begin with ``2-9 1 0 t j q k a c d h s`` and, on a Russian layout, with
``е о й л ф в д к т``. So commands are ``b e f g i m n o p r u v w x y z``; their twins are the same physical
keys. The twins ``т к`` can begin a card, so while a card is expected they start the line, and F8 and F7 stand
in for N and R.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from assistant.i18n import N_, _

if TYPE_CHECKING:
    from assistant.games.base import Choice
    from assistant.table.snapshot import TableSnapshot


class Act(Enum):
    """What a key asks for."""

    CONFIRM = "confirm"
    YES = "yes"
    NO = "no"
    FOLD = "fold"
    MOST = "most"
    HIGH = "high"
    LOW = "low"
    AGAIN = "again"
    AGAIN_ALL = "again-all"
    TAKE_CHIP = "take-chip"
    CLEAR = "clear"
    BURN = "burn"
    SHUFFLE = "shuffle"
    WRONG = "wrong"
    UNDO = "undo"
    REDO = "redo"
    MISDEAL = "misdeal"
    REJECT = "reject"
    TALK = "talk"
    HELP = "help"
    TABLE = "table"
    SEATS = "seats"
    GAME = "game"
    CLOSE = "close"
    LEDGER = "ledger"
    LIVE = "live"
    CAMERA = "camera"
    SOURCES = "sources"
    ODDS = "odds"
    LOOK = "look"
    SAFETY = "safety"
    SEASON = "season"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its act, the names Textual gives it on both layouts, and the words for strip and help.

    Attributes:
        keys: Names or characters; the first is what the strip shows.
        twins: The same physical keys on a Russian layout.
        label: Word of the key strip, English; shown through `_()`.
        help: Sentence of the help page.
        verbs: Verbs of table talk it stands for, the first that is legal now counts.
        table_only: Whether it works on the table screen only.
    """

    act: Act
    keys: tuple[str, ...]
    label: str
    help: str
    twins: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    table_only: bool = True


KEYS: tuple[Key, ...] = (
    Key(Act.CONFIRM, ("enter",), N_("ok"), N_("Do what the bar says, or book the line you typed.")),
    Key(
        Act.YES,
        ("r", "R", "y", "Y", "f7"),
        N_("raise"),
        N_(
            "Yes: the player raises; the shown hand wins; the bank is kept. "
            "F7 while a card is expected on a Russian layout."
        ),
        ("к", "К", "н", "Н"),
        ("raise", "won", "keep", "stitch"),
    ),
    Key(
        Act.NO,
        ("n", "N", "f8"),
        N_("call"),
        N_("No: the player calls, passes or checks; the shown hand loses; the banker retires."),
        ("т", "Т"),
        ("call", "lost", "pass", "check", "retire"),
    ),
    Key(Act.HIGH, ("h", "H"), N_("high"), N_("Acey-Deucey: the ace counts high."), ("р", "Р"), ("ace",)),
    Key(Act.LOW, ("l", "L"), N_("low"), N_("Acey-Deucey: the ace counts low."), ("д", "Д"), ("ace",)),
    Key(Act.FOLD, ("f", "F"), N_("fold"), N_("The player throws the hand in."), ("а", "А"), ("fold",)),
    Key(
        Act.MOST,
        ("p", "P"),
        N_("most"),
        N_("Write the most that is allowed into the line: the whole pot, bank or stack."),
        ("з", "З"),
        ("bet", "raise", "bank"),
    ),
    Key(
        Act.AGAIN,
        ("g",),
        N_("same"),
        N_("Casino: the same chips again for the chosen seat."),
        ("п",),
        ("rebet",),
    ),
    Key(
        Act.AGAIN_ALL,
        ("G",),
        N_("same, all"),
        N_("Casino: the same chips again for everybody who has none out."),
        ("П",),
        ("rebet",),
    ),
    Key(
        Act.TAKE_CHIP,
        ("delete",),
        N_("chip off"),
        N_("Casino: take the last chip of the chosen seat back."),
        (),
        ("remove",),
    ),
    Key(
        Act.CLEAR,
        ("z", "Z"),
        N_("clear"),
        N_("Casino: take all chips of the chosen seat back."),
        ("я", "Я"),
        ("clear",),
    ),
    Key(Act.UNDO, ("u", "backspace"), N_("undo"), N_("Take the last line back; the log keeps it."), ("г",)),
    Key(Act.REDO, ("U",), N_("redo"), N_("Put back what was just undone."), ("Г",)),
    Key(
        Act.WRONG,
        ("w", "W"),
        N_("wrong"),
        N_("A card was booked wrong: choose it, type the right one."),
        ("ц", "Ц"),
    ),
    Key(
        Act.MISDEAL,
        ("m", "M"),
        N_("misdeal"),
        N_("Misdeal, void round, wrong payment, too few cards."),
        ("ь", "Ь"),
    ),
    Key(
        Act.BURN,
        ("b", "B"),
        N_("burn"),
        N_("The top card was exposed by accident: type it, it is burned."),
        ("и", "И"),
        ("burn",),
    ),
    Key(Act.SHUFFLE, ("f9",), N_("shuffle"), N_("The deck or shoe was shuffled."), (), ("shuffle",)),
    Key(
        Act.REJECT,
        ("x", "X"),
        N_("not a card"),
        N_("What a source showed was no card: ignore it."),
        ("ч", "Ч"),
    ),
    Key(Act.TALK, ("colon",), N_("any line"), N_("Type any line of table talk."), ("Ж",)),
    Key(
        Act.HELP,
        ("f1", "question_mark"),
        N_("help"),
        N_("The keys of this moment, then the manual."),
        (),
        (),
        table_only=False,
    ),
    Key(Act.TABLE, ("f2",), N_("table"), N_("Back to the table."), (), (), table_only=False),
    Key(
        Act.LEDGER,
        ("e", "E", "f11"),
        N_("ledger"),
        N_("Accounts, entries, box and rack; pay, lend, reverse, and why. F11 where letters are typed."),
        ("у", "У"),
        (),
        table_only=False,
    ),
    Key(
        Act.SEATS,
        ("f4",),
        N_("players"),
        N_("Seat players, buy in, sit out, leave."),
        (),
        (),
        table_only=False,
    ),
    Key(
        Act.GAME,
        ("f5", "o", "O"),
        N_("game"),
        N_("Choose the game and its house rules."),
        ("щ", "Щ"),
        (),
        False,
    ),
    Key(
        Act.CLOSE, ("f6",), N_("settle"), N_("Count, close the night, settle, print the slip."), (), (), False
    ),
    Key(
        Act.SOURCES,
        ("f3",),
        N_("sources"),
        N_("Card sources: open and close, find speed and format, decks of tags; a simulated shoe."),
        (),
        (),
        table_only=False,
    ),
    Key(
        Act.ODDS,
        ("i", "I"),
        N_("odds"),
        N_("The exact odds of the moment, from the cards everybody has seen; the same key puts them away."),
        ("ш", "Ш"),
    ),
    Key(
        Act.LIVE,
        ("ctrl+l",),
        N_("camera view"),
        N_("What the camera sees, with outlines and names; the same key puts it away."),
    ),
    Key(
        Act.CAMERA,
        ("ctrl+k",),
        N_("set up camera"),
        N_("Where cards lie, light and focus, the deck in use: calibrate the camera."),
        (),
        (),
        table_only=False,
    ),
    Key(Act.LOOK, ("f12", "ctrl+t"), N_("look"), N_("Dark, light, high contrast."), (), (), table_only=False),
    Key(
        Act.SEASON,
        ("v", "V"),
        N_("season"),
        N_("The standings over all closed nights, every person by their id."),
        ("м", "М"),
        (),
        table_only=False,
    ),
    Key(
        Act.SAFETY,
        ("ctrl+r",),
        N_("safe?"),
        N_("How safe the night is: its number and head, its copy; what can be done about a damaged one."),
        (),
        (),
        table_only=False,
    ),
    Key(
        Act.QUIT,
        ("ctrl+q", "f10"),
        N_("quit"),
        N_("Quit; everything is saved. In a round, press it twice."),
        (),
        (),
        False,
    ),
)
BY_ACT = {key.act: key for key in KEYS}
_BY_NAME = {name: key for key in KEYS for name in (*key.keys, *key.twins)}

# Letters that may also begin a card typed on a Russian layout: Russian ranks, and А, a look-alike whose
# refusal names what it could mean.
CARD_TWINS = frozenset("тТкКаА")
LABELS = {
    "enter": "⏎",
    "backspace": "⌫",
    "delete": "Del",
    "colon": ":",
    "question_mark": "?",
    "ctrl+k": "^K",
    "ctrl+l": "^L",
    "ctrl+q": "^Q",
    "ctrl+t": "^T",
    "ctrl+r": "^R",
}


def act_of(key: str, character: str | None, *, card_due: bool, ace_due: bool = False) -> Act | None:
    """The act of a key pressed on an empty line; None for a key that starts the line.

    Args:
        key: Textual's name of the key.
        character: What it prints, if anything.
        card_due: Whether a card is expected, so that ``т к а`` begin one.
        ace_due: Whether an ace is called, so that ``h`` and ``l`` begin no card.
    """
    if character is not None and card_due and character in CARD_TWINS:
        return None
    found = _BY_NAME.get(key) or (_BY_NAME.get(character) if character else None)
    if found is None or (found.act in (Act.HIGH, Act.LOW) and not ace_due):
        return None
    return found.act


def key_label(key: Key) -> str:
    """The key as the strip writes it."""
    name = key.keys[0]
    if key.act in (Act.REDO, Act.AGAIN_ALL):
        return f"⇧{name}"
    return LABELS.get(name, name.upper() if len(name) == 1 or name[0] == "f" else name)


def choice_for(snapshot: TableSnapshot, act: Act, selected: str | None) -> Choice | None:
    """The legal choice an act stands for now: for whoever's turn it is, else for the chosen seat."""
    for verb in BY_ACT[act].verbs:
        found = [choice for choice in snapshot.choices if choice.verb == verb]
        mine = [choice for choice in found if choice.player in (selected, None)]
        if mine:
            return mine[0]
        if len(found) == 1 and verb not in ("rebet", "remove", "clear"):
            return found[0]
    return None


def most_choice(snapshot: TableSnapshot) -> Choice | None:
    """The one amount of a round that is awaited and may be anything up to a limit."""
    verbs = BY_ACT[Act.MOST].verbs
    found = [choice for choice in snapshot.choices if choice.verb in verbs and names_amount(choice)]
    return found[0] if snapshot.in_round and len(found) == 1 else None


def names_amount(choice: Choice) -> bool:
    """Whether an amount must be said with it, because several are allowed."""
    return choice.low is not None and choice.high is not None and choice.low < choice.high


def is_legal(snapshot: TableSnapshot, act: Act, selected: str | None) -> bool:
    """Whether an act can be booked now; those that stand for no line always work."""
    if act is Act.UNDO:
        return not (snapshot.undo_stops or snapshot.closed)
    if act is Act.REDO:
        return snapshot.redoes
    if act is Act.WRONG:
        return not snapshot.is_strict
    if act is Act.MOST:
        return most_choice(snapshot) is not None
    if act is Act.AGAIN_ALL:
        return any(choice.verb == "rebet" for choice in snapshot.choices)
    return not BY_ACT[act].verbs or choice_for(snapshot, act, selected) is not None


def label_of(snapshot: TableSnapshot, act: Act, selected: str | None) -> str:
    """The word on the strip: YES and NO say what they mean at this moment."""
    if act is Act.MOST and snapshot.pool_label:
        most = most_choice(snapshot)
        short = _("pot") if snapshot.pool_label == _("pool") else snapshot.pool_label
        return short if most is not None and most.high == snapshot.pool else _("most")
    choice = choice_for(snapshot, act, selected) if act in (Act.YES, Act.NO) else None
    words = {
        "raise": _("raise"),
        "won": _("won"),
        "call": _("call"),
        "lost": _("lost"),
        "pass": _("pass"),
        "check": _("check"),
        "keep": _("keep"),
        "stitch": _("stitch"),
        "retire": _("retire"),
    }
    return words[choice.verb] if choice else _(BY_ACT[act].label)


def strip_name(snapshot: TableSnapshot, act: Act, selected: str | None) -> str:
    """The key to show: R for "raise", Y for any other yes."""
    choice = choice_for(snapshot, act, selected) if act is Act.YES else None
    return "Y" if choice is not None and choice.verb != "raise" else key_label(BY_ACT[act])
