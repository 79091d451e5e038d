"""What a check of a night found, in words: what is wrong, since when, and what can be done about it."""

from __future__ import annotations

from assistant.i18n import _, ngettext
from assistant.store.base import Damage, NightDamaged, Verification
from assistant.store.salvage import Recovered


def what_is_wrong(name: str, found: Verification) -> str:
    """Return the sentence for a night that is not as it was written."""
    seq = found.first_bad
    if seq is None:
        return _("The file of night {name} is broken.").format(name=name)
    texts = {
        "cut": _("Night {name} has lost its end: entry {number} and what follows stand only in the copy."),
        "differs": _(
            "Night {name} and its copy differ from entry {number} on: one of them was written anew."
        ),
        "gap": _("Night {name} is not as it was written: entry {number} is missing."),
        "unbalanced": _("Night {name} is not as it was written: entry {number} makes or loses chips."),
        "unreadable": _("Night {name} is not as it was written: entry {number} can't be read."),
    }
    usual = _("Night {name} is not as it was written: entry {number} was changed.")
    return texts.get(found.reason, usual).format(name=name, number=seq)


def what_is_left(damage: Damage) -> tuple[str, ...]:
    """Return what can be brought back, a sentence a line."""
    from_copy = damage.left - damage.in_file
    lines = [
        ngettext(
            "{count} entry is proved good.", "{count} entries from the first on are proved good.", damage.left
        ).format(count=damage.left)
    ]
    if from_copy:
        lines.append(
            ngettext(
                "{count} of them comes from the copy.", "{count} of them come from the copy.", from_copy
            ).format(count=from_copy)
        )
    if damage.rest:
        lines.append(
            ngettext(
                "{count} more can be read but not proved; recovering writes it to a text file.",
                "{count} more can be read but not proved; recovering writes them to a text file.",
                damage.rest,
            ).format(count=damage.rest)
        )
    if damage.others:
        lines.append(
            ngettext(
                "{count} entry of a copy tells it another way; compare with the paper slips first.",
                "{count} entries of a copy tell it another way; compare with the paper slips first.",
                damage.others,
            ).format(count=damage.others)
        )
    return tuple(lines)


def what_was_done(done: Recovered) -> str:
    """Return what a recovery did, in a sentence or three."""
    texts = [
        ngettext("Recovered: {count} entry.", "Recovered: {count} entries.", done.entries).format(
            count=done.entries
        )
    ]
    if done.kept is not None:
        texts.append(_("The damaged file is kept as {name}.").format(name=done.kept.name))
    if done.rest is not None:
        texts.append(
            _("What could not be proved is in {name}: check it line by line.").format(name=done.rest.name)
        )
    return " ".join(texts)


def damaged(name: str, found: Verification) -> NightDamaged:
    """Return the error for a night of which nothing can be shown."""
    hint = _(
        "It was left as it is. `tableside recover {name}` looks for copies; `tableside --new` begins another"
        " night."
    ).format(name=name)
    return NightDamaged(what_is_wrong(name, found), hint)
