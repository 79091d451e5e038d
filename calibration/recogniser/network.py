"""Runs the packaged networks with numpy alone: the same figures under every OpenCV.

A network is a list of layers with their weights, stored in one npz file by scripts/train_recogniser.py.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from importlib import resources
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from calibration.errors import WeightsUnreadable

Floats: TypeAlias = npt.NDArray[np.float32]

WEIGHTS_FILE = "recogniser.npz"
SPOT_FILE = "spot.npz"
"""The network of `spot.py`, drawn and trained by scripts of its own."""
WEIGHTS_VERSION = 1
CHUNK_VIEWS = 4
"""Views run at once; more no longer fit the processor's cache and take longer each."""
BAND_VALUES = 120_000
"""Values unrolled at once in a conv; half a megabyte stays in the cache, more is fetched twice."""
BLOCK_PRODUCTS = 900_000
"""Multiplications in one block; larger ones leave the processor's cache."""
BLAS_THREADS = 1
"""More of them wait for each other by spinning: beside three busy programs a reading of 35 ms took up to 14 s
(scripts/bench_camera_console.py)."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One layer.

    Attributes:
        kind: ``conv`` (3x3 or 5x5, padded) or ``dense``.
        weight: conv (kernel * kernel * in, out), dense (in, out); batch normalisation is folded in.
        bias: (out,).
        kernel: Side of the kernel; 1 for dense.
        stride: Step of a conv.
        is_last: Leaves the ReLU out.
        joins: Doubles the size first and adds the output of the layer with this number; -1: doesn't.
    """

    kind: str
    weight: Floats
    bias: Floats
    kernel: int
    stride: int
    is_last: bool
    joins: int = -1


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Layers in order and how its outputs split into groups, each a softmax over `temperature`."""

    layers: tuple[Layer, ...]
    groups: tuple[int, ...]
    temperature: float

    def run(self, views: npt.NDArray[np.uint8]) -> tuple[Floats, ...]:
        """Score views.

        Args:
            views: (N, H, W, 3) uint8 of the size the network was trained with.

        Returns:
            Per group an (N, classes) array of shares that sum to 1 in each row.
        """
        outputs = self._in_chunks(views, self.layers) / self.temperature
        return tuple(_softmax(part) for part in np.split(outputs, np.cumsum(self.groups)[:-1], axis=-1))

    def features(self, views: npt.NDArray[np.uint8]) -> Floats:
        """What the last layer judges by: (N, features), alike for views that show the same."""
        return self._in_chunks(views, self.layers[:-1])

    def raw(self, views: npt.NDArray[np.uint8]) -> Floats:
        """The last layer's outputs before any softmax: (N, outputs), or (N, H', W', outputs)."""
        return _forward(views, self.layers)

    def _in_chunks(self, views: npt.NDArray[np.uint8], layers: tuple[Layer, ...]) -> Floats:
        starts = range(0, len(views), CHUNK_VIEWS)
        return np.concatenate([_forward(views[n : n + CHUNK_VIEWS], layers) for n in starts])


def load_networks() -> dict[str, Network]:
    """Read the packaged weights; from then on numpy multiplies on one thread in this process.

    Raises:
        WeightsUnreadable: The file is missing, damaged or of another version.
    """
    threadpool_limits(limits=BLAS_THREADS, user_api="blas")
    networks: dict[str, Network] = {}
    for name in (WEIGHTS_FILE, SPOT_FILE):
        try:
            data = resources.files("calibration").joinpath("weights", name).read_bytes()
            networks |= unpack_networks(data)
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise WeightsUnreadable(
                f"The reader's weights ({name}) can't be read ({error}).", "Install the program again."
            ) from error
    return networks


def unpack_networks(data: bytes) -> dict[str, Network]:
    """Read networks from the bytes of an npz file."""
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        plan = json.loads(bytes(stored["plan"].tobytes()).decode())
        if plan["version"] != WEIGHTS_VERSION:
            raise WeightsUnreadable(
                f"The reader's weights have version {plan['version']}, expected {WEIGHTS_VERSION}.",
                "Install the program again.",
            )
        return {
            name: Network(
                layers=tuple(
                    Layer(
                        kind=layer["kind"],
                        weight=stored[f"{name}.{n}.weight"].astype(np.float32),
                        bias=stored[f"{name}.{n}.bias"].astype(np.float32),
                        kernel=layer["kernel"],
                        stride=layer["stride"],
                        is_last=n == len(network["layers"]) - 1,
                        joins=layer.get("joins", -1),
                    )
                    for n, layer in enumerate(network["layers"])
                ),
                groups=tuple(network["groups"]),
                temperature=network["temperature"],
            )
            for name, network in plan["networks"].items()
        }


def _forward(views: npt.NDArray[np.uint8], layers: tuple[Layer, ...]) -> Floats:
    values = views.astype(np.float32) * np.float32(1 / 128) - np.float32(1)
    outputs: list[Floats] = []
    for layer in layers:
        if layer.joins >= 0:
            doubled = values.repeat(2, axis=1).repeat(2, axis=2)
            values = np.concatenate([doubled, outputs[layer.joins]], axis=-1)
        if layer.kind == "dense":
            values = _product(values.reshape(len(values), -1), layer.weight) + layer.bias
        else:
            values = _convolve(values, layer)
        if not layer.is_last:
            np.maximum(values, 0, out=values)
        outputs.append(values)
    return values


def _convolve(values: Floats, layer: Layer) -> Floats:
    count, height, width, depth = values.shape
    kernel, stride = layer.kernel, layer.stride
    pad = kernel // 2
    padded = np.zeros((count, height + 2 * pad, width + 2 * pad, depth), np.float32)
    padded[:, pad : pad + height, pad : pad + width] = values
    rows, columns = (height - 1) // stride + 1, (width - 1) // stride + 1
    result = np.empty((count, rows, columns, layer.weight.shape[1]), np.float32)
    band = max(1, BAND_VALUES // (columns * kernel * kernel * depth))
    for image in range(count):
        for top in range(0, rows, band):
            some = min(band, rows - top)
            patches = np.empty((some, columns, kernel * kernel, depth), np.float32)
            for n in range(kernel * kernel):
                y, x = divmod(n, kernel)
                y += top * stride
                patches[:, :, n] = padded[
                    image,
                    y : y + (some - 1) * stride + 1 : stride,
                    x : x + (columns - 1) * stride + 1 : stride,
                ]
            product = _product(patches.reshape(some * columns, -1), layer.weight)
            result[image, top : top + some] = product.reshape(some, columns, -1)
    result += layer.bias
    return result


def _product(patches: Floats, weight: Floats) -> Floats:
    """Multiply in blocks that fit the processor's cache."""
    result = np.empty((len(patches), weight.shape[1]), np.float32)
    block = max(4, BLOCK_PRODUCTS // weight.size)
    for start in range(0, len(patches), block):
        np.matmul(patches[start : start + block], weight, out=result[start : start + block])
    return result


def _softmax(values: Floats) -> Floats:
    shifted = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), np.float32)
