"""Table talk: a line becomes a command, a command's words become arguments (TABLE_TALK.md, "Form").

The language knows no game. Every verb is read by whoever owns it, through `Words`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from assistant.cards import Card, parse_card
from assistant.errors import Refusal
from assistant.money import CHIPS, Amount, Currency, parse_amount

T = TypeVar("T")
MAX_NAME_LENGTH = 32
MAX_LINE_LENGTH = 2000
RESERVED_NAMES = frozenset(
    {"house", "pool", "bank", "box", "cash box", "касса", "rack", "carried", "missing chips"}
)
PAYMENT_WORDS: Mapping[str, str] = {
    "cash": "cash",
    "iou": "iou",
    "transfer": "transfer",
    "due": "due",
    "наличными": "cash",
    "наличные": "cash",
    "нал": "cash",
    "долг": "iou",
    "переводом": "transfer",
    "перевод": "transfer",
}
"""What says how chips are paid, in both languages whatever the night's is: the word -> as it is recorded."""
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_CONTROL_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХасеоріјѕухһԁԛԝ",
    "ABESIJKMHOPCTYXaceopijsyxhdqw",
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a line, and whether it stood in quotes (then it is never an option)."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A line that has been split: its verb, its words, and what stood behind the verb as it was."""

    verb: str
    words: tuple[Word, ...]
    rest: str


def split_line(line: str) -> Command | None:
    """Split a line of table talk; None for an empty line or a comment.

    Raises:
        Refusal: E_ARGS for a quote that is not closed, E_VERB for what can't be a verb.
    """
    text = line.strip().lstrip("\ufeff").lstrip()
    if not text or text.startswith("#"):
        return None
    if len(text) > MAX_LINE_LENGTH:
        raise Refusal("E_ARGS", "line_too_long", {"limit": MAX_LINE_LENGTH})
    verb, *behind = text.split(maxsplit=1)
    rest = behind[0] if behind else ""
    if verb.lower() == "note":
        return Command("note", (), rest)
    return Command(verb.lower(), tuple(_split_words(rest)), rest)


def _split_words(text: str) -> Iterable[Word]:
    position = 0
    while position < len(text):
        char = text[position]
        if char.isspace():
            position += 1
        elif char == "#":
            return
        else:
            word, position = _read_word(text, position)
            yield word


def _read_word(text: str, position: int) -> tuple[Word, int]:
    """Read one word; quotes may also stand inside it (``name="Anna K."``)."""
    chars: list[str] = []
    quoted = text[position] == '"'
    inside = False
    while position < len(text):
        char = text[position]
        if inside and char == "\\" and text[position + 1 : position + 2] in ('"', "\\"):
            chars.append(text[position + 1])
            position += 2
            continue
        if char == '"' and (inside or not chars or chars[-1] == "="):
            inside = not inside
        elif char.isspace() and not inside:
            break
        else:
            chars.append(char)
        position += 1
    if inside:
        raise Refusal("E_ARGS", "quote_open", {"found": text})
    return Word("".join(chars), quoted), position


def quote(text: str) -> str:
    """Write a word so that it reads back as itself."""
    if text and not re.search(r'[\s"#=\\]', text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def printable(text: str) -> str:
    """The text with a blank for everything that steers a terminal or turns the direction of writing."""
    return "".join(
        " " if char in _TURNING or unicodedata.category(char) in _CONTROL_CATEGORIES else char
        for char in text
    )


def clean_name(text: str) -> str:
    """Return a player's name as it is kept: trimmed, inner blanks joined, NFC.

    Raises:
        Refusal: E_PLAYER for an empty or too long name, control or format characters, a reserved word.
    """
    name = clean_title(text, "E_PLAYER")
    if name.casefold() in RESERVED_NAMES:
        raise Refusal("E_PLAYER", "name_reserved", {"found": name})
    return name


def clean_title(text: str, code: str = "E_ARGS") -> str:
    """Return the name of a night as it is kept: like a player's, and any word may be one.

    Raises:
        Refusal: `code` for an empty or too long name, control or format characters.
    """
    title = " ".join(unicodedata.normalize("NFC", text).split())
    if any(unicodedata.category(char) in _FORBIDDEN_CATEGORIES for char in text):
        raise Refusal(code, "name_control", {})
    if not 1 <= len(title) <= MAX_NAME_LENGTH:
        raise Refusal(code, "name_length", {"found": title[:MAX_NAME_LENGTH], "limit": MAX_NAME_LENGTH})
    return title


def same_person(name: str) -> str:
    """The key under which two spellings are the same person."""
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()


def skeleton(name: str) -> str:
    """The name with look-alike Cyrillic letters written in Latin, to tell twins apart from strangers."""
    return same_person(name.translate(_LOOKALIKES)).translate(_LOOKALIKES)


@dataclass
class Words:
    """The words of a command, taken off one by one by whoever reads the verb.

    Attributes:
        players: Same-person key -> player id, of everybody at the table.
        currency: What amounts are counted in.
        money: What money is counted in; None where it is the same.
        chip: What a chip is worth in money.
        bare_ranks: Whether a rank alone is a card.
    """

    words: list[Word]
    players: Mapping[str, str] = field(default_factory=dict)
    currency: Currency = CHIPS
    bare_ranks: bool = False
    rest: str = ""
    options: dict[str, str] = field(default_factory=dict)
    money: Currency | None = None
    chip: Amount = 1

    @property
    def more(self) -> bool:
        """Whether a word is left."""
        return bool(self.words)

    def take_options(self, *names: str) -> None:
        """Take the words ``name=value`` out of the line; with no names given, every unquoted such word."""
        kept = []
        for word in self.words:
            name, mark, value = word.text.partition("=")
            if mark and not word.quoted and (not names or name.lower() in names):
                if name.lower() in self.options:
                    raise Refusal("E_OPTION", "option_twice", {"name": name.lower()})
                self.options[name.lower()] = value
            else:
                kept.append(word)
        self.words = kept

    def text(self) -> str:
        """The next word, whatever it is."""
        if not self.words:
            raise Refusal("E_ARGS", "argument_missing", {})
        return self.words.pop(0).text

    def one_of(self, *words: str) -> str:
        """One of some fixed words."""
        found = self.text().lower()
        if found not in words:
            raise Refusal("E_ARGS", "argument_unknown", {"found": found, "words": ", ".join(words)})
        return found

    def next_payment(self) -> str:
        """How chips are paid, if the next word says so; it is left in the line. Else empty."""
        return PAYMENT_WORDS.get(self.words[0].text.lower(), "") if self.words else ""

    def player(self) -> str:
        """A player at the table, by name; a name with a blank is one word only in quotes."""
        behind = [word.text for word in self.words[1:]]
        name = self.text()
        if same_person(name) not in self.players:
            for length in range(1, len(behind) + 1):
                whole = " ".join((name, *behind[:length]))
                if same_person(whole) in self.players:
                    raise Refusal("E_PLAYER", "name_in_quotes", {"found": whole})
        return self.player_named(name)

    def player_named(self, name: str) -> str:
        """The id of a player at the table."""
        found = self.players.get(same_person(name))
        if found is None:
            raise Refusal("E_PLAYER", "", {"found": " ".join(name.split())[: MAX_NAME_LENGTH * 2]})
        return found

    def amount(self) -> Amount:
        """An amount of chips."""
        return self.chips_in(self.text())

    def chips_in(self, text: str) -> Amount:
        """An amount of chips; where chips have a value, money with its code behind it (``20EUR``) is as many
        chips as it is worth."""
        money = self.money
        if money is None or not text.upper().endswith(money.code):
            return parse_amount(text, self.currency)
        amount = parse_amount(text[: -len(money.code)], money)
        chips, over = divmod(amount, self.chip)
        if over:
            near = tuple(one * self.chip for one in (chips, chips + 1) if one)
            raise Refusal("E_AMOUNT", "money_no_chips", {"found": amount, "chip": self.chip, "near": near})
        return chips

    def money_amount(self) -> Amount:
        """An amount of money."""
        return self.money_in(self.text())

    def money_in(self, text: str) -> Amount:
        """An amount of money, with or without its code behind it where chips have a value."""
        money = self.money
        if money is None:
            return parse_amount(text, self.currency)
        return parse_amount(text[: -len(money.code)] if text.upper().endswith(money.code) else text, money)

    def optional_amount(self) -> Amount | None:
        """An amount if a word is left."""
        return self.amount() if self.more else None

    def number(self) -> int:
        """A whole number that is no amount."""
        return read_number(self.text())

    def cards(self) -> tuple[Card, ...]:
        """All the words left as cards; at least one."""
        if not self.words:
            raise Refusal("E_ARGS", "card_missing", {})
        cards = tuple(parse_card(word.text, bare_rank=self.bare_ranks) for word in self.words)
        self.words = []
        return cards

    def card(self) -> Card:
        """The next word as a card."""
        return parse_card(self.text(), bare_rank=self.bare_ranks)

    def end(self) -> None:
        """Nothing may be left.

        Raises:
            Refusal: E_ARGS; E_OPTION where what is left looks like an option.
        """
        if not self.words:
            return
        name, mark, _value = self.words[0].text.partition("=")
        if mark and not self.words[0].quoted:
            raise Refusal("E_OPTION", "option_not_here", {"name": name})
        raise Refusal("E_ARGS", "argument_extra", {"found": self.words[0].text})


def read_number(text: str, code: str = "E_ARGS") -> int:
    """Read a whole number written in ASCII digits."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Refusal(code, "not_a_number", {"found": text})
    return int(text)


def read_all(words: Words, reader: Callable[[Words], T]) -> T:
    """Read a verb's arguments and make sure nothing is left over."""
    result = reader(words)
    words.end()
    return result
