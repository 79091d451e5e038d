"""Reads a table of results made elsewhere: ``player,net``, or what each bought and cashed out.

All or nothing: a line that cannot be read refuses the file, and every such line is named. Nothing is guessed:
separator and decimal mark have to be clear, one person stands in two lines only where an id says so.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.errors import AssistantError, Refusal
from assistant.export.csv_files import PLAYERS_HEAD, unguard
from assistant.ledger.nodes import MISSING_NAME, NODES, SURPLUS_NAME
from assistant.money import CHIPS, Amount, Currency, format_amount, parse_amount
from assistant.talk import clean_name, same_person, skeleton
from assistant.wording import Wording

SEPARATORS = (",", ";", "\t")
CENTS = Currency("", 2)
_HEADS: Mapping[str, tuple[str, ...]] = {
    "player": ("player", "name", "player_nickname", "nickname", "игрок", "имя"),
    "id": ("player_id", "id"),
    "net": ("net", "result", "balance", "итог", "результат"),
    "in": ("in", "buy_in", "buyin", "bought_in", "взнос", "взносы", "закуп"),
    "out": ("out", "buy_out", "buyout", "cash_out", "cashed_out", "выдано", "выход"),
    "stack": ("stack", "стек"),
}
_SUMS = ("net", "in", "out", "stack")
_MINUS = "-−–"
_MOST_PROBLEMS = 3


class BadTable(AssistantError):
    """The file holds no table of results, or a line of it cannot be read; nothing was taken from it."""


@dataclass(frozen=True, slots=True)
class Nets:
    """What a file holds.

    Attributes:
        nets: Each player's result in smallest units, in the order of the file.
        currency: Whole units, or hundredths where the file has decimals.
    """

    nets: Mapping[str, Amount]
    currency: Currency = CHIPS


@dataclass(frozen=True, slots=True)
class _Line:
    """A row of the file with its number, by the meaning of its columns.

    Attributes:
        decimals: Of a table that this program wrote: how many every amount has. Of others -1.
    """

    number: int
    cells: Mapping[str, str]
    decimals: int = -1


def read_nets(data: bytes, currency: Currency | None = None) -> Nets:
    """Read a table of results.

    Args:
        data: The file: UTF-8 (with or without its mark), or UTF-16 as spreadsheets also write.
        currency: What amounts are in; None means whole units, or hundredths where there are decimals; of a
            table that this program wrote, what it has.

    Raises:
        BadTable: Something in it cannot be read.
    """
    lines = list(_lines(_decode(data)))
    if not lines:
        raise BadTable("The file has no line with a player.", "It needs a line player,net and one a player.")
    if currency is None and lines[0].decimals > CENTS.decimals:
        currency = Currency("", lines[0].decimals)
    elif currency is None:
        currency = CHIPS if all(map(_is_whole, _amounts(lines))) else CENTS
    nets: dict[str, Amount] = {}
    names: dict[str, tuple[str, int]] = {}
    looks: dict[str, tuple[str, str, int]] = {}
    problems = []
    for line in lines:
        try:
            key, name, net = _result(line, currency)
            if "id" not in line.cells and key in names:
                raise BadTable(f"{name} stands in line {names[key][1]} already")
            _check_look(key, name, line.number, looks)
            names[key] = (name, line.number)
            nets[key] = nets.get(key, 0) + net
        except BadTable as problem:
            problems.append(f"line {line.number}: {problem.message}")
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        told = "; ".join(problems[:_MOST_PROBLEMS]) + (f"; and {more} more" if more > 0 else "")
        raise BadTable(f"Nothing was read. {told}.", "Mend the lines and try again.")
    return Nets(_by_name(nets, names), currency)


def _check_look(key: str, name: str, number: int, looks: dict[str, tuple[str, str, int]]) -> None:
    """Two people whose names look alike would pay each other, and nobody could tell who is who on paper."""
    other, its_name, its_number = looks.setdefault(skeleton(name), (key, name, number))
    if other != key and same_person(its_name) != same_person(name):
        raise BadTable(f"{name} looks like {its_name} of line {its_number}, written in other letters")


def _decode(data: bytes) -> str:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadTable(
            f"The file is no UTF-8 text: bad byte in line {line}.", "Save it as “CSV UTF-8”."
        ) from error


def _lines(text: str) -> Iterator[_Line]:
    """Rows with their numbers; empty ones count but are left out, and so is ``sep=;`` that Excel writes."""
    first = text.split("\n", 1)[0].rstrip("\r")
    skipped, separators = 0, list(SEPARATORS)
    if first.lower().startswith("sep=") and len(first) == 5:
        text, skipped, separators = text.partition("\n")[2], 1, [first[4]]
    rows, heads, columns = _split(text, separators)
    decimals = _own_decimals([row for _number, row in rows], heads, text)
    for number, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) < max(heads.values()) + 1:
            missing = f"line {number + skipped}: {len(row)} cells; the table has {max(heads.values()) + 1}"
            raise BadTable(f"Nothing was read. {missing}.", "Quote cells that hold the separator.")
        if any(cell.strip() for cell in row[columns:]):  # 12,50 without quotes: half of the amount
            more = f"line {number + skipped}: {len(row)} cells; the table has {columns}"
            hint = 'Quote amounts with a decimal comma ("12,50"), or separate cells by semicolons.'
            raise BadTable(f"Nothing was read. {more}.", hint)
        cells = {head: row[place].strip() for head, place in heads.items()}
        if decimals > CENTS.decimals:  # 12.345 is no group here: written so that it has one reading
            cells = {head: f"{cell}0" if head in _SUMS and cell else cell for head, cell in cells.items()}
        yield _Line(number + skipped, cells, decimals)


def _own_decimals(rows: Sequence[Sequence[str]], heads: Mapping[str, int], text: str) -> int:
    """How many decimals every amount has, in a table that this program wrote: no groups, one number of
    decimals throughout; else -1."""
    head = re.split(r"[,;]", text.lstrip().partition("\n")[0].strip().replace('"', ""))
    if tuple(head) != PLAYERS_HEAD:
        return -1
    places = [heads[one] for one in _SUMS if one in heads]
    amounts = {row[place].strip() for row in rows for place in places if place < len(row)} - {""}
    found = [re.fullmatch(r"[+-]?[0-9]+(?:[.,]([0-9]+))?", amount) for amount in amounts]
    decimals = {len(one[1] or "") if one else -1 for one in found}
    return decimals.pop() if len(decimals) == 1 else -1


def _split(text: str, separators: Sequence[str]) -> tuple[list[tuple[int, list[str]]], dict[str, int], int]:
    """Rows, which column is what, and how many there are, by the separator with which the first line makes
    sense.

    A table without a head line is taken only where one separator alone makes sense: ``Ann;12,50`` does not.
    """
    bare: list[list[tuple[int, list[str]]]] = []
    for separator in separators:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        try:
            rows = [(reader.line_num, row) for row in reader]
        except csv.Error:
            continue
        filled = [one for one in rows if any(cell.strip() for cell in one[1])]
        if not filled:
            continue
        heads = _heads(filled[0][1])
        if "player" in heads and ("net" in heads or {"in", "out"} <= heads.keys()):
            return filled[1:], heads, len(filled[0][1])
        if all(len(row) == 2 for _number, row in filled) and _is_amount(filled[0][1][1]):
            bare.append(filled)
    if len(bare) == 1:
        return bare[0], {"player": 0, "net": 1}, 2
    raise BadTable(
        "The file is no table of results: its first line names no columns that are known.",
        "It needs player,net or player,in,out; separators , ; or tab.",
    )


def _heads(row: Sequence[str]) -> dict[str, int]:
    heads: dict[str, int] = {}
    for place, cell in enumerate(row):
        word = cell.strip().casefold().replace(" ", "_").replace("-", "_")
        for head, words in _HEADS.items():
            if word in words and head not in heads:
                heads[head] = place
    return heads


def _amounts(lines: Sequence[_Line]) -> Iterator[str]:
    for line in lines:
        yield from (text for head, text in line.cells.items() if head not in ("player", "id") and text)


def _is_whole(text: str) -> bool:
    """Whether an amount is whole and nothing else: ``1.234`` may be thousands, or have decimals."""
    return _is_amount(text, CHIPS) and _is_amount(text, CENTS)


def _is_amount(text: str, currency: Currency = CENTS) -> bool:
    try:
        _signed(text, currency)
    except BadTable:
        return False
    return True


def _signed(text: str, currency: Currency) -> Amount:
    word = text.strip()
    is_minus = word[:1] in tuple(_MINUS)
    try:
        amount = parse_amount(word[1:] if is_minus or word[:1] == "+" else word, currency)
    except Refusal as refusal:
        raise BadTable(Wording(currency=currency).refusal(refusal).rstrip(".")) from refusal
    return -amount if is_minus else amount


def _result(line: _Line, currency: Currency) -> tuple[str, str, Amount]:
    """Who a line is about, what they are called, and their result."""
    cells = line.cells
    name = _name(unguard(cells["player"]))
    key = cells["id"] if cells.get("id") else same_person(name)
    parts = {head: _signed(cells[head], currency) for head in _SUMS if cells.get(head)}
    worked_out = parts.get("out", 0) + parts.get("stack", 0) - parts.get("in", 0)
    if "net" not in parts:
        if not parts:
            raise BadTable(f"{name} has no amount")
        return key, name, worked_out
    if "in" in parts and "out" in parts and parts["net"] != worked_out:
        given, found = (format_amount(one, currency, sign=True) for one in (parts["net"], worked_out))
        raise BadTable(f"the net of {name} is {given}, and out less in is {found}")
    return key, name, parts["net"]


def _name(text: str) -> str:
    if text.casefold() in (*NODES, MISSING_NAME, SURPLUS_NAME):
        return text.casefold()
    try:
        return clean_name(text)
    except Refusal as refusal:
        raise BadTable(Wording().refusal(refusal).rstrip(".")) from refusal


def _by_name(nets: Mapping[str, Amount], names: Mapping[str, tuple[str, int]]) -> dict[str, Amount]:
    """Results by name; two ids of one name would pay each other under it."""
    found: dict[str, Amount] = {}
    for key, net in nets.items():
        name, number = names[key]
        if name in found:
            raise BadTable(f"Nothing was read. Two players are called {name} (line {number}).", "Rename one.")
        found[name] = net
    return found
