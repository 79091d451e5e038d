"""From pixels to cards: arrays in, readings out; no device code, and no OpenCV until a stage is imported."""
