"""What a chip is worth, and foreign cash at its rate (LEDGER.md 7.8)."""

import pytest

from assistant.errors import Refusal
from assistant.ledger.exchange import Foreign, read_chip_value, read_foreign
from assistant.money import CHIPS, Currency

EUR = Currency("EUR", 2)


def code_of(text: str, rate: str, money: Currency = EUR) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        read_foreign(text, rate, money)
    return caught.value.code, caught.value.reason


@pytest.mark.parametrize(
    ("text", "rate", "money", "amount", "value"),
    [
        ("50USD", "0.92", EUR, 5000, 4600),
        ("50 usd", "0,92", EUR, 5000, 4600),
        ("33USD", "0.917", EUR, 3300, 3026),  # 30.261: what is less than a cent is rounded down
        ("5000JPY", "0.0061", EUR, 5000, 3050),  # yen have no smaller unit
        ("10.5KWD", "3", EUR, 10500, 3150),  # dinars have three decimals
        ("50USD", "4", CHIPS, 5000, 200),  # a night of chips: 4 chips a dollar
    ],
)
def test_foreign_cash_counts_at_its_rate(
    text: str, rate: str, money: Currency, amount: int, value: int
) -> None:
    found = read_foreign(text, rate, money)
    assert (found.amount, found.value) == (amount, value)
    assert found.rate == rate.replace(",", ".")


def test_rate_is_kept_without_idle_zeros() -> None:
    assert read_foreign("1USD", "0.9200", EUR) == Foreign("USD", 100, "0.92", 92)
    assert read_foreign("1USD", "007", EUR).rate == "7"


@pytest.mark.parametrize(
    ("text", "rate", "expected"),
    [
        ("50", "0.92", ("E_AMOUNT", "foreign_unread")),
        ("USD", "0.92", ("E_AMOUNT", "foreign_unread")),
        ("-5USD", "0.92", ("E_AMOUNT", "foreign_unread")),
        ("50EUR", "1", ("E_OPTION", "foreign_own")),
        ("50USD", "0", ("E_AMOUNT", "rate_unread")),
        ("50USD", "-1", ("E_AMOUNT", "rate_unread")),
        ("50USD", "1e3", ("E_AMOUNT", "rate_unread")),
        ("50USD", "0.1234567", ("E_AMOUNT", "rate_unread")),
        ("50USD", "１", ("E_AMOUNT", "rate_unread")),
        ("0.123USD", "1", ("E_AMOUNT", "amount_too_fine")),
        ("0USD", "1", ("E_AMOUNT", "foreign_nothing")),
        ("0.01USD", "0.5", ("E_AMOUNT", "foreign_nothing")),
    ],
)
def test_what_is_no_cash_or_no_rate_is_refused(text: str, rate: str, expected: tuple[str, str]) -> None:
    assert code_of(text, rate) == expected


def test_chip_is_worth_whole_smallest_units() -> None:
    assert read_chip_value("0.25", EUR) == 25
    assert read_chip_value("2", EUR) == 200
    for text in ("0", "0.125", "-1", "x", "20000"):
        with pytest.raises(Refusal) as caught:
            read_chip_value(text, EUR)
        assert caught.value.code == "E_AMOUNT"
