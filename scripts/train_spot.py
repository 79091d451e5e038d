"""Trains the network that spots indices in heaps of cards and writes calibration/weights/spot.npz.

    python scripts/draw_hands.py --minutes 6              lessons first, into build/recogniser
    python scripts/train_spot.py                          trains, examines and packs [--resume] [--pack]

Needs what train_recogniser.py needs; run from the repository's root with PYTHONPATH=.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import io
import json
import os
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

import train_recogniser
from calibration.recogniser import network as run_time
from calibration.recogniser.spot import ACROSS_PX, CELL_PX, CORNER_PX, DOWN_PX, SIDE_PX, SPOT_LEVEL
from train_recogniser import BUILD_FOLDER, RECOLOURED_SHARE, SEED, WEIGHTS_FOLDER, PlannedNetwork, as_tensor

BATCH = 10
LEARNING_RATE = 2.5e-3
CELLS = SIDE_PX // CELL_PX
SPREAD_CELLS = 0.9
"""Width of the bell of heat round an index's middle."""
NEAR_CELLS = 1.3
"""Cells nearer than this learn the outline too."""
OUTLINE_WEIGHT = 0.7
STEPS = 4000
MEAN_DECAY = 0.995
"""The network kept is a running mean of those of the last steps, which errs less than any of them."""

train_recogniser.SIZES["spot"] = (SIDE_PX, SIDE_PX)
train_recogniser.PLANS["spot"] = [
    {"kind": "conv", "kernel": 5, "stride": 2, "out": 12},
    {"kind": "conv", "kernel": 3, "stride": 2, "out": 24},
    {"kind": "conv", "kernel": 3, "stride": 1, "out": 24},
    {"kind": "conv", "kernel": 3, "stride": 2, "out": 40},
    {"kind": "conv", "kernel": 3, "stride": 1, "out": 40},
    {"kind": "conv", "kernel": 3, "stride": 2, "out": 64},
    {"kind": "conv", "kernel": 3, "stride": 1, "out": 64},
    {"kind": "conv", "kernel": 3, "stride": 2, "out": 80},
    {"kind": "conv", "kernel": 3, "stride": 1, "out": 80},
    {"kind": "conv", "kernel": 3, "stride": 1, "out": 80},
    {"kind": "conv", "kernel": 1, "stride": 1, "out": 56, "joins": 6},
    {"kind": "conv", "kernel": 3, "stride": 1, "out": 56},
    {"kind": "conv", "kernel": 1, "stride": 1, "out": 48, "joins": 4},
    {"kind": "conv", "kernel": 3, "stride": 1, "out": 48},
    {"kind": "conv", "kernel": 1, "stride": 1, "out": 7},
]

Floats = npt.NDArray[np.float32]


def lessons_of(name: str, known: dict[str, tuple[npt.NDArray[np.uint8], Floats]]) -> None:
    """Take up the shards drawn since."""
    for path in sorted(BUILD_FOLDER.glob(f"hands_{name}_*.npz")):
        if path.name not in known:
            with np.load(path) as stored:
                known[path.name] = stored["hands"], stored["hands_answers"]


def targets_of(answers: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Heat (N, C, C), where heat counts, outlines (N, C, C, 6) and where those count."""
    count = len(answers)
    heat, counts = np.zeros((count, CELLS, CELLS), np.float32), np.ones((count, CELLS, CELLS), np.float32)
    outlines, near = (
        np.zeros((count, CELLS, CELLS, 6), np.float32),
        np.zeros((count, CELLS, CELLS), np.float32),
    )
    y, x = (np.mgrid[0:CELLS, 0:CELLS] + 0.5).astype(np.float32)
    for n in range(count):
        nearest = np.full((CELLS, CELLS), np.inf, np.float32)
        for one in answers[n]:
            if not one[8]:
                continue
            far = np.hypot(x - one[0] / CELL_PX, y - one[1] / CELL_PX)
            if not one[9]:
                counts[n][far < 2] = 0
                continue
            bell = np.exp(-(far**2) / (2 * SPREAD_CELLS**2))
            bell[int(one[1] // CELL_PX), int(one[0] // CELL_PX)] = 1
            heat[n] = np.maximum(heat[n], bell)
            here = (far < NEAR_CELLS) & (far < nearest)
            nearest[here] = far[here]
            near[n][here] = bell[here]
            outlines[n][here] = np.column_stack(
                [
                    (one[2] - x[here] * CELL_PX) / CORNER_PX,
                    (one[3] - y[here] * CELL_PX) / CORNER_PX,
                    np.tile([*(one[4:6] / ACROSS_PX), *(one[6:8] / DOWN_PX)], (int(here.sum()), 1)),
                ]
            )
        counts[n][heat[n] >= 1] = 1
    return heat, counts, outlines, near


def loss_of(scores: torch.Tensor, answers: Floats) -> torch.Tensor:
    """Focal loss of the heat (Law and Deng 2018) and the outlines' mean error."""
    heat, counts, outlines, near = (torch.from_numpy(part) for part in targets_of(answers))
    logit = scores[..., 0]
    share = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    is_middle = (heat >= 1).float()
    hits = is_middle * (1 - share) ** 2 * torch.log(share)
    misses = (1 - is_middle) * (1 - heat) ** 4 * share**2 * torch.log(1 - share) * counts
    of_heat = -(hits + misses).sum() / is_middle.sum().clamp(min=1)
    error = nn.functional.smooth_l1_loss(scores[..., 1:], outlines, reduction="none", beta=0.05).sum(-1)
    return of_heat + OUTLINE_WEIGHT * (error * near).sum() / near.sum().clamp(min=1)


def turned(
    views: npt.NDArray[np.uint8], answers: Floats, quarters: int
) -> tuple[npt.NDArray[np.uint8], Floats]:
    """Views turned by quarters; answers with them."""
    answers = answers.copy()
    for _ in range(quarters):
        views = np.rot90(views, 1, (1, 2))
        x, y = answers[..., 0:8:2].copy(), answers[..., 1:8:2].copy()
        answers[..., 0:8:2], answers[..., 1:8:2] = y, -x
        answers[..., [1, 3]] += SIDE_PX
    answers[answers[..., 8] == 0] = 0
    return views, answers


def varied(
    rng: np.random.Generator, views: npt.NDArray[np.uint8], answers: Floats
) -> tuple[npt.NDArray[np.uint8], Floats]:
    """The same views turned, brighter, noisier, recoloured."""
    views, answers = turned(views, answers, int(rng.integers(4)))
    views = views.copy()
    recoloured = rng.random(len(views)) < RECOLOURED_SHARE
    views[recoloured] = views[recoloured][..., rng.permutation(3)]
    gain = rng.uniform(0.8, 1.15, (len(views), 1, 1, 3)).astype(np.float32)
    noise = rng.integers(-6, 7, views.shape[1:]).astype(np.float32)
    return np.clip(views * gain + noise, 0, 255).astype(np.uint8), answers


def examined(model: PlannedNetwork, views: npt.NDArray[np.uint8], answers: Floats) -> dict[str, float]:
    """Of unseen fonts: share of indices found, of finds that are none, median error of corner and size."""
    model.eval()
    wanted = found = said = false = 0
    corners: list[float] = []
    sizes: list[float] = []
    with torch.no_grad():
        parts = [model(as_tensor(views[n : n + 20])) for n in range(0, len(views), 20)]
    raw = torch.cat(parts)
    heat = torch.sigmoid(raw[..., 0])
    highest = nn.functional.max_pool2d(heat[:, None], 3, 1, 1)[:, 0]
    peaks = ((heat >= SPOT_LEVEL) & (heat >= highest)).numpy()
    for n in range(len(views)):
        places = np.argwhere(peaks[n])
        known = answers[n][answers[n][:, 8] > 0]
        said += len(places)
        for one in known[known[:, 9] > 0]:
            wanted += 1
            far = [np.hypot((c + 0.5) * CELL_PX - one[0], (r + 0.5) * CELL_PX - one[1]) for r, c in places]
            if not far or min(far) > 1.5 * CELL_PX:
                continue
            found += 1
            r, c = places[int(np.argmin(far))]
            values = raw[n, r, c, 1:].numpy()
            corner = (np.array([c, r]) + 0.5) * CELL_PX + values[:2] * CORNER_PX
            length = np.linalg.norm(one[6:8])
            corners.append(float(np.linalg.norm(corner - one[2:4]) / length))
            sizes.append(float(np.linalg.norm(values[4:6] * DOWN_PX - one[6:8]) / length))
        for r, c in places:
            at = np.array([(c + 0.5) * CELL_PX, (r + 0.5) * CELL_PX])
            false += not len(known) or np.linalg.norm(known[:, :2] - at, axis=1).min() > 2 * CELL_PX
    return {
        "found": round(float(found) / max(1, wanted), 4),
        "false": round(float(false) / max(1, said), 4),
        "corner": round(float(np.median(corners or [1.0])), 4),
        "corner_90": round(float(np.percentile(corners or [1.0], 90)), 4),
        "down": round(float(np.median(sizes or [1.0])), 4),
        "down_90": round(float(np.percentile(sizes or [1.0], 90)), 4),
    }


def train(steps: int, resume: bool) -> None:
    """Train for so many steps and keep the network with its scores."""
    torch.manual_seed(SEED)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    lessons: dict[str, tuple[npt.NDArray[np.uint8], Floats]] = {}
    exam: dict[str, tuple[npt.NDArray[np.uint8], Floats]] = {}
    lessons_of("lesson", lessons)
    lessons_of("exam", exam)
    exam_views, exam_answers = (np.concatenate([part[k] for part in exam.values()]) for k in range(2))
    model = PlannedNetwork("spot")
    file = BUILD_FOLDER / "spot.pt"
    if resume:
        model.load_state_dict(torch.load(file)["state"])
    model = model.to(memory_format=torch.channels_last)  # type: ignore[call-overload, unused-ignore]
    mean = copy.deepcopy(model)
    peak = LEARNING_RATE * (0.4 if resume else 1)
    optimiser = torch.optim.AdamW(model.parameters(), lr=peak, weight_decay=1e-3)
    rng = np.random.default_rng(SEED + 100 * resume)
    start, heard = time.process_time(), []
    for step in range(1, steps + 1):
        share = (step - 1) / steps
        for group in optimiser.param_groups:
            group["lr"] = peak * min(1.0, 20 * share + 0.02) * (0.5 + 0.5 * float(np.cos(np.pi * share)))
        shards = list(lessons.values())
        chosen = [shards[int(n)] for n in rng.integers(len(shards), size=BATCH)]
        picks = [int(rng.integers(len(part[0]))) for part in chosen]
        views = np.stack([part[0][n] for part, n in zip(chosen, picks, strict=True)])
        answers = np.stack([part[1][n] for part, n in zip(chosen, picks, strict=True)])
        views, answers = varied(rng, views, answers)
        model.train()
        optimiser.zero_grad()
        loss = loss_of(model(as_tensor(views)), answers)
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimiser.step()
        heard.append(loss.item())
        with torch.no_grad():
            for kept, new in zip(mean.state_dict().values(), model.state_dict().values(), strict=True):
                if kept.dtype.is_floating_point:
                    kept.lerp_(new, 1 - min(MEAN_DECAY, (step - 1) / (step + 9)))
        if step % 100 == 0:
            lessons_of("lesson", lessons)
        if step % 200 == 0:
            right = examined(mean, exam_views[:150], exam_answers[:150])
            print(f"{share:.0%} step {step} loss {np.mean(heard[-200:]):.3f} {right}", flush=True)
            torch.save({"state": mean.state_dict(), "scores": {}}, file)
    scores: dict[str, Any] = examined(mean, exam_views, exam_answers)
    minutes = round((time.process_time() - start) / 60, 1)
    scores |= {"hands": sum(len(views) for views, _ in lessons.values()), "steps": steps, "minutes": minutes}
    print(scores, flush=True)
    torch.save({"state": mean.state_dict(), "scores": scores}, file)


def pack() -> None:
    """Write the trained network into the package and check that numpy runs it as PyTorch does."""
    stored = torch.load(BUILD_FOLDER / "spot.pt")
    model = PlannedNetwork("spot")
    model.load_state_dict(stored["state"])
    layers = train_recogniser.PLANS["spot"]
    network = {"layers": layers, "groups": (7,), "temperature": 1.0, "scores": stored["scores"]}
    plan = {"version": run_time.WEIGHTS_VERSION, "seed": SEED, "networks": {"spot": network}}
    arrays: dict[str, npt.NDArray[Any]] = {}
    for n, (weight, bias) in enumerate(model.folded()):
        arrays[f"spot.{n}.weight"], arrays[f"spot.{n}.bias"] = weight, bias
    file = io.BytesIO()
    np.savez_compressed(
        file, allow_pickle=False, plan=np.frombuffer(json.dumps(plan).encode(), np.uint8), **arrays
    )
    views = np.random.default_rng(0).integers(0, 256, (2, SIDE_PX, SIDE_PX, 3)).astype(np.uint8)
    model.eval()
    with torch.no_grad():
        gap = run_time.unpack_networks(file.getvalue())["spot"].raw(views) - model(as_tensor(views)).numpy()
    print(f"numpy and PyTorch differ by at most {np.abs(gap).max():.4f}; {stored['scores']}")
    (WEIGHTS_FOLDER / run_time.SPOT_FILE).write_bytes(file.getvalue())
    print(f"{len(file.getvalue())} bytes, sha256 {hashlib.sha256(file.getvalue()).hexdigest()}")


def main() -> None:
    """Train and pack."""
    parser = argparse.ArgumentParser(description="Train the network that spots indices in heaps.")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--resume", action="store_true", help="go on from the last run")
    parser.add_argument("--pack", action="store_true", help="only pack what was trained")
    arguments = parser.parse_args()
    if not arguments.pack:
        train(arguments.steps, arguments.resume)
    pack()


if __name__ == "__main__":
    main()
