#!/bin/sh
# Draws all lessons and trains all of the reader's networks from nothing, then packs them: about half an hour of
# two free cores, the same figures (not the same bytes) each time. What it needs: calibration/README.md.
#
#     scripts/train_all.sh [PYTHON]        from the repository's root; build/recogniser must be empty or absent
#
# Lessons and steps are counted, so a busy or slower machine takes longer and teaches as much. Half an hour is for
# processors that multiply in half precision; others take four times as long.
set -eu
python=${1:-python}
export OMP_NUM_THREADS=1 PYTHONPATH=.

$python scripts/draw_lessons.py cards --shards 40 --first 0 --step 2 &
first=$!
$python scripts/draw_lessons.py cards --shards 40 --first 1 --step 2
wait $first

$python scripts/train_recogniser.py wide &
first=$!
$python scripts/train_recogniser.py index
wait $first

$python scripts/train_recogniser.py body &
first=$!
$python scripts/draw_lessons.py tables --shards 20
$python scripts/train_recogniser.py segment
wait $first

$python scripts/train_recogniser.py pack
