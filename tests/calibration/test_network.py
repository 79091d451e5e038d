"""The networks run by numpy as they were trained, and damaged weights are said plainly."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from calibration.errors import WeightsUnreadable
from calibration.recogniser.network import Layer, Network, load_networks, unpack_networks


def conv(weight: list[list[float]], kernel: int, stride: int, joins: int = -1, is_last: bool = True) -> Layer:
    values = np.array(weight, np.float32)
    return Layer("conv", values, np.zeros(values.shape[1], np.float32), kernel, stride, is_last, joins)


def test_convolution_keeps_the_size_and_sees_zeros_beyond_the_border() -> None:
    one_channel = [[1.0], [0.0], [0.0]]  # sums a 3x3 neighbourhood of the first channel
    layer = conv(one_channel * 9, kernel=3, stride=1)
    views = np.full((1, 3, 4, 3), 255, np.uint8)
    sums = Network((layer,), (1,), 1.0).raw(views)[0, :, :, 0] / (255 / 128 - 1)
    assert sums.round(3).tolist() == [[4, 6, 6, 4], [6, 9, 9, 6], [4, 6, 6, 4]]


def test_stride_two_takes_every_other_pixel() -> None:
    layer = conv([[1.0], [0.0], [0.0]], kernel=1, stride=2)
    views = np.zeros((1, 4, 4, 3), np.uint8)
    views[0, ::2, ::2, 0] = 128
    assert Network((layer,), (1,), 1.0).raw(views)[0, :, :, 0].tolist() == [[0, 0], [0, 0]]


def test_joining_layer_sees_the_doubled_picture_beside_the_earlier_one() -> None:
    first = conv([[1.0], [0.0], [0.0]], kernel=1, stride=1, is_last=False)
    second = conv([[1.0]], kernel=1, stride=2, is_last=False)
    third = conv([[1.0], [10.0]], kernel=1, stride=1, joins=0)
    views = np.full((1, 2, 2, 3), 128, np.uint8)
    views[0, 0, 0, 0] = 255
    top = 255 / 128 - 1
    said = Network((first, second, third), (1,), 1.0).raw(views)[0, :, :, 0]
    assert said == pytest.approx(np.array([[11 * top, top], [top, top]]), abs=1e-4)


def test_shares_of_each_group_sum_to_one() -> None:
    rng = np.random.default_rng(1)
    layer = Layer("dense", rng.normal(size=(12, 5)).astype(np.float32), np.zeros(5, np.float32), 1, 1, True)
    ranks, suits = Network((layer,), (3, 2), 0.5).run(rng.integers(0, 256, (4, 2, 2, 3)).astype(np.uint8))
    assert ranks.shape == (4, 3)
    assert suits.shape == (4, 2)
    assert np.allclose(ranks.sum(axis=1), 1)
    assert np.allclose(suits.sum(axis=1), 1)


def test_weights_of_another_version_are_refused() -> None:
    file = io.BytesIO()
    plan = json.dumps({"version": 99, "networks": {}}).encode()
    np.savez(file, plan=np.frombuffer(plan, np.uint8))
    with pytest.raises(WeightsUnreadable, match="version 99"):
        unpack_networks(file.getvalue())


def test_packaged_weights_hold_the_five_networks() -> None:
    assert set(load_networks()) == {"index", "wide", "body", "segment", "spot"}


def test_products_run_on_one_thread_once_the_reader_is_loaded() -> None:
    """Several threads spin while they wait for a core: seconds a reading on a busy machine."""
    threadpool_limits(limits=2, user_api="blas")
    load_networks()
    blas = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    assert set(blas) <= {1}
