"""A night from pictures alone: three casino rounds and a pool round through a camera on loopback.

Every picture goes the whole way: MJPEG over HTTP, OpenCV, the reader, tracking, table, screen. One card can't
be read: it is asked for, with its picture beside the question, and never booked by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from mjpeg_server import MjpegServer
from table_pictures import Lying, posts_and_third, shown_hand, table_picture
from tests.console.test_sources_in_console import Watch, console

CLEARED_S = 2.5
"""So long a dealer's table is empty between two rounds, at least."""


@pytest.fixture
def camera() -> Iterator[MjpegServer]:
    with MjpegServer(fps=10.0) as server:
        server.show(table_picture())
        yield server


async def clear(watch: Watch, camera: MjpegServer) -> None:
    camera.show(table_picture())
    await watch.pilot.pause(CLEARED_S)


async def test_three_casino_rounds_and_a_pool_round_are_dealt_from_pictures_alone(
    camera: MjpegServer,
) -> None:
    source = f"camera:{camera.url}"
    table = ["game casino-red-dog decks=1", "seat Anna 100", "seat Boris 100"]
    table += ["bet Anna 10", "bet Boris 20"]
    async with console(table, source) as watch:
        await watch.until(lambda: any(lamp.state == "ok" for lamp in watch.app.lamps()))

        # a spread of three: Anna raises, the third card lies between the posts
        camera.show(table_picture(posts_and_third("5H")))
        await watch.until_line(f"card 5H <{source}>")
        camera.show(table_picture(posts_and_third("5H", "9S")))
        await watch.until_line(f"card 9S <{source}>")
        await watch.pilot.pause(0.3)
        await watch.pilot.press("r", "n")
        camera.show(table_picture(posts_and_third("5H", "9S", "7D")))
        await watch.until_line(f"card 7D <{source}>")
        assert watch.stacks() == {"Anna": 140, "Boris": 140}, "2 to 1 on 20 each"

        # both posts in one look, neighbours: everybody gets the bet back
        await clear(watch, camera)
        await watch.pilot.press("g", "g")
        camera.show(table_picture(posts_and_third("8C", "9D")))
        await watch.until_line(f"card 9D <{source}>")
        assert watch.board() == ["8C", "9D"]
        assert watch.stacks() == {"Anna": 140, "Boris": 140}

        # a pair, and lamps glare on both indices of the third card: it is asked for, with its picture
        await clear(watch, camera)
        await watch.pilot.press("g", "g")
        pair = posts_and_third("KS", "KC", "KD")
        camera.show(table_picture(pair[:2]))
        await watch.until_line(f"card KC <{source}>")
        spoiled = Lying("KD", pair[2].x, pair[2].y, pair[2].turn, is_wiped_out=True)
        camera.show(table_picture((*pair[:2], spoiled)))
        await watch.until(lambda: watch.questions)
        assert watch.board() == ["KS", "KC"], "nothing is booked that can't be read"
        (question,) = watch.questions
        assert question.kind == "unsure"
        assert question.crop is not None
        await watch.pilot.pause(0.3)
        assert "▀" in "\n".join(watch.app.table.panel_area.text()), "its picture stands beside the question"
        await watch.pilot.press("k", "d", "enter")
        await watch.until_line("card KD")
        assert watch.stacks() == {"Anna": 250, "Boris": 360}, "three of a kind pays 11 to 1"

        # a pool round: the turned card, then a hand of three in one look, whose king wins
        await clear(watch, camera)
        for line in (":game red-dog-pool ante=5 hand=3", ":dealer Anna", ":round", ":dealt", ":bet Boris 10"):
            await watch.pilot.press(*("space" if sign == " " else sign for sign in line), "enter")
            await watch.pilot.pause(0.1)
        turned = posts_and_third("7H")
        camera.show(table_picture(turned))
        await watch.until_line(f"card 7H <{source}>")
        camera.show(table_picture((*turned, *shown_hand("2C", "KH", "5D"))))
        await watch.until(lambda: any(line.startswith("show Boris") for line in watch.lines))
        await watch.pilot.pause(1.5)
        (shown,) = [line for line in watch.lines if line.startswith("show Boris")]
        assert "KH" in shown
        assert watch.questions == (), "the cards beside the king ask nothing"
        assert [line for line in watch.lines if "<" not in line and line.startswith("card")] == ["card KD"]
