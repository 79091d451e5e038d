"""Compiled translations are those of the .po files; slips and the night file are wholly translated."""

import gettext
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from assistant.i18n import _, language, ngettext, speaking, use_language

HEADER = """\
Content-Type: text/plain; charset=UTF-8
Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);
"""


@pytest.fixture(scope="module")
def extract(repository: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "extract_messages", repository / "scripts" / "extract_messages.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["extract_messages"] = module
    spec.loader.exec_module(module)
    return module


def test_compiled_translations_are_fresh(extract: ModuleType, repository: Path) -> None:
    paths = list((repository / "assistant" / "locale").glob("*/LC_MESSAGES/*.po"))
    assert paths
    for path in paths:
        compiled = extract.compile_mo(*extract.read_po(path.read_text(encoding="utf-8")))
        assert path.with_suffix(".mo").read_bytes() == compiled, "run scripts/extract_messages.py"


@pytest.mark.parametrize("folder", ["slips", "store"])
def test_every_sentence_of_slips_and_night_file_is_translated(
    extract: ModuleType, repository: Path, folder: str
) -> None:
    text = (repository / "assistant" / "locale" / "ru" / "LC_MESSAGES" / "tableside.po").read_text(
        encoding="utf-8"
    )
    _header, catalogue = extract.read_po(text)
    for path in (repository / "assistant" / folder).glob("*.py"):
        for message in extract.collect_from(path.read_text(encoding="utf-8")):
            assert any(catalogue.get(message, ())), (path.name, message.text)


def test_translations_name_what_the_sentences_name(extract: ModuleType, repository: Path) -> None:
    """A translation with another field in braces would fail in front of the dealer."""
    text = (repository / "assistant" / "locale" / "ru" / "LC_MESSAGES" / "tableside.po").read_text(
        encoding="utf-8"
    )
    for message, forms in extract.read_po(text)[1].items():
        for form in filter(None, forms):
            assert sorted(fields_of(form)) == sorted(fields_of(message.text)), message.text


def fields_of(text: str) -> list[str]:
    return [part.split("}")[0] for part in text.split("{")[1:]]


def test_po_files_survive_being_read_and_written(extract: ModuleType) -> None:
    message = extract.Message
    catalogue = {
        message("", 'a "b"\n\\c'): ("Ж\t",),
        message("ctx", "a"): ("б",),
        message("", "one", "many"): ("1", "2", "3"),
        message("", "untranslated"): ("",),
    }
    assert extract.read_po(extract.write_po(HEADER, catalogue)) == (HEADER, catalogue)


def test_python_reads_the_compiled_form(extract: ModuleType, tmp_path: Path) -> None:
    message = extract.Message
    catalogue = {
        message("ctx", "a"): ("б",),
        message("", "{n} x", "{n} xs"): ("1", "2", "3"),
        message("", "u"): ("",),
    }
    (tmp_path / "x.mo").write_bytes(extract.compile_mo(HEADER, catalogue))
    with (tmp_path / "x.mo").open("rb") as file:
        read = gettext.GNUTranslations(file)
    assert (read.pgettext("ctx", "a"), read.gettext("u"), read.gettext("a")) == ("б", "u", "a")
    assert [read.ngettext("{n} x", "{n} xs", number) for number in (1, 2, 5)] == ["1", "2", "3"]


def test_marked_sentences_are_found(extract: ModuleType) -> None:
    source = '_("a" "b"); N_("c"); ngettext("d", "ds", n); pgettext("x", "e"); _(name); other("f"); _("")'
    found = {(one.context, one.text, one.plural) for one in extract.collect_from(source)}
    assert found == {("", "ab", ""), ("", "c", ""), ("", "d", "ds"), ("x", "e", "")}


def test_languages_change_and_change_back() -> None:
    assert use_language("en") == "en"
    with speaking("ru"):
        assert (language(), _("Total")) == ("ru", "Всего")
        assert ngettext("Payments: {number}", "Payments: {number}", 5) == "Платежей: {number}"
        with speaking("en"):
            assert _("Total") == "Total"
        assert _("Total") == "Всего"
    assert (language(), _("Total")) == ("en", "Total")


@pytest.mark.parametrize(
    ("code", "spoken"), [("ru_RU", "ru"), ("ru", "ru"), ("xx", "en"), ("", "en"), ("en_GB", "en")]
)
def test_what_is_spoken(code: str, spoken: str) -> None:
    with speaking(code):
        assert language() == spoken
