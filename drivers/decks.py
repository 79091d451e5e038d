"""Enrolled decks in the house folder: which tag or bar code is which card.

``decks/NAME/tags.csv`` is the truth, so it may be edited and exchanged; ``deck.toml`` says whose deck it is.
Both are written beside and moved over, and the version before stays as ``.bak`` (SHOE_PROTOCOL.md 6).
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from assistant.cards import FULL_DECK, Card, parse_card
from assistant.errors import Refusal
from drivers.base import DriverError

FORMAT = 1
TAGS, ABOUT = "tags.csv", "deck.toml"
JOKERS = ("XR", "XB")
"""The red and the black joker, as OSLP/1 writes them."""
CARD_WORDS: tuple[str, ...] = (*map(str, FULL_DECK), *JOKERS)
"""Every word that stands for a card in a tag list."""
LONGEST_TAG = 64
LONGEST_NAME = 60

_NOT_IN_NAMES = frozenset('/\\:*?"<>|+,=')
_RESERVED = re.compile(r"(?:CON|PRN|AUX|NUL|COM[0-9]|LPT[0-9])(?:\..*)?", re.IGNORECASE)
_HEX = re.compile(r"[0-9A-F]{2,40}")
_JOKER_WORDS = {"JOKER1": "XR", "JOKER2": "XB", "XR": "XR", "XB": "XB"}
_TAG_COLUMNS = ("uid_hex", "uid", "tag", "code")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_TABLE = re.compile(r"^\[tags\]\n.*?(?=^\[|\Z)", re.MULTILINE | re.DOTALL)


class BadDeck(DriverError):
    """A deck can't be used: no such deck, a name that can't be a folder, a tag list that can't be read."""


@dataclass(frozen=True, slots=True)
class Deck:
    """An enrolled deck.

    Attributes:
        name: Its folder's name, as a person calls it: ``Blue #2``.
        tags: Tag or code -> card word; several stickers may say the same card.
        format: Format it was enrolled through; empty when imported.
        back: Colour of its back, free text.
        created: When it was enrolled, ISO 8601.
        jokers: How many jokers it holds.
        confirm_twice: Tags that were flagged as near-twins when the deck was enrolled.
    """

    name: str
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    format: str = ""
    back: str = ""
    created: str = ""
    jokers: int = 0
    confirm_twice: frozenset[str] = frozenset()

    @property
    def missing(self) -> tuple[str, ...]:
        """Cards without a tag, in new-deck order."""
        known = set(self.tags.values())
        return tuple(word for word in expected_cards(self.jokers) if word not in known)


def expected_cards(jokers: int = 0) -> tuple[str, ...]:
    """Return a sorted deck: spades from the ace to the king, hearts, diamonds, clubs, jokers."""
    return (*(rank + suit for suit in "SHDC" for rank in "A23456789TJQK"), *JOKERS[:jokers])


def card_of(word: str) -> Card | None:
    """Return the card of a card word; None for a joker."""
    return None if word in JOKERS else parse_card(word)


def checked_name(name: str) -> str:
    """Return a deck's name if it can be the name of a folder everywhere.

    Raises:
        BadDeck: It can't.
    """
    trimmed = " ".join(name.split())
    is_good = (
        0 < len(trimmed) <= LONGEST_NAME
        and trimmed.isprintable()
        and not _NOT_IN_NAMES & set(trimmed)
        and trimmed[0] != "."
        and trimmed[-1] != "."
        and not _RESERVED.fullmatch(trimmed)
    )
    if not is_good:
        raise BadDeck(
            f"{name!r} can't be the name of a deck.",
            f"Use up to {LONGEST_NAME} letters, digits and blanks, such as Blue 2.",
        )
    return trimmed


def load_decks(folder: Path) -> tuple[Deck, ...]:
    """Read every deck in the folder of decks that has a tag list, by name."""
    if not folder.is_dir():
        return ()
    found = sorted(place for place in folder.iterdir() if (place / TAGS).is_file())
    return tuple(load_deck(folder, place.name) for place in found)


def load_deck(folder: Path, name: str) -> Deck:
    """Read one deck.

    Raises:
        BadDeck: There is none of that name, or its tag list can't be read; file and line are named.
    """
    place = folder / checked_name(name)
    if not (place / TAGS).is_file():
        there = sorted(one.parent.name for one in folder.glob(f"*/{TAGS}")) if folder.is_dir() else []
        hint = f"Decks there: {', '.join(there)}." if there else "Enrol one: tableside calibrate shoe."
        raise BadDeck(f"There is no deck {name!r} in {folder}.", hint)
    tags = read_tags(place / TAGS)
    about = _read_about(place / ABOUT)
    twice = about.get("confirm_twice")
    jokers = about.get("jokers")
    return Deck(
        place.name,
        MappingProxyType(tags),
        format=str(about.get("source", "")),
        back=str(about.get("back", "")),
        created=str(about.get("created", "")),
        jokers=jokers if isinstance(jokers, int) and 0 <= jokers <= len(JOKERS) else 0,
        confirm_twice=frozenset(map(str, twice)) & tags.keys() if isinstance(twice, list) else frozenset(),
    )


def save_deck(folder: Path, deck: Deck) -> Path:
    """Write a deck, durably; return its folder.

    Raises:
        BadDeck: The disk refused it; what was there is as it was.
    """
    place = folder / checked_name(deck.name)
    table = tags_csv(deck)
    try:
        place.mkdir(parents=True, exist_ok=True)
        replace_file(place / TAGS, table)
        old = (place / ABOUT).read_text("utf-8") if (place / ABOUT).is_file() else _head(deck)
        replace_file(place / ABOUT, _with_table(old, _about(deck, table)))
    except (OSError, UnicodeDecodeError) as error:
        raise BadDeck(f"Deck {deck.name} can't be written to {place}: {error}.", "Check the disk.") from error
    return place


def change_tag(folder: Path, name: str, tag: str, card: str) -> Deck:
    """Take a tag into a deck as a card, or with an empty card out of it; return the deck as it is now.

    Raises:
        BadDeck: There is no such deck, the tag is another card's there, or the disk refused it.
    """
    deck = load_deck(folder, name)
    tags = dict(deck.tags)
    if card and tags.get(tag, card) != card:
        raise BadDeck(f"Tag {tag} is {tags[tag]} in deck {deck.name}.", "Enrol the deck anew.")
    if card:
        tags[tag] = card
    else:
        tags.pop(tag, None)
    changed = replace(deck, tags=MappingProxyType(tags), confirm_twice=deck.confirm_twice & tags.keys())
    save_deck(folder, changed)
    return changed


def tags_csv(deck: Deck) -> str:
    """Return a deck as CSV, ``card,uid_hex,tag_no``; a code that a spreadsheet would reckon is quoted."""
    is_hex = all(_HEX.fullmatch(tag) and len(tag) % 2 == 0 for tag in deck.tags)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("card", "uid_hex" if is_hex else "code", "tag_no"))
    count: dict[str, int] = {}
    for word in CARD_WORDS:
        for tag in (tag for tag, card in deck.tags.items() if card == word):
            count[word] = count.get(word, 0) + 1
            rows.writerow((word, f"'{tag}" if tag.startswith(_FORMULA) else tag, count[word]))
    return text.getvalue()


def read_tags(path: Path) -> dict[str, str]:
    """Read a tag list, all or nothing: columns ``card`` and ``uid_hex``, ``uid``, ``tag`` or ``code``.

    Raises:
        BadDeck: It can't be read; the line is named.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadDeck(f"{path} can't be read as a tag list: {error}.", "Save it as CSV in UTF-8.") from error
    tags: dict[str, str] = {}
    for line, tag, word in _rows(path, text):
        if tags.get(tag, word) != word:
            raise BadDeck(f"{path}, line {line}: tag {tag} is {tags[tag]} further up, and {word} here.")
        tags[tag] = word
    if not tags:
        raise BadDeck(f"{path} holds no tags.", "Its lines are card,uid_hex: AS,0406B9020A5481.")
    return tags


def import_tags(name: str, path: Path, *, back: str = "", jokers: int = 0) -> Deck:
    """Return the deck that a tag list is; it holds the jokers of the list, and as many as are said.

    Raises:
        BadDeck: It can't be read; the line is named.
    """
    tags = read_tags(path)
    found = len(set(JOKERS) & set(tags.values()))
    return Deck(name, MappingProxyType(tags), back=back, jokers=max(jokers, found))


def _rows(path: Path, text: str) -> Iterator[tuple[int, str, str]]:
    rows = csv.reader(io.StringIO(text, newline=""))
    head = [name.strip().lower() for name in next(rows, [])]
    column = next((name for name in _TAG_COLUMNS if name in head), None)
    if column is None or "card" not in head:
        raise BadDeck(f"{path} is not a tag list.", "Its first line is card,uid_hex or code,card.")
    card_at, tag_at = head.index("card"), head.index(column)
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) <= max(card_at, tag_at):
            raise BadDeck(f"{path}, line {rows.line_num}: there are too few columns.")
        tag, word = _tag(row[tag_at], is_hex=column != "code"), _word(row[card_at])
        if not tag or not word:
            raise BadDeck(
                f"{path}, line {rows.line_num}: not a tag and its card.", "Example: AS,0406B9020A5481."
            )
        yield rows.line_num, tag, word


def _tag(cell: str, *, is_hex: bool) -> str:
    text = cell.strip()
    if text.startswith("'") and text[1:].startswith(_FORMULA):
        text = text[1:]
    if is_hex:
        digits = "".join(text.split()).upper()
        return digits if _HEX.fullmatch(digits) and len(digits) % 2 == 0 else ""
    return text if text.isascii() and text.isprintable() and len(text) <= LONGEST_TAG else ""


def _word(cell: str) -> str:
    text = cell.strip()
    if text.upper() in _JOKER_WORDS:
        return _JOKER_WORDS[text.upper()]
    try:
        return str(parse_card(text))
    except Refusal:
        return ""


def _read_about(path: Path) -> dict[str, object]:
    """What `deck.toml` says of the tags; without it nothing is lost that is needed to play."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    tags = content.get("tags")
    return (tags if isinstance(tags, dict) else {}) | {"back": content.get("back", "")}


def _head(deck: Deck) -> str:
    return f"format = {FORMAT}\nname = {_toml(deck.name)}\nback = {_toml(deck.back)}\n\n"


def _about(deck: Deck, table: str) -> str:
    twice = ", ".join(map(_toml, sorted(deck.confirm_twice)))
    digest = hashlib.sha256(table.encode()).hexdigest()
    return (
        f"[tags]\nsource = {_toml(deck.format)}\njokers = {deck.jokers}\ncreated = {_toml(deck.created)}\n"
        f'confirm_twice = [{twice}]\nsha256 = "{digest}"\n'
    )


def _with_table(old: str, table: str) -> str:
    """The file with its table [tags] replaced; what others keep there stays."""
    rest = _TABLE.sub("", old).rstrip("\n")
    return f"{rest}\n\n{table}"


def _toml(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, once no control character is written as it stands."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def replace_file(path: Path, text: str) -> None:
    """Write a file beside, flush it to the disk, keep the old one as ``.bak`` and move the new one over."""
    fresh = path.with_name(path.name + ".new")
    with fresh.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        kept = path.with_name(path.name + ".bak.new")
        kept.write_bytes(path.read_bytes())
        kept.replace(path.with_name(path.name + ".bak"))
    fresh.replace(path)
