"""Whole amounts: what is read, what is refused, and that sharing loses nothing."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import Refusal
from assistant.holdings import Holdings, Move
from assistant.money import CHIPS, Currency, format_amount, parse_amount, share_by_weight, share_equally
from assistant.wording import Wording

EURO = Currency("EUR", 2)
DINAR = Currency("KWD", 3)


def refused(text: str, currency: Currency = CHIPS) -> str:
    with pytest.raises(Refusal) as caught:
        parse_amount(text, currency)
    assert caught.value.code == "E_AMOUNT"
    return caught.value.reason


def test_money_string_cases(shared: Path) -> None:
    """Each row of cases/money_strings.tsv: the exact amount, or a refusal; never another amount."""
    with (shared / "cases" / "money_strings.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) == 39
    assert {row["input_json"]: row["expected_minor_units"] for row in rows if not _agrees(row)} == {}


def _agrees(row: dict[str, str]) -> bool:
    text, allowed = json.loads(row["input_json"]), row["expected_minor_units"].split("|")
    currency = Currency("EUR", int(row["currency_decimals"]))
    try:
        return str(parse_amount(text, currency)) in allowed
    except Refusal as refusal:
        return refusal.code == "E_AMOUNT" and ("REJECT" in allowed or allowed[0].startswith("ASK"))


@pytest.mark.parametrize("text", ["12", "12.0", "12.00", "12,00", "0012"])
def test_money_is_kept_in_minor_units(text: str) -> None:
    """TABLE_TALK.md, "Amounts": 12, 12.50 and 12,50 on a night with a currency."""
    assert parse_amount(text, EURO) == 1200


def test_chips_are_whole() -> None:
    assert parse_amount("10") == 10
    assert parse_amount("1 500") == 1500
    assert refused("1,5") == "amount_too_fine"
    assert refused("ten") == "E_AMOUNT"


def test_what_is_no_amount_is_answered_in_the_money_of_the_night() -> None:
    """A night in euros takes cents, so "whole numbers" would be false advice."""
    for text in ("ten", "1.", "1,2,3.4.5", "12 34"):
        assert refused(text, EURO) == "amount_money"
        assert refused(text) != "amount_money"


@pytest.mark.parametrize("text", ["1,234", "1.234", "12.345", "999,999"])
def test_what_can_be_read_in_two_ways_is_refused(text: str) -> None:
    assert refused(text, EURO) == "amount_ambiguous"


def test_three_digits_behind_the_mark_are_no_group_behind_four_or_a_zero() -> None:
    """Groups have three digits and the first none but one to three, not starting with 0."""
    assert refused("12345.678", EURO) == "amount_too_fine"
    assert refused("0,234", EURO) == "amount_too_fine"
    assert parse_amount("0.234", DINAR) == 234
    assert parse_amount("1 234.255", DINAR) == 1234255
    assert refused("1.234", DINAR) == "amount_ambiguous"


@pytest.mark.parametrize(
    ("text", "currency", "readings", "decimals"),
    [
        ("1.005", EURO, ("1005", "1.005", "1.00"), 2),
        ("12,345", EURO, ("12345", "12.345", "12.34"), 2),
        ("12.345", DINAR, ("12345", "12.345", "12.3450"), 4),
    ],
)
def test_both_readings_are_shown_and_how_to_write_each(
    text: str, currency: Currency, readings: tuple[str, str, str], decimals: int
) -> None:
    with pytest.raises(Refusal) as ambiguous:
        parse_amount(text, currency)
    facts = ambiguous.value.facts
    assert (facts["whole"], facts["parts"], facts["written"]) == readings
    assert Wording().refusal(ambiguous.value) == (
        f"“{text}” can be read in two ways, as {readings[0]} or as {readings[1]}. "
        f"Write {readings[0]}, or with {decimals} decimals: {readings[2]}."
    )
    assert parse_amount(readings[0], currency) == int(readings[0]) * currency.unit
    assert readings[2].startswith(format_amount(parse_amount(readings[2], currency), currency))


def test_a_nought_more_than_the_money_has_says_that_these_are_decimals() -> None:
    assert parse_amount("12.3450", DINAR) == 12345
    assert refused("12.3456", DINAR) == "amount_too_fine"
    assert refused("12.3400", EURO) == "amount_too_fine"
    assert refused("12.0") == "amount_too_fine"


def test_mark_inside_a_list_can_only_be_a_point() -> None:
    assert parse_amount("0.50", EURO, point_only=True) == 50
    with pytest.raises(Refusal):
        parse_amount("0,50", EURO, point_only=True)


@pytest.mark.parametrize("text", ["٣", "１２", "1e3", "0x10", "-5", "+5", "5-", "1 2", "12 34", ".", "", "½"])
def test_only_ascii_digits_in_full_groups_are_amounts(text: str) -> None:
    assert refused(text) == "E_AMOUNT"


def test_more_than_nine_digits_are_too_long() -> None:
    """Case B134: 310 digits are refused, and so are ten."""
    assert parse_amount("999 999 999") == 999_999_999
    assert refused("1000000000") == "amount_too_long"
    assert refused("9" * 310, EURO) == "amount_too_long"


@given(st.integers(0, 10**11 - 1), st.sampled_from([CHIPS, EURO, DINAR]))
def test_written_amount_reads_back_as_itself(amount: int, currency: Currency) -> None:
    whole = amount % (10**9 * currency.unit)
    written = format_amount(whole, currency)
    if currency is DINAR and len(written) <= 7 and not written.startswith("0"):
        return  # 1.234 dinars can be read in two ways
    assert parse_amount(written, currency) == whole


def test_signs_are_written_where_asked() -> None:
    assert [format_amount(amount, EURO, sign=True) for amount in (5, 0, -1205)] == ["+0.05", "0.00", "-12.05"]
    assert format_amount(-3) == "-3"


def test_currency_has_its_own_decimals() -> None:
    assert [Currency.named(code).decimals for code in ("eur", "JPY", "KWD")] == [2, 0, 3]
    with pytest.raises(Refusal) as caught:
        Currency.named("euro")
    assert caught.value.code == "E_OPTION"


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_equal_shares_differ_by_one_chip_at_most_and_the_first_get_it(total: int, people: int) -> None:
    """RULES.md 1.6: odd chips one each from the dealer's left, which is the order given."""
    shares = list(share_equally(total, [f"p{number}" for number in range(people)]).values())
    assert sum(shares) == total
    assert shares == sorted(shares, reverse=True)
    assert max(shares) - min(shares) <= 1


def test_pool_of_47_among_six() -> None:
    """LEDGER.md scenario 9."""
    assert list(share_equally(47, list("BCDEFA")).values()) == [8, 8, 8, 8, 8, 7]


def test_weighted_shares_of_ledger_scenario_17() -> None:
    """LEDGER.md scenario 17: 25 by winners (+90, +20) and by losers (60, 30, 20); largest remainders."""
    assert share_by_weight(25, {"C": 90, "E": 20}) == {"C": 20, "E": 5}
    assert share_by_weight(25, {"A": 60, "B": 30, "D": 20}) == {"A": 14, "B": 7, "D": 4}


def test_equal_remainders_go_to_whoever_comes_first() -> None:
    assert share_by_weight(5, {"B": 1, "C": 1, "A": 1}) == {"B": 2, "C": 2, "A": 1}


@given(
    st.integers(0, 10**6),
    st.dictionaries(st.text("abcdef", min_size=1), st.integers(1, 10**6), min_size=1),
)
def test_weighted_shares_lose_nothing_and_stay_within_one_unit(total: int, weights: dict[str, int]) -> None:
    shares = share_by_weight(total, weights)
    assert sum(shares.values()) == total
    base = sum(weights.values())
    assert all(abs(shares[who] * base - total * weight) < base for who, weight in weights.items())


@pytest.mark.parametrize("weights", [{}, {"A": 0}, {"A": 2, "B": -1}])
def test_weights_must_be_positive(weights: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="positive"):
        share_by_weight(5, weights)


def test_moves_create_and_lose_nothing() -> None:
    before = Holdings().moved([Move("in:A", "stack:A", 100)])
    after = before.moved([Move("stack:A", "pool", 30), Move("pool", "stack:B", 10)])
    assert dict(after.places) == {"in:A": -100, "stack:A": 70, "pool": 20, "stack:B": 10}
    assert (before.total(), after.total()) == (0, 0)
    assert before.difference(after) == {"stack:A": -30, "pool": 20, "stack:B": 10}
    assert after.moved([Move("stack:B", "pool", 10)]).places.get("stack:B") is None
