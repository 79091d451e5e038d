"""Facts of records with some fields changed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import pytest

from assistant.records import replace


@dataclass(frozen=True)
class Seat:
    player: str
    stack: int = 0
    cards: tuple[str, ...] = ()


@dataclass(frozen=True)
class Banker(Seat):
    float_: int = 0


@dataclass(frozen=True, slots=True)
class Bet:
    player: str
    amount: int


@dataclass(frozen=True)
class Checked:
    amount: int
    doubled: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        if self.amount < 0:
            raise ValueError("below zero")
        object.__setattr__(self, "doubled", 2 * self.amount)


@pytest.mark.parametrize("record", [Seat("Anna", 5, ("QH",)), Banker("Anna", 5, (), 100), Bet("Anna", 5)])
def test_the_record_named_again_is_equal_and_of_the_same_kind(record: Seat | Bet) -> None:
    new = replace(record, player="Boris")
    assert new == dataclasses.replace(record, player="Boris")
    assert hash(new) == hash(dataclasses.replace(record, player="Boris"))
    assert record.player == "Anna"


def test_a_new_record_stays_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(Seat("Anna"), stack=7).stack = 8  # type: ignore[misc]


@pytest.mark.parametrize("record", [Seat("Anna"), Bet("Anna", 5)])
def test_a_name_that_is_no_field_is_refused(record: Seat | Bet) -> None:
    with pytest.raises(TypeError, match="stak"):
        replace(record, stak=7)  # type: ignore[call-arg]


def test_what_a_class_checks_and_works_out_is_done_again() -> None:
    assert replace(Checked(2), amount=4).doubled == 8
    with pytest.raises(ValueError, match="below zero"):
        replace(Checked(2), amount=-1)


def test_the_old_record_is_untouched_by_what_is_done_to_the_new_one() -> None:
    old = Seat("Anna", 5)
    new = replace(old, stack=6)
    assert (old.stack, new.stack) == (5, 6)
    assert vars(new) is not vars(old)
