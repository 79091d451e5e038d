"""What a person types to name a source: ``kind:address,option=value`` (table talk, "Commands")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from drivers.base import BadSource
from drivers.link import SavedCursor

_OPTION = re.compile(r"\s*([A-Za-z][A-Za-z_]*)\s*=(.*)", re.DOTALL)
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")
_YES = frozenset({"1", "yes", "true", "on"})
_NO = frozenset({"0", "no", "false", "off"})


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """A source as typed.

    Attributes:
        kind: ``serial``, ``camera``, ... in lower case.
        address: Port, file, folder, index or URL; may be empty.
        options: Option names in lower case with their values as typed.
        noun: What it is called in messages: a source, a printer.
        house: The house folder, where decks lie; None for the platform's own.
        cursors: Where the shoes were read up to when the program last stopped.
    """

    kind: str
    address: str = ""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    noun: str = field(default="source", compare=False)
    house: Path | None = field(default=None, compare=False)
    cursors: tuple[SavedCursor, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        """How the source is called in events: option ``name``, else kind and address without a password."""
        chosen = self.options.get("name", "")
        address = _CREDENTIALS.sub("", self.address)
        text = chosen or (f"{self.kind}:{address}" if address else self.kind)
        return "".join(sign if sign.isprintable() else "?" for sign in text)

    def reader(self) -> OptionReader:
        """Return a reader of the options that knows afterwards which ones nobody asked for."""
        return OptionReader(self)


def split_source(text: str, noun: str = "source", example: str = "serial:/dev/ttyUSB0") -> SourceSpec:
    """Take a source (or a printer, by another noun) apart; says nothing about whether its kind exists.

    Blanks around the parts are trimmed. Commas belong to the address unless ``name=`` follows, so file names
    may hold commas; a URL with a query keeps everything.

    Raises:
        BadSource: There is no kind, or an option is given twice.
    """
    kind, colon, rest = text.strip().partition(":")
    if not kind.strip():
        raise BadSource(f"{text!r} is not a {noun}.", f"Write kind:address, such as {example}.")
    parts = rest.split(",") if colon else []
    options: dict[str, str] = {}
    while parts and "?" not in parts[0].partition("=")[0] and (found := _OPTION.fullmatch(parts[-1])):
        name = found[1].lower()
        if name in options:
            raise BadSource(f"Option {name} is given twice in {text!r}.", "Leave one of them out.")
        options[name] = found[2].strip()
        parts.pop()
    return SourceSpec(kind.strip().lower(), ",".join(parts).strip(), MappingProxyType(options), noun)


def with_options(text: str, changes: Mapping[str, str]) -> str:
    """Return a typed source with some options set anew; an empty value leaves the option out.

    Raises:
        BadSource: It is no source.
    """
    spec = split_source(text)
    typed = dict(reversed(list(spec.options.items())))  # they were taken apart from the end
    options = {name: value for name, value in {**typed, **changes}.items() if value}
    return ",".join((f"{spec.kind}:{spec.address}", *(f"{name}={value}" for name, value in options.items())))


class OptionReader:
    """Reads options one by one, each with its kind and default; `done` names what was left over."""

    def __init__(self, spec: SourceSpec) -> None:
        self._spec = spec
        self._known = {"name"}

    def text(self, name: str, default: str = "", choices: tuple[str, ...] = ()) -> str:
        """Return a word; with `choices` only one of them, in lower case."""
        found = self._value(name)
        if found is None:
            return default
        if choices and found.lower() not in choices:
            raise self._bad(name, found, f"one of {', '.join(choices)}")
        return found.lower() if choices else found

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        found = self._value(name)
        if found is None:
            return default
        if not re.fullmatch(r"[0-9]{1,12}", found, re.ASCII) or not low <= int(found) <= high:
            raise self._bad(name, found, f"a whole number from {low} to {high}")
        return int(found)

    def number(self, name: str, default: float, low: float, high: float) -> float:
        """Return a decimal number from `low` to `high`."""
        found = self._value(name)
        if found is None:
            return default
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", found, re.ASCII) or not low <= float(found) <= high:
            raise self._bad(name, found, f"a number from {low:g} to {high:g}")
        return float(found)

    def flag(self, name: str, default: bool = False) -> bool:
        """Return yes or no, typed as 1/0, yes/no, true/false or on/off."""
        found = self._value(name)
        if found is None:
            return default
        if found.lower() not in _YES | _NO:
            raise self._bad(name, found, "yes or no")
        return found.lower() in _YES

    def done(self) -> None:
        """Check that every option was one of those asked for.

        Raises:
            BadSource: Some were not; the known ones are named.
        """
        unknown = sorted(set(self._spec.options) - self._known)
        if unknown:
            raise BadSource(
                f"A {self._spec.kind} {self._spec.noun} has no option {', '.join(unknown)}.",
                f"Known options: {', '.join(sorted(self._known))}.",
            )

    def _value(self, name: str) -> str | None:
        self._known.add(name)
        return self._spec.options.get(name)

    def _bad(self, name: str, found: str, expected: str) -> BadSource:
        return BadSource(f"Option {name}={found!r} of {self._spec.name} is not {expected}.")
