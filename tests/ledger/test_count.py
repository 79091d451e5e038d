"""What a difference may come from: the table of LEDGER.md 6.6, row by row."""

from assistant.ledger.count import (
    Cause,
    Colour,
    Comparison,
    MoneyEntry,
    RoundResult,
    Row,
    compare_colours,
    likely_causes,
)

SET = ((25, 40), (5, 100))
BUYS = (
    MoneyEntry(1, "seat", "A", 100),
    MoneyEntry(2, "seat", "B", 100),
    MoneyEntry(3, "buy", "B", 54),
    MoneyEntry(4, "buy", "B", 54),
    MoneyEntry(5, "cashout", "A", 30),
    MoneyEntry(6, "leave", "C", 12),
)


def counted(*rows: tuple[str, int, int | None], colours: tuple[Colour, ...] = ()) -> Comparison:
    return Comparison(tuple(Row(who, ledger, found) for who, ledger, found in rows), colours)


def kinds(causes: tuple[Cause, ...]) -> list[str]:
    return [cause.kind for cause in causes]


def test_everything_agrees() -> None:
    comparison = counted(("A", 100, 100), ("B", 50, None))
    assert (comparison.wrong, comparison.difference) == ((), 0)
    assert likely_causes(comparison, BUYS, ()) == ()


def test_two_are_off_by_the_same_and_the_total_agrees() -> None:
    rounds = (
        RoundResult(1, {"A": 20, "B": -20}),
        RoundResult(2, {"A": -10, "B": 10}),
        RoundResult(3, {"A": 7, "B": -7}),
        RoundResult(4, {"A": 20, "C": -20}),
        RoundResult(5, {"A": 0, "B": 0}),
    )
    comparison = counted(("A", 180, 160), ("B", 120, 140), ("C", 50, 50))
    assert comparison.difference == 0
    causes = likely_causes(comparison, (), rounds)
    assert causes == (Cause("two_stacks", 20, ("A", "B"), rounds=(1, 2)),)


def test_one_chip_of_a_colour_is_missing() -> None:
    colours = compare_colours(SET, [((25, 39), (5, 100))])
    assert colours == (Colour(25, 40, 39), Colour(5, 100, 100))
    causes = likely_causes(counted(("A", 100, 75), colours=colours), (), ())
    assert causes == (Cause("chip_missing", 25, ("A",), Colour(25, 40, 39)),)


def test_several_chips_of_a_colour_are_missing() -> None:
    colours = compare_colours(SET, [((25, 38), (5, 100))])
    causes = likely_causes(counted(("A", 100, 50), colours=colours), (), ())
    assert causes == (Cause("colour_short", 50, ("A",), Colour(25, 40, 38)),)


def test_a_colour_the_set_does_not_have_is_found() -> None:
    assert compare_colours(SET, [((100, 1), (25, 40), (5, 100))])[0] == Colour(100, 0, 1)


def test_total_is_short_and_no_colour_is() -> None:
    colours = compare_colours(SET, [SET])
    reversed_ = MoneyEntry(7, "buy", "B", 54, stands=False)
    causes = likely_causes(counted(("A", 100, 93), colours=colours), (*BUYS, reversed_), ())
    assert causes == (Cause("no_colour_short", 7, ("A",), entries=(4, 5, 6)),)


def test_more_than_the_ledger_says() -> None:
    assert kinds(likely_causes(counted(("A", 100, 107)), BUYS, ())) == ["too_many"]


def test_digits_swapped() -> None:
    """54 typed for 45: off by 9; only the entries of who is off are looked at, or all for the total."""
    causes = likely_causes(counted(("B", 100, 91)), BUYS, ())
    assert causes == (Cause("swapped", 9, ("B",), entries=(3, 4)),)
    assert kinds(likely_causes(counted(("B", 100, 82)), BUYS, ())) == ["unexplained"]  # 18: no such entry
    causes = likely_causes(counted(("A", 100, 94), ("B", 100, 97)), BUYS, ())
    assert causes == (Cause("swapped", 9, entries=(3, 4, 6)),)


def test_difference_that_is_an_entry_or_twice_one() -> None:
    assert likely_causes(counted(("A", 100, 70)), BUYS, ()) == (Cause("missed", 30, ("A",), entries=(5,)),)
    assert likely_causes(counted(("A", 100, 40)), BUYS, ()) == (
        Cause("wrong_side", 60, ("A",), entries=(5,)),
    )
    reversed_ = (MoneyEntry(7, "buy", "A", 40, stands=False),)
    causes = likely_causes(counted(("A", 60, 100)), reversed_, ())
    assert causes == (Cause("too_many", 40), Cause("missed", 40, ("A",), entries=(7,)))


def test_difference_that_nothing_explains() -> None:
    assert likely_causes(counted(("A", 100, 99)), BUYS, ()) == (Cause("unexplained", -1),)
    assert likely_causes(counted(("A", 9, 5), ("B", 5, 8), ("C", 5, 6)), (), ()) == (
        Cause("unexplained", -4),
    )
