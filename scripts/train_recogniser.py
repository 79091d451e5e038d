"""Trains the reader's networks on drawn lessons only and writes calibration/weights/recogniser.npz.

    python scripts/draw_lessons.py cards --minutes 15            lessons first, into build/recogniser
    python scripts/draw_lessons.py tables --minutes 8
    python scripts/train_recogniser.py index                     rank and suit from a corner
    python scripts/train_recogniser.py wide                      the same, by another look at more of the card
    python scripts/train_recogniser.py body                      the same from the middle, the index hidden
    python scripts/train_recogniser.py segment                   where on a table faces lie
    python scripts/train_recogniser.py pack                      all into the package, with hash and scores

Needs, in an environment of its own (never at run time, never for tests): torch==2.13.0 (CPU) and numpy;
run from the repository's root with PYTHONPATH=. and OMP_NUM_THREADS set to the cores it may take.
Seeds and steps are fixed, lessons are taken up as they are drawn: scores repeat, bytes don't. A processor
that multiplies in half precision (AVX-512 BF16, AMX) takes a quarter of the time of one that doesn't.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import sys
import time
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration.recogniser import network as run_time
from calibration.recogniser.rectify import (
    CARD_HEIGHT_PX,
    CARD_WIDTH_PX,
    INDEX_SHARE_X,
    INDEX_SHARE_Y,
    RIM_PX,
    WIDE_SHARE_X,
    WIDE_SHARE_Y,
)
from draw_lessons import SCRAP_SCALE

BUILD_FOLDER = Path("build/recogniser")
WEIGHTS_FOLDER = Path("calibration/weights")
SEED = 6
BATCH = {"index": 192, "wide": 192, "body": 192, "segment": 12}
STEPS = {"index": 7600, "wide": 7400, "body": 4600, "segment": 3200}
"""How far a network is taught from nothing. By the processor's time, as it was once, a slower machine taught
less: the same 12 minutes were 7,616 steps of `index` on one and 1,700 on the next."""
SHARDS_A_BATCH = 4
LEARNING_RATE = 3e-3
WEIGHT_DECAY = 1e-3
HAS_HALF = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
"""Whether the processor multiplies in half precision."""
SHIFTED, TURNED, STRETCHED = 0.022, 0.035, 0.04
"""How views of a corner are varied: shift as a share of the card's width, slant, share of their size."""
SOFTENED_SHARE = 0.12
"""Share of the views blurred once more."""
RECOLOURED_SHARE = 0.2
"""Share of the views with blue, green and red exchanged: a suit is told by its shape. Without this a spade in
a green frame was called a club, since clubs are green in some decks."""
SMOOTHING = 0.005
"""Of the labels; with more the certain can't be told from the nearly certain."""
AVERAGED = 0.998
"""Share of the running average of the weights that stays at each step; the average is what is kept."""
LESSONS = {"index": "cards", "wide": "cards", "body": "cards", "segment": "tables"}
ARRAYS = {"index": "index", "wide": "index", "body": "body", "segment": "tables"}
GROUPS = {"index": (14, 5), "wide": (14, 5), "body": (12, 5), "segment": (1, 1)}
"""Classes of each output group: ranks and none, suits and none; middles and none; face and core of a cell."""

Plan: TypeAlias = list[dict[str, Any]]
Views: TypeAlias = npt.NDArray[np.uint8]


def classifier(convs: list[tuple[int, int, int]], *dense: int) -> Plan:
    """Convs of (outputs, kernel, stride), then dense layers of so many outputs."""
    return [
        {"kind": "conv", "kernel": kernel, "stride": stride, "out": out} for out, kernel, stride in convs
    ] + [{"kind": "dense", "kernel": 1, "stride": 1, "out": out} for out in dense]


_SMALL = [(16, 5, 2), (32, 3, 2), (48, 3, 1), (64, 3, 2), (64, 3, 1), (48, 3, 2)]
_BROAD = [(16, 5, 2), (40, 3, 2), (56, 3, 1), (72, 3, 2), (72, 3, 1), (56, 3, 2)]

PLANS: dict[str, Plan] = {
    "index": classifier(_SMALL, 96, 19),
    "wide": classifier(_BROAD, 96, 19),
    "body": classifier(_SMALL, 96, 17),
    "segment": [
        {"kind": "conv", "kernel": 5, "stride": 2, "out": 12},
        {"kind": "conv", "kernel": 3, "stride": 2, "out": 24},
        {"kind": "conv", "kernel": 3, "stride": 1, "out": 24},
        {"kind": "conv", "kernel": 3, "stride": 2, "out": 32},
        {"kind": "conv", "kernel": 3, "stride": 1, "out": 32},
        {"kind": "conv", "kernel": 3, "stride": 2, "out": 48},
        {"kind": "conv", "kernel": 3, "stride": 1, "out": 48},
        {"kind": "conv", "kernel": 3, "stride": 2, "out": 64},
        {"kind": "conv", "kernel": 3, "stride": 1, "out": 64},
        {"kind": "conv", "kernel": 1, "stride": 1, "out": 48, "joins": 6},
        {"kind": "conv", "kernel": 3, "stride": 1, "out": 48},
        {"kind": "conv", "kernel": 1, "stride": 1, "out": 32, "joins": 4},
        {"kind": "conv", "kernel": 3, "stride": 1, "out": 32},
        {"kind": "conv", "kernel": 1, "stride": 1, "out": 24, "joins": 2},
        {"kind": "conv", "kernel": 3, "stride": 1, "out": 24},
        {"kind": "conv", "kernel": 1, "stride": 1, "out": 2},
    ],
}
"""Layers as `calibration.recogniser.network` runs them; `joins` doubles and adds that layer's output."""

SIZES = {"index": (80, 48), "wide": (80, 48), "body": (96, 64), "segment": (256, 352)}
"""Height and width of the views."""
COVERED = {
    "index": (RIM_PX, RIM_PX, INDEX_SHARE_X * CARD_WIDTH_PX, INDEX_SHARE_Y * CARD_HEIGHT_PX),
    "wide": (0, 0, RIM_PX + WIDE_SHARE_X * CARD_WIDTH_PX, RIM_PX + WIDE_SHARE_Y * CARD_HEIGHT_PX),
}
"""Where on a card with its rim the views of a corner begin, and how far across and down they reach."""
LESS_COLOUR = {"index": 0.0, "wide": 0.4, "body": 0.0}
"""Share of the views without any colour: the two networks of a corner shall not err alike."""


class PlannedNetwork(nn.Module):
    """The network of a plan; all layers but the last have a ReLU, convs batch normalisation."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.plan = PLANS[kind]
        self.layers = nn.ModuleList()
        self.norms = nn.ModuleList()
        sizes: list[tuple[int, int, int]] = []
        depth, height, width = 3, *SIZES[kind]
        for n, layer in enumerate(self.plan):
            if "joins" in layer:
                joined = sizes[layer["joins"]]
                depth, height, width = depth + joined[0], joined[1], joined[2]
            if layer["kind"] == "dense":
                self.layers.append(nn.Linear(depth * height * width, layer["out"]))
                depth, height, width = layer["out"], 1, 1
            else:
                kernel, stride, is_last = layer["kernel"], layer["stride"], n == len(self.plan) - 1
                self.layers.append(nn.Conv2d(depth, layer["out"], kernel, stride, kernel // 2, bias=is_last))
                depth, height, width = layer["out"], (height - 1) // stride + 1, (width - 1) // stride + 1
            self.norms.append(nn.BatchNorm2d(depth) if self._has_norm(n) else nn.Identity())
            sizes.append((depth, height, width))
        self.drop = nn.Dropout(0.25)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scores of (N, 3, H, W) float views, channels last."""
        outputs: list[torch.Tensor] = []
        for n, (plan, layer, norm) in enumerate(zip(self.plan, self.layers, self.norms, strict=True)):
            if "joins" in plan:
                x = nn.functional.interpolate(x, scale_factor=2, mode="nearest")
                x = torch.cat([x, outputs[plan["joins"]]], dim=1)
            if plan["kind"] == "dense" and x.dim() == 4:
                x = x.permute(0, 2, 3, 1).flatten(1)  # as numpy lays it out
            if plan["kind"] == "dense" and n == len(self.plan) - 1:
                x = self.drop(x)
            x = norm(layer(x))
            if n < len(self.plan) - 1:
                x = torch.relu(x)
            outputs.append(x)
        return x.permute(0, 2, 3, 1) if x.dim() == 4 else x

    def _has_norm(self, n: int) -> bool:
        return self.plan[n]["kind"] == "conv" and n < len(self.plan) - 1

    def unfold(self, packed: run_time.Network, views: Views) -> None:
        """Take up packaged weights; `views` show how strong each layer's outputs are, to normalise them."""
        seen: list[torch.Tensor] = []
        with torch.no_grad():
            for n, (stored, layer, norm) in enumerate(
                zip(packed.layers, self.layers, self.norms, strict=True)
            ):
                weight = torch.from_numpy(stored.weight)
                if stored.kind == "conv":
                    kernel = stored.kernel
                    weight = weight.reshape(kernel, kernel, -1, weight.shape[1]).permute(3, 2, 0, 1)
                else:
                    weight = weight.T
                layer.weight.copy_(weight)
                bias = torch.from_numpy(stored.bias)
                if layer.bias is not None:
                    layer.bias.copy_(bias)
                if not self._has_norm(n):
                    continue
                handle = layer.register_forward_hook(lambda _m, _i, output: seen.append(output))
                norm.reset_running_stats()
                self.eval()
                self(as_tensor(views))
                handle.remove()
                output = seen.pop()
                mean, variance = output.mean((0, 2, 3)), output.var((0, 2, 3))
                norm.running_mean.copy_(mean)
                norm.running_var.copy_(variance)
                norm.weight.copy_(torch.sqrt(variance + norm.eps))
                norm.bias.copy_(bias + mean)

    def folded(self) -> list[tuple[npt.NDArray[np.float16], npt.NDArray[np.float32]]]:
        """Weight and bias of each layer, batch normalisation folded in."""
        arrays = []
        for n, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=True)):
            weight = layer.weight.detach()
            bias = torch.zeros(len(weight)) if layer.bias is None else layer.bias.detach()
            if self._has_norm(n):
                gain = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach()
                weight = weight * gain[:, None, None, None]
                bias = (norm.bias - norm.running_mean * gain).detach()
            flat = weight.permute(2, 3, 1, 0).flatten(0, 2) if weight.dim() == 4 else weight.T
            arrays.append((flat.numpy().astype(np.float16), bias.numpy().astype(np.float32)))
        return arrays


def as_tensor(views: Views) -> torch.Tensor:
    """Views as the network takes them."""
    values = torch.from_numpy(views).permute(0, 3, 1, 2).float() / 128 - 1
    return values.contiguous(memory_format=torch.channels_last)


def loss_of(kind: str, scores: torch.Tensor, truth: npt.NDArray[Any]) -> torch.Tensor:
    """Cross entropy: of classes with a little label smoothing, of cells for the segment network."""
    if kind == "segment":
        share = torch.from_numpy(truth).float() / 255
        return nn.functional.binary_cross_entropy_with_logits(scores, share)
    ranks, suits = torch.split(scores, list(GROUPS[kind]), dim=1)
    classes = torch.from_numpy(truth)
    loss = nn.functional.cross_entropy(ranks, classes[:, 0], label_smoothing=SMOOTHING)
    return loss + nn.functional.cross_entropy(suits, classes[:, 1], label_smoothing=SMOOTHING)


class Lessons:
    """The shards of one kind drawn so far; new ones are taken up while a network already learns."""

    def __init__(self, kind: str, name: str) -> None:
        self.kind = kind
        self.pattern = f"{LESSONS[kind]}_{name}_*"
        array = ARRAYS[kind]
        self.names = (array, "tables_marks" if kind == "segment" else f"{array}_classes")
        self.shards: dict[str, tuple[Views, npt.NDArray[Any]]] = {}
        self.look()

    def look(self) -> None:
        """Take up what was drawn since."""
        for path in sorted(BUILD_FOLDER.glob(self.pattern)):
            if path.name not in self.shards:
                views, truth = (np.load(path / f"{name}.npy", mmap_mode="r") for name in self.names)
                self.shards[path.name] = views, np.array(truth)

    def everything(self) -> tuple[Views, npt.NDArray[Any]]:
        """All views and what they show."""
        parts = list(self.shards.values())
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def batch(self, rng: np.random.Generator) -> tuple[Views, npt.NDArray[Any]]:
        """Some views of a few shards."""
        parts = list(self.shards.values())
        chosen = [parts[int(n)] for n in rng.integers(len(parts), size=SHARDS_A_BATCH)]
        picks = [
            np.sort(rng.integers(len(part[0]), size=BATCH[self.kind] // SHARDS_A_BATCH)) for part in chosen
        ]
        views = [part[0][pick] for part, pick in zip(chosen, picks, strict=True)]
        truth = [part[1][pick] for part, pick in zip(chosen, picks, strict=True)]
        return np.concatenate(views), np.concatenate(truth)

    def __len__(self) -> int:
        return sum(len(views) for views, _ in self.shards.values())


def train(kind: str, steps: int, resume: bool, from_package: bool) -> None:
    """Train one network for so many steps and keep it with held-out scores."""
    torch.manual_seed([*PLANS].index(kind) + 10 * SEED)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    cv2.setNumThreads(1)
    lessons = Lessons(kind, "lesson")
    exam_views, exam_truth = Lessons(kind, "exam").everything()
    exam_views = views_of(kind, np.random.default_rng(0), exam_views)
    model = PlannedNetwork(kind)
    file = BUILD_FOLDER / f"{kind}.pt"
    if resume:
        model.load_state_dict(torch.load(file)["state"])
    if from_package:
        packed = run_time.load_networks()[kind]
        rng = np.random.default_rng(SEED)
        model.unfold(packed, views_of(kind, rng, lessons.batch(rng)[0]))
        right = accuracy(kind, outputs_of(model, exam_views[:3000]), exam_truth[:3000])
        print(f"{kind} from the package, held out {right}", flush=True)
    model = model.to(memory_format=torch.channels_last)  # type: ignore[call-overload, unused-ignore]
    kept = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(AVERAGED), use_buffers=True)
    peak = LEARNING_RATE * (0.3 if resume or from_package else 1)
    optimiser = torch.optim.AdamW(model.parameters(), lr=peak, weight_decay=WEIGHT_DECAY)
    rng = np.random.default_rng([SEED, [*PLANS].index(kind)])
    start = time.process_time()
    for step in range(1, steps + 1):
        share = (step - 1) / steps
        for group in optimiser.param_groups:
            group["lr"] = peak * min(1.0, 20 * share + 0.02) * (0.5 + 0.5 * float(np.cos(np.pi * share)))
        views, answer = lessons.batch(rng)
        lesson, answer = varied(kind, rng, views_of(kind, rng, views), answer)
        model.train()
        optimiser.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=HAS_HALF):
            scores = model(as_tensor(lesson))
        loss = loss_of(kind, scores.float(), answer)
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        optimiser.step()
        kept.update_parameters(model)
        if step % 100 == 0:
            lessons.look()
        if step % 500 == 0:
            right = accuracy(kind, outputs_of(kept.module, exam_views[:3000]), exam_truth[:3000])
            print(f"{kind} {share:.0%} step {step} loss {loss.item():.3f} held out {right}", flush=True)
    model = kept.module
    outputs = outputs_of(model, exam_views)
    scores_held_out = {
        "held_out": accuracy(kind, outputs, exam_truth),
        "views": len(lessons),
        "steps": steps,
        "minutes": round((time.process_time() - start) / 60, 1),
    }
    temperature = 1.0 if kind == "segment" else best_temperature(kind, outputs, exam_truth)
    print(kind, scores_held_out, "temperature", temperature, flush=True)
    torch.save({"state": model.state_dict(), "scores": scores_held_out, "temperature": temperature}, file)


def views_of(kind: str, rng: np.random.Generator, scraps: Views) -> Views:
    """Cut the views of a corner out of its scraps, each a little shifted, turned and stretched.

    So a drawn corner lasts for many looks. Views of other kinds are kept as they are.
    """
    if kind not in COVERED:
        return scraps
    height, width = SIZES[kind]
    left, top, across, down = (SCRAP_SCALE * value for value in COVERED[kind])
    views = np.empty((len(scraps), height, width, 3), np.uint8)
    for n, scrap in enumerate(scraps):
        turn, slant = rng.normal(0, TURNED), rng.normal(0, TURNED)
        across_here, down_here = across * rng.normal(1, STRETCHED), down * rng.normal(1, STRETCHED)
        x, y = np.array([left, top]) + rng.normal(0, SHIFTED * CARD_WIDTH_PX * SCRAP_SCALE, 2)
        back = np.array(  # from the view to the scrap
            [
                [across_here / width, -turn * down / height, x + turn * down / 2],
                [slant * across / width, down_here / height, y - slant * across / 2],
            ]
        )
        views[n] = cv2.warpAffine(
            np.ascontiguousarray(scrap),
            back,
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return views


def varied(
    kind: str, rng: np.random.Generator, views: Views, truth: npt.NDArray[Any]
) -> tuple[Views, npt.NDArray[Any]]:
    """The same views brighter and noisier, in other colours, shifted or mirrored."""
    if kind == "segment":
        for axis in (1, 2):
            if rng.random() < 0.5:
                views, truth = np.flip(views, axis), np.flip(truth, axis)
    else:
        if kind == "body":
            if rng.random() < 0.5:  # which end is up isn't known when the middle is looked at
                views = views[:, ::-1, ::-1]
            views = np.roll(views, tuple(int(n) for n in rng.integers(-2, 3, 2)), (1, 2))
        views = views.copy()
        recoloured = rng.random(len(views)) < RECOLOURED_SHARE
        views[recoloured] = views[recoloured][..., rng.permutation(3)]
        grey = rng.random(len(views)) < LESS_COLOUR[kind]
        views[grey] = views[grey].mean(axis=-1, keepdims=True).astype(np.uint8)
        for n in np.flatnonzero(rng.random(len(views)) < SOFTENED_SHARE):
            views[n] = cv2.GaussianBlur(np.ascontiguousarray(views[n]), (0, 0), rng.uniform(0.4, 1.6))
    gain = rng.uniform(0.85, 1.12, (len(views), 1, 1, 3)).astype(np.float32)
    noise = rng.integers(-6, 7, views.shape[1:]).astype(np.float32)
    return np.clip(views * gain + noise, 0, 255).astype(np.uint8), np.ascontiguousarray(truth)


def outputs_of(model: PlannedNetwork, views: Views) -> torch.Tensor:
    """Scores without gradients."""
    model.eval()
    with torch.no_grad():
        return torch.cat([model(as_tensor(views[n : n + 64])) for n in range(0, len(views), 64)])


def accuracy(kind: str, outputs: torch.Tensor, truth: npt.NDArray[Any]) -> list[float]:
    """Share of right classes in each group; for cells the intersection over union of face and core."""
    if kind == "segment":
        said, is_so = outputs.numpy() > 0, truth > 127
        return [
            round(float((said & is_so)[..., n].sum() / (said | is_so)[..., n].sum()), 4) for n in range(2)
        ]
    parts = torch.split(outputs, list(GROUPS[kind]), dim=1)
    return [round(float((part.argmax(1).numpy() == truth[:, n]).mean()), 4) for n, part in enumerate(parts)]


def best_temperature(kind: str, outputs: torch.Tensor, truth: npt.NDArray[Any]) -> float:
    """The softmax temperature under which held-out views are least surprising."""
    scores, classes = torch.split(outputs, list(GROUPS[kind]), dim=1)[0], torch.from_numpy(truth[:, 0])
    options = np.arange(0.4, 2.6, 0.1)
    losses = [float(nn.functional.cross_entropy(scores / t, classes)) for t in options]
    return round(float(options[int(np.argmin(losses))]), 2)


def pack() -> None:
    """Write the trained networks into the package and check that numpy runs them as PyTorch does."""
    plan: dict[str, Any] = {"version": run_time.WEIGHTS_VERSION, "seed": SEED, "networks": {}}
    arrays: dict[str, npt.NDArray[Any]] = {}
    models: dict[str, PlannedNetwork] = {}
    for kind, layers in PLANS.items():
        file_of = BUILD_FOLDER / f"{kind}.pt"
        if not file_of.exists():  # not trained anew: stays as it is packaged
            _keep(kind, plan, arrays)
            continue
        stored = torch.load(file_of)
        models[kind] = PlannedNetwork(kind)
        models[kind].load_state_dict(stored["state"])
        network = {"layers": layers, "groups": GROUPS[kind], "temperature": stored["temperature"]}
        plan["networks"][kind] = network | {"scores": stored["scores"]}
        for n, (weight, bias) in enumerate(models[kind].folded()):
            arrays[f"{kind}.{n}.weight"], arrays[f"{kind}.{n}.bias"] = weight, bias
    file = io.BytesIO()
    np.savez_compressed(
        file, allow_pickle=False, plan=np.frombuffer(json.dumps(plan).encode(), np.uint8), **arrays
    )
    networks = run_time.unpack_networks(file.getvalue())
    for kind, model in models.items():
        views = np.random.default_rng(0).integers(0, 256, (4, *SIZES[kind], 3)).astype(np.uint8)
        gap = float(np.abs(networks[kind].raw(views) - outputs_of(model, views).numpy()).max())
        print(f"{kind}: numpy and PyTorch differ by at most {gap:.4f}; {plan['networks'][kind]['scores']}")
    WEIGHTS_FOLDER.mkdir(parents=True, exist_ok=True)
    (WEIGHTS_FOLDER / run_time.WEIGHTS_FILE).write_bytes(file.getvalue())
    print(f"{len(file.getvalue())} bytes, sha256 {hashlib.sha256(file.getvalue()).hexdigest()}")


def _keep(kind: str, plan: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    with np.load(WEIGHTS_FOLDER / run_time.WEIGHTS_FILE, allow_pickle=False) as stored:
        plan["networks"][kind] = json.loads(bytes(stored["plan"].tobytes()).decode())["networks"][kind]
        arrays.update({name: stored[name] for name in stored.files if name.startswith(f"{kind}.")})


def main() -> None:
    """Train a network, or pack them."""
    parser = argparse.ArgumentParser(description="Train the card reader on drawn lessons.")
    parser.add_argument("what", choices=[*PLANS, "pack"])
    parser.add_argument("--steps", type=int, help=f"if not as usual: {STEPS}")
    parser.add_argument(
        "--resume", action="store_true", help="go on from the last run at a lower learning rate"
    )
    parser.add_argument("--from-package", action="store_true", help="go on from the packaged weights")
    arguments = parser.parse_args()
    if arguments.what == "pack":
        pack()
    else:
        steps = arguments.steps or STEPS[arguments.what]
        train(arguments.what, steps, arguments.resume, arguments.from_package)


if __name__ == "__main__":
    main()
