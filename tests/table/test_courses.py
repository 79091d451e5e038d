"""The chart of the stacks: what it follows, and what leaves no trace."""

from assistant.slips.chart import Series
from assistant.store.memory import MemoryNight
from assistant.table.courses import stack_chart
from assistant.table.night_log import NightLog


def chart_of(text: str) -> dict[str, Series]:
    log = NightLog(MemoryNight())
    for line in text.splitlines():
        log.submit(line)
    return {one.name: one for one in stack_chart(log).series}


def test_stacks_are_followed_from_the_first_buy_in_to_the_close() -> None:
    found = chart_of(
        "game casino-red-dog\nseat Ann 100\nseat Bo 50\nbet Ann 10\ncard 5h 9d\nraise Ann\ncard 7c\nclose\n"
    )
    assert found["Ann"].points == ((0, 100), (4, 140))
    assert found["Ann"].marks == (0,)
    assert found["Bo"].points == ((1, 50),)
    assert not found["Ann"].ends


def test_bets_on_the_layout_count_as_the_player_s() -> None:
    found = chart_of("game casino-red-dog\nseat Ann 100\nbet Ann 10\n")
    assert found["Ann"].points == ((0, 100),)


def test_chips_that_were_lent_are_no_buy_in() -> None:
    """Every way of buying in has its mark; a loan changes two stacks and has none."""
    found = chart_of("seat Ann 100 cash\nseat Bo 100\nlend Ann Bo 30\niou Bo 20\nbuy Ann 10 cash\n")
    assert found["Bo"].points == ((1, 100), (2, 130), (3, 150))
    assert (found["Ann"].marks, found["Bo"].marks) == ((0, 4), (1, 3))


def test_lines_that_were_taken_back_leave_no_trace() -> None:
    found = chart_of("game casino-red-dog\nseat Ann 100\nbuy Ann 1000\nundo\nbuy Ann 100\n")
    assert found["Ann"].points == ((0, 100), (1, 200))
    assert found["Ann"].marks == (0, 1)


def test_player_who_leaves_ends_with_what_they_took_along() -> None:
    found = chart_of("game casino-red-dog\nseat Ann 100\nseat Bo 50\nleave Ann\nbuy Bo 5\n")
    assert found["Ann"].points == ((0, 100),)
    assert found["Ann"].ends
    assert found["Bo"].points == ((1, 50), (3, 55))


def test_share_of_the_pool_at_the_close_is_in_the_last_stack() -> None:
    found = chart_of("game acey-deucey-pot ante=5\nseat Ann 100\nseat Bo 100\nround\nvoid\ncarry 10\nclose\n")
    assert found["Ann"].points[-1][1] == 105
    assert found["Bo"].points[-1][1] == 105


def test_rounds_label_the_axis() -> None:
    log = NightLog(MemoryNight())
    for line in "game acey-deucey-pot ante=5\nseat A 100\nseat B 100\nround\nvoid\nround\nvoid".splitlines():
        log.submit(line)
    assert [label for _place, label in stack_chart(log).ticks] == ["1", "2"]


def test_night_without_chips_has_an_empty_chart() -> None:
    assert stack_chart(NightLog(MemoryNight())).is_empty
