"""Tableside: a console for the person who deals cards at home."""

__version__ = "0.1.0"
