#!/bin/sh
# Draws all lessons and trains all of the reader's networks from nothing, then packs them: about half an hour of
# two free cores, the same figures (not the same bytes) each time. What it needs: calibration/README.md.
#
#     scripts/train_all.sh [PYTHON]        from the repository's root; build/recogniser must be empty or absent
#
# Lessons are counted and training goes by processor time, so a busy machine takes longer and teaches as much.
set -eu
python=${1:-python}
export OMP_NUM_THREADS=1 PYTHONPATH=.

$python scripts/draw_lessons.py cards --shards 40 --first 0 --step 2 &
first=$!
$python scripts/draw_lessons.py cards --shards 40 --first 1 --step 2
wait $first

$python scripts/train_recogniser.py wide --minutes 14 &
first=$!
$python scripts/train_recogniser.py index --minutes 12
wait $first

$python scripts/train_recogniser.py body --minutes 10 &
first=$!
$python scripts/draw_lessons.py tables --shards 20
$python scripts/train_recogniser.py segment --minutes 8
wait $first

$python scripts/train_recogniser.py pack
