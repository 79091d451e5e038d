"""Frozen records with some fields changed: what `dataclasses.replace` does, at a fifth of its price.

Every line of table talk makes half a dozen new records out of old ones, and a long night that is opened makes
tens of thousands; reading each field and setting it again through a frozen class was a third of that time.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Any

__all__ = ["replace"]

if TYPE_CHECKING:
    from dataclasses import replace  # its checks of names and types are wanted
else:

    def replace(record, /, **changes):
        """Return a record like another one, with other values in some fields.

        Raises:
            TypeError: There is no such field.
        """
        kept = getattr(record, "__dict__", None)
        kind = type(record)
        if kept is None or len(kept) != _plain_fields(kind):
            return dataclasses.replace(record, **changes)
        new = object.__new__(kind)
        values = new.__dict__
        values.update(kept)
        values.update(changes)
        if len(values) != len(kept):  # a name that is no field
            return dataclasses.replace(record, **changes)
        return new


@cache
def _plain_fields(kind: type[Any]) -> int:
    """How many fields a class has, all of them set from outside; -1 where making a record does more."""
    if hasattr(kind, "__post_init__") or "__init__" not in vars(kind):
        return -1
    fields = dataclasses.fields(kind)
    return len(fields) if all(field.init for field in fields) else -1
