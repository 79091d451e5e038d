"""Scenarios 2 to 4, 20 to 22, 26 and 27 of LEDGER.md chapter 9: who pays whom."""

from assistant.ledger.settlement import settle
from assistant.table.record import night_record
from tests.table.scenario_play import BANK, SET, loses, pay_everything, payments, plan_of, received
from tests.table.talking import code, dues, message, nets, played, stacks, submit, told


def test_2_mixed_night_is_paid_from_the_box_and_between_players() -> None:
    log = played(BANK, "seat A 100 cash", "seat B 100 cash", "buy B 100 iou")
    loses(log, "B", 150, "A")
    assert stacks(log) == {"A": 250, "B": 50}
    submit(log, "cashout A 250", "cashout B 50")
    assert (nets(log), dues(log), log.night.books.box) == ({"A": 150, "B": -150}, {"A": -250, "B": 50}, 200)
    assert received(log) == {"A": 250, "B": -50, "box": -200}
    log.submit("close")
    assert payments(log) == [("B", "A", 50), ("box", "A", 200)]
    pay_everything(log)
    assert (dues(log), log.night.books.box) == ({"A": 0, "B": 0}, 0)


def test_3_who_left_with_cash_is_absent_from_the_plan() -> None:
    log = played(BANK, "seat A 100 cash", "seat B 100 cash", "seat C 100 cash")
    loses(log, "A", 40, "C")
    log.submit("leave C cash")
    gone = "THE BANKER HAS LEFT: C. No player banks now; one who will: house NAME"
    assert told(log) == ("CASH OUT 140: C", "PAY 140 in cash: C", gone)
    assert (log.night.books.box, nets(log)["C"], dues(log)["C"]) == (160, 40, 0)
    log.submit("close")
    assert payments(log) == [("box", "A", 60), ("box", "B", 100)]


def test_4_who_left_unpaid_stays_a_node_of_the_plan() -> None:
    log = played(BANK, "seat A 100", "seat B 100", "seat C 100")
    loses(log, "A", 40, "C")
    log.submit("leave C")
    assert (dues(log)["C"], log.night.person("p3").has_left) == (-40, True)
    submit(log, "cashout A 60", "cashout B 100", "close")
    assert payments(log) == [("A", "C", 40)]
    assert nets(log)["B"] == 0


def test_20_cashier_hub_and_between_players() -> None:
    moved = {"Vera": 85, "Gleb": 55, "Egor": 65}
    seats = ("Ann", "Boris", "Vera", "Gleb", "Dasha", "Egor", "Zoya")
    losses = (("Ann", 35, "Vera"), ("Boris", 50, "Vera"), ("Dasha", 55, "Gleb"), ("Zoya", 65, "Egor"))
    expected = {
        "players": [("Ann", "Vera", 35), ("Boris", "Vera", 50), ("Dasha", "Gleb", 55), ("Zoya", "Egor", 65)],
        "cashier": [
            *(("Ann", "box", 35), ("Boris", "box", 50), ("Dasha", "box", 55), ("Zoya", "box", 65)),
            *(("box", "Vera", 85), ("box", "Gleb", 55), ("box", "Egor", 65)),
        ],
        "hub Vera": [
            *(("Ann", "Vera", 35), ("Boris", "Vera", 50), ("Dasha", "Vera", 55), ("Zoya", "Vera", 65)),
            *(("Vera", "Gleb", 55), ("Vera", "Egor", 65)),
        ],
    }
    for mode, plan in expected.items():
        log = played(BANK, *(f"seat {name} 100" for name in seats), f"settle {mode}")
        for loser, amount, winner in losses:
            loses(log, loser, amount, winner)
        log.submit("close")
        assert (mode, payments(log)) == (mode, plan)
        pay_everything(log)
        assert (set(dues(log).values()), log.night.books.box) == ({0}, 0)
    assert sum(amount for _payer, _payee, amount in expected["players"]) == sum(moved.values()) == 205


def test_21_cash_and_iou_in_one_night() -> None:
    log = played(BANK, "seat A 100 cash", "seat B 200 iou", "seat C 100 cash", "seat D 100 iou")
    loses(log, "B", 130, "A")
    loses(log, "D", 100, "C")
    log.submit("close")
    assert payments(log) == [("B", "A", 130), ("D", "A", 100), ("box", "C", 200)]
    pay_everything(log)
    assert (dues(log), log.night.books.box) == ({"A": 0, "B": 0, "C": 0, "D": 0}, 0)


def test_22_line_is_paid_in_parts_and_never_over() -> None:
    log = played(BANK, "seat A 100", "seat B 100", "seat C 100", "seat D 100")
    loses(log, "A", 95, "B")
    loses(log, "C", 20, "D")
    log.submit("close")
    assert payments(log) == [("A", "B", 95), ("C", "D", 20)]
    log.submit("pay A B 60 by card")
    assert [line.open for line in plan_of(log).lines] == [35, 20]
    assert code(log, "pay A B 40") == "E_PAY"
    assert "only 35 is open, not 40" in message(log, "pay A B 40")
    log.submit("pay A B 35")
    assert [line.open for line in plan_of(log).lines] == [0, 20]
    assert (code(log, "pay A B 1"), code(log, "pay B A 5"), code(log, "pay A C 5")) == ("E_PAY",) * 3
    assert night_record(log.night)["settlement"] == [
        {"from": "A", "to": "B", "amount": 95},
        {"from": "C", "to": "D", "amount": 20},
    ]


def test_22_one_payment_does_not_change_the_other_lines() -> None:
    """spliit#178: nine people, eight payments; Grace pays hers and the other seven stay as they are."""
    values = [307594, 34005, -70525, 43507, -68593, -64524, -59892, -66892, -54680]
    names = ["Anna", "Ben", "Cleo", "Dave", "Eli", "Finn", "Grace", "Hugo", "Ida"]
    log = played(BANK.replace("max=1000", "max=999999"), *(f"seat {name} 400000" for name in names))
    owed = dict(zip(names, values, strict=True))
    submit(log, *(f"sitout {name}" for name in names))
    for transfer in settle(owed).transfers:
        submit(log, f"back {transfer.payer}", f"back {transfer.payee}")
        loses(log, transfer.payer, transfer.amount, transfer.payee)
        submit(log, f"sitout {transfer.payer}", f"sitout {transfer.payee}")
    assert nets(log) == owed
    log.submit("close")
    before = payments(log)
    assert len(before) == 8
    number = next(place for place, line in enumerate(before, 1) if line[0] == "Grace")
    log.submit(f"pay {number}")
    assert payments(log) == before
    assert [line.open == line.amount for line in plan_of(log).lines].count(False) == 1


def test_22_new_plan_is_made_of_what_is_open_and_replaces_the_old() -> None:
    log = played(BANK, "seat A 100", "seat B 100", "seat C 100")
    loses(log, "A", 30, "B")
    loses(log, "C", 50, "B")
    submit(log, "close", "pay A B 10", "settle hub C")
    assert payments(log) == [("A", "C", 20), ("C", "B", 70)]
    assert [(plan.number, [line.paid for line in plan.lines]) for plan in log.night.books.replaced] == [
        (1, [10, 0])
    ]
    pay_everything(log)
    assert (plan_of(log).number, set(dues(log).values())) == (2, {0})


def test_26_shared_cost_and_a_tip() -> None:
    log = played("game red-dog-pool", "tip to=H", *(f"seat {name} 100 iou" for name in "ABCD"))
    submit(log, "expense A 610 pizza", "tip B 10")
    assert told(log) == ("TIP 10: B for H; change the chips into the rack",)
    log.submit("close")
    assert received(log) == {"A": 457, "B": -163, "C": -152, "D": -152, "H": 10}
    assert payments(log) == [("B", "A", 163), ("C", "A", 152), ("D", "A", 142), ("D", "H", 10)]
    assert nets(log) == dict.fromkeys("ABCDH", 0)
    assert set(night_record(log.night)["nets"]) == set("ABCD")  # type: ignore[call-overload]
    pay_everything(log)
    assert set(dues(log).values()) == {0}


def test_27_loan_moves_chips_and_no_rack() -> None:
    log = played(SET, "seat A 100 cash", "seat B 100 cash")
    rack = log.night.books.rack
    log.submit("lend A B 50")
    assert (stacks(log), dues(log)) == ({"A": 50, "B": 150}, {"A": -50, "B": 50})
    assert log.night.books.rack == rack
    assert nets(log) == {"A": 0, "B": 0}
    assert code(log, "lend A B 60") == "E_STACK"
