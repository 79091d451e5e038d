"""Every check, one after the other, and which of them failed."""

import os
import subprocess
import time

from environment import ROOT, TEST
from installing import set_up
from launching import surroundings

COVERAGE = ["--cov=assistant", "--cov=drivers", "--cov=calibration", "--cov-branch", "--cov-report=term"]
ONLY_PYTEST = "--only-pytest"


def main(arguments: list[str]) -> int:
    """Run the checks; return 0 only if all passed. pytest comes last, so that its closing line does."""
    if code := set_up(TEST, "test"):
        return code
    only_pytest = ONLY_PYTEST in arguments
    pytest = [argument for argument in arguments if argument != ONLY_PYTEST]
    # a few chosen tests say nothing about coverage
    steps = {"pytest": ["-m", "pytest", *(pytest or COVERAGE)]}
    if not only_pytest:
        steps = {"check": ["scripts/check"], "wheel": ["scripts/wheel_check.py"], **steps}
    failed = [name for name, step in steps.items() if not _passes(name, step)]
    if failed:
        print(f"FAILED: {', '.join(failed)}", flush=True)
        return 1
    print(f"Passed: {', '.join(steps)}", flush=True)
    return 0


def _passes(name: str, step: list[str]) -> bool:
    print(f"== {name}", flush=True)
    began_s = time.monotonic()
    variables = surroundings(os.environ)
    code = subprocess.call([str(TEST.python), "-X", "utf8", *step], cwd=ROOT, env=variables)
    verdict = "passed" if code == 0 else f"FAILED (exit {code})"
    print(f"== {name}: {verdict}, {time.monotonic() - began_s:.0f} s", flush=True)
    return code == 0
