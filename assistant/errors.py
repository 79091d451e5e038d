"""The base of every error here, and the one way a line of table talk is refused."""

from __future__ import annotations

from collections.abc import Mapping


class AssistantError(Exception):
    """An error a person can act on.

    Attributes:
        message: What was found, where, and what was expected.
        hint: What to do next; may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        if not self.hint:
            return self.message
        stop = "" if self.message.endswith((".", "!", "?", ":", "…")) else "."
        return f"{self.message}{stop} {self.hint}"


class Refusal(AssistantError):
    """A line or an action was refused and nothing has changed.

    Rules and table talk raise it with a stable code and plain facts; `assistant.wording` alone makes the
    sentence.

    Attributes:
        code: Stable code such as ``E_TURN`` (table talk, "Refusals").
        reason: Key of the sentence in `assistant.wording`; the code itself where one sentence serves for all.
        facts: What the sentence names: amounts, players (by id), cards, words that were typed.
    """

    def __init__(self, code: str, reason: str = "", facts: Mapping[str, object] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason or code
        self.facts: Mapping[str, object] = facts or {}
