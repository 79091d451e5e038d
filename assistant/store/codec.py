"""Events to JSON and back, with a version number and readers for old versions.

The types are given by the caller: the store knows no game. An event is kept as its fields and ``"type"``, the
name of its class; so are events inside events and members of unions. Cards are kept as ``QH``, enums by their
value.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Union, get_args, get_origin

import cattrs
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

from assistant.cards import Card, Rank, Suit
from assistant.store.base import BadEntry, NightTooNew, UnknownEvent

CODEC_VERSION = 3
"""3: chips of a value, foreign cash, counts with a beginning and a neighbour; older entries lack them."""
TYPE_FIELD = "type"
_PLAIN = (int, str, bool, float)

Body = dict[str, Any]
"""An event as JSON values."""


class Codec:
    """Writes events of some types as JSON values and reads them again, exactly.

    Args:
        types: Frozen dataclasses. Their names must differ and none may have a field ``type``.
        readers: For each old version the function that turns a body of that version into one of the next.

    Raises:
        ValueError: The types can't be told apart.
    """

    def __init__(
        self, types: Iterable[type], readers: Mapping[int, Callable[[Body], Body]] | None = None
    ) -> None:
        self._types: dict[str, type] = {}
        for kind in types:
            self._add(kind)
        self._readers = dict(readers or {})
        self._converter = self._make_converter()

    def encode(self, event: object) -> Body:
        """Return an event as JSON values.

        Raises:
            UnknownEvent: Its type isn't one of the codec's.
            BadEntry: A field has no form in JSON.
        """
        if self._types.get(type(event).__name__) is not type(event):
            raise UnknownEvent(f"Events of type {type(event).__name__} cannot be kept; {self._known()}.")
        try:
            body: Body = self._converter.unstructure(event)
        except Exception as error:
            raise BadEntry(f"A {type(event).__name__} cannot be written: {error}.") from error
        return body

    def decode(self, body: Mapping[str, Any], version: int = CODEC_VERSION) -> Any:
        """Return the event of a body that `encode` made, now or in an earlier version.

        Raises:
            NightTooNew: A later version wrote it.
            UnknownEvent: Its type isn't one of the codec's.
            BadEntry: Its fields aren't those of its type.
        """
        if version > CODEC_VERSION:
            raise NightTooNew(
                f"An entry has version {version}; this program reads up to {CODEC_VERSION}.",
                "Install the newer version to open it.",
            )
        for number in range(version, CODEC_VERSION):
            body = self._readers[number](dict(body)) if number in self._readers else body
        if body is None:  # a field may be empty, an event never
            raise BadEntry("An entry holds nothing where an event was expected.")
        try:
            return self._read_tagged(body)
        except (UnknownEvent, BadEntry):
            raise
        except Exception as error:
            raise BadEntry(f"A {body.get(TYPE_FIELD)} cannot be read: {error!r}.") from error

    def _add(self, kind: type) -> None:
        if not is_dataclass(kind):
            raise ValueError(f"{kind.__name__} is no dataclass")
        if self._types.get(kind.__name__, kind) is not kind:
            raise ValueError(f"two events are called {kind.__name__}")
        if any(field.name == TYPE_FIELD for field in fields(kind)):
            raise ValueError(f"{kind.__name__} has a field called {TYPE_FIELD}")
        self._types[kind.__name__] = kind

    def _known(self) -> str:
        return "known are " + ", ".join(sorted(self._types))

    def _make_converter(self) -> cattrs.Converter:
        converter = cattrs.Converter(forbid_extra_keys=True, detailed_validation=False)
        for plain in _PLAIN:
            converter.register_structure_hook(plain, _read_exactly(plain))
        converter.register_unstructure_hook(Card, str)
        converter.register_structure_hook(Card, _read_card)
        converter.register_unstructure_hook_func(
            _is_set, lambda values: sorted(map(converter.unstructure, values))
        )
        converter.register_unstructure_hook_func(
            _is_tuple, lambda values: [converter.unstructure(value) for value in values]
        )
        converter.register_unstructure_hook_func(
            _is_mapping,
            lambda items: {_name(key): converter.unstructure(value) for key, value in items.items()},
        )
        converter.register_unstructure_hook_func(_is_any_union, converter.unstructure)
        converter.register_unstructure_hook_func(_is_anything, converter.unstructure)
        converter.register_structure_hook_func(
            self._is_union_of_events, lambda body, _kind: self._read_tagged(body)
        )
        converter.register_structure_hook_func(_is_anything, lambda value, _kind: self._read_anything(value))
        converter.register_structure_hook_factory(_is_tuple_of_one_kind, _reader_of_tuples)
        # made for a type when it first comes: a night knows a hundred of them and uses thirty
        converter.register_unstructure_hook_factory(self._is_event, _writer_of)
        converter.register_structure_hook_factory(self._is_event, _reader_of)
        return converter

    def _is_event(self, kind: Any) -> bool:
        return isinstance(kind, type) and self._types.get(kind.__name__) is kind

    def _is_union_of_events(self, kind: Any) -> bool:
        members = set(_members(kind)) - {type(None)}
        return len(members) > 1 and members <= set(self._types.values())

    def _read_tagged(self, body: Any) -> Any:
        if body is None:
            return None
        name = body.get(TYPE_FIELD) if isinstance(body, dict) else None
        kind = self._types.get(name) if isinstance(name, str) else None
        if kind is None:
            raise UnknownEvent(f"An entry holds an event of type {name!r}; {self._known()}.")
        return self._converter.get_structure_hook(kind)(body, kind)

    def _read_anything(self, value: Any) -> Any:
        if isinstance(value, Mapping) and value.get(TYPE_FIELD) in self._types:
            return self._read_tagged(value)
        return value


def _writer_of(kind: type, converter: cattrs.Converter) -> Callable[[Any], Body]:
    """A function that writes events of one type."""
    write: Callable[[Any], Body] = make_dict_unstructure_fn(kind, converter)

    def write_tagged(event: Any) -> Body:
        return {TYPE_FIELD: kind.__name__, **write(event)}

    return write_tagged


def _reader_of(kind: type, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    """A function that reads bodies of one type."""
    read: Callable[[Any, type], Any] = make_dict_structure_fn(
        kind, converter, _cattrs_forbid_extra_keys=False
    )
    names = {field.name for field in fields(kind)} | {TYPE_FIELD}

    def read_tagged(body: Any, _kind: Any) -> Any:
        if not body.keys() <= names:
            raise BadEntry(f"{', '.join(sorted(body.keys() - names))} is no field of a {kind.__name__}.")
        return read(body, kind)

    return read_tagged


def _is_tuple_of_one_kind(kind: Any) -> bool:
    return _is_tuple(kind) and len(get_args(kind)) == 2 and get_args(kind)[1] is Ellipsis


def _reader_of_tuples(kind: Any, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    """A function that reads tuples of one kind of thing."""
    member = get_args(kind)[0]
    read = converter.get_structure_hook(member)
    return lambda values, _kind: tuple([read(value, member) for value in values])


def _read_exactly(plain: type) -> Callable[[Any, Any], Any]:
    """A reader that takes a value of one type only: cattrs would make an amount out of ``"5"`` or 5.7."""

    def read(value: Any, kind: Any) -> Any:
        if kind is plain and type(value) is plain:  # nearly always
            return value
        if isinstance(kind, type) and issubclass(kind, Enum):  # an IntEnum is an int as well
            return kind(value)
        if plain is float and type(value) is int:
            return float(value)
        if type(value) is not plain:
            raise BadEntry(f"{value!r} stands where a {plain.__name__} was expected.")
        return value

    return read


def _read_card(text: Any, _kind: Any) -> Card:
    """Read a card of the log; only the one form that is written, unlike `assistant.cards.parse_card`."""
    try:
        letter, suit = text
        rank = Rank("23456789TJQKA".index(letter) + 2)
        return Card(rank, None if suit == "?" else Suit(suit))
    except (ValueError, TypeError) as error:
        raise BadEntry(f"{text!r} is no card of the log; QH or Q? was expected.") from error


def _name(key: object) -> str:
    """The name of a member; JSON has text only, and numbers turned into text wouldn't come back."""
    if not isinstance(key, str) or isinstance(key, Enum):
        raise BadEntry(f"{key!r} cannot be a name in JSON; text was expected.")
    return key


def _members(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, python_types.UnionType) else ()


def _is_any_union(kind: Any) -> bool:
    return bool(_members(kind))


def _is_anything(kind: Any) -> bool:
    return kind is object or kind is Any


def _is_mapping(kind: Any) -> bool:
    origin = get_origin(kind) or kind
    return isinstance(origin, type) and issubclass(origin, (Mapping, python_types.MappingProxyType))


def _is_tuple(kind: Any) -> bool:
    return (get_origin(kind) or kind) is tuple


def _is_set(kind: Any) -> bool:
    origin = get_origin(kind) or kind
    return isinstance(origin, type) and issubclass(origin, (set, frozenset))
