"""The dealer's language: gettext set-up and nothing else.

Sentences are written in English in the code, inside `_()`; translations lie in
``locale/<language>/LC_MESSAGES/tableside.mo``. A language without a catalogue speaks English.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DOMAIN = "tableside"
LOCALE_FOLDER = Path(__file__).with_name("locale")
SOURCE_LANGUAGE = "en"


class _Speaker:
    """The one piece of state here: which catalogue answers. One language at a time."""

    language = SOURCE_LANGUAGE
    catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(code: str) -> str:
    """Speak a language from now on.

    Args:
        code: Such as ``en``, ``ru`` or ``ru_RU``; unknown ones mean English.

    Returns:
        The code of the language that is spoken now.
    """
    try:
        _Speaker.catalogue = gettext.translation(DOMAIN, LOCALE_FOLDER, [code])
        _Speaker.language = code.partition("_")[0].lower()
    except OSError:
        _Speaker.catalogue = gettext.NullTranslations()
        _Speaker.language = SOURCE_LANGUAGE
    return _Speaker.language


def language() -> str:
    """Return the code of the language that is spoken."""
    return _Speaker.language


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak another language for the length of a block: a slip in Russian, JSON in English."""
    before = _Speaker.language, _Speaker.catalogue
    use_language(code)
    try:
        yield
    finally:
        _Speaker.language, _Speaker.catalogue = before


def _(message: str) -> str:
    """Return a sentence in the dealer's language."""
    return _Speaker.catalogue.gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return a sentence in the form its number asks for (Russian has three)."""
    return _Speaker.catalogue.ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """Return a word whose translation depends on where it stands, such as the heading of a column."""
    return _Speaker.catalogue.pgettext(context, message)


def N_(message: str) -> str:
    """Mark a sentence for translation where it is kept in a table; `_` translates it when it is said."""
    return message
