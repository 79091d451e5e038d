"""Translations: collect the program's sentences into the .po files and compile them to .mo.

    scripts/extract_messages.py            collect, keep what is translated, compile
    scripts/extract_messages.py --check    only say what is missing or stale; exit 1 if a .mo is stale

Written out here because it is all that is needed of gettext's tools, which not every machine has.
"""

from __future__ import annotations

import argparse
import ast
import re
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
SOURCES = ("assistant", "drivers", "calibration")
LOCALE = REPOSITORY / "assistant" / "locale"
CONTEXT_END = "\x04"
MARKERS = {"_": (None, 0, None), "N_": (None, 0, None), "ngettext": (None, 0, 1), "pgettext": (0, 1, None)}
"""Function -> positions of context, sentence and plural among its arguments."""


@dataclass(frozen=True, order=True)
class Message:
    """A sentence of the program."""

    context: str
    text: str
    plural: str = field(default="", compare=False)

    @property
    def key(self) -> str:
        """As it is looked up in a .mo file."""
        text = f"{self.text}\0{self.plural}" if self.plural else self.text
        return f"{self.context}{CONTEXT_END}{text}" if self.context else text


Catalogue = dict[Message, tuple[str, ...]]


def main() -> int:
    """Collect and compile, or check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    sentences, stale = sorted(set(collect())), False
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        header, old = read_po(path.read_text(encoding="utf-8"))
        new: Catalogue = {message: old.get(message, ()) for message in sentences}
        compiled = compile_mo(header, old if check else new)
        missing = sum(1 for message in sentences if not any(old.get(message, ())))
        print(f"{path.relative_to(REPOSITORY)}: {len(sentences)} sentences, {missing} not translated")
        if check:
            stale |= path.with_suffix(".mo").read_bytes() != compiled
        else:
            path.write_text(write_po(header, new), encoding="utf-8", newline="\n")
            path.with_suffix(".mo").write_bytes(compiled)
    return 1 if stale else 0


def collect() -> Iterator[Message]:
    """Yield every sentence that the sources mark for translation."""
    for folder in SOURCES:
        for path in sorted((REPOSITORY / folder).rglob("*.py")):
            yield from collect_from(path.read_text(encoding="utf-8"))


def collect_from(source: str) -> Iterator[Message]:
    """Yield the sentences of one module."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKERS):
            continue
        texts = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
        context, text, plural = (
            texts[place] if place is not None and place < len(texts) else ""
            for place in MARKERS[node.func.id]
        )
        if isinstance(text, str) and text and isinstance(context, str) and isinstance(plural, str):
            yield Message(context, text, plural)


def read_po(text: str) -> tuple[str, Catalogue]:
    """Return header and translations of a .po file."""
    catalogue: Catalogue = {}
    header = ""
    for block in re.split(r"\n\s*\n", text):
        fields = _fields(block)
        message = Message(fields.get("msgctxt", ""), fields.get("msgid", ""), fields.get("msgid_plural", ""))
        forms = tuple(value for name, value in fields.items() if name.startswith("msgstr"))
        if message.text:
            catalogue[message] = forms
        elif forms:
            header = forms[0]
    return header, catalogue


def _fields(block: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    name = ""
    for line in block.splitlines():
        match = re.fullmatch(r'(?:(msg[a-z_]+(?:\[\d\])?)\s+)?(".*")', line.strip())
        if match:
            name = match[1] or name
            fields[name] = fields.get(name, "") + str(ast.literal_eval(match[2]))
    return fields


def write_po(header: str, catalogue: Catalogue) -> str:
    """Return a .po file in the order of the sentences."""
    plurals = int(found[1]) if (found := re.search(r"nplurals=(\d)", header)) else 2
    blocks = ['msgid ""\nmsgstr ""\n' + "\n".join(map(_quoted, header.splitlines(keepends=True)))]
    for message in sorted(catalogue):
        forms = catalogue[message]
        lines = [f"msgctxt {_quoted(message.context)}"] if message.context else []
        lines.append(f"msgid {_quoted(message.text)}")
        if message.plural:
            lines.append(f"msgid_plural {_quoted(message.plural)}")
            padded = (*forms, *[""] * plurals)[:plurals]
            lines += [f"msgstr[{number}] {_quoted(form)}" for number, form in enumerate(padded)]
        else:
            lines.append(f"msgstr {_quoted(forms[0] if forms else '')}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def compile_mo(header: str, catalogue: Catalogue) -> bytes:
    """Return the compiled form of what is translated (GNU gettext manual, "The Format of GNU MO Files")."""
    pairs = {"": header}
    pairs |= {message.key: "\0".join(forms) for message, forms in catalogue.items() if forms and all(forms)}
    keys = sorted(key.encode() for key in pairs)
    values = [pairs[key.decode()].encode() for key in keys]
    start = 7 * 4 + len(keys) * 16
    tables, offset = b"", start
    for strings in (keys, values):
        for string in strings:
            tables += struct.pack("<II", len(string), offset)
            offset += len(string) + 1
    head = struct.pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + len(keys) * 8, 0, start)
    return head + tables + b"".join(string + b"\0" for string in (*keys, *values))


if __name__ == "__main__":
    sys.exit(main())
