"""What goes wrong with an endpoint, as errors of ours: what it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from httpx2 import ConnectError
from pydantic_ai import exceptions as theirs

from medweave.errors import LanguageModelAwayError, LanguageModelError, LanguageModelLimitError
from medweave.model.language_model import LanguageModelName
from medweave.prompting.cost import Cost
from medweave.prompting.transport import OverlongReplyError, retry_after

_SHOWN = 200
_REDIRECTS = range(300, 400)
_AGAIN = (408, 409, 429)
_OF_SERVER = 500
_LOST = {
    True: (LanguageModelAwayError, "it cannot be reached",
           "see that it runs, and check the address"),
    False: (LanguageModelError, "the line to it breaks", "try again later"),
}  # fmt: skip
"""A line that was never there, and one that broke."""
_Kind = TypeVar("_Kind", bound=BaseException)
_NOT_REFUSED = (
    theirs.ModelAuthenticationError,
    theirs.ModelNotFoundError,
    theirs.ModelContextWindowExceededError,
)


class BrokenOffError(Exception):
    """A stream that ends without saying that it does."""


class CutOffError(Exception):
    """Words that are longer than they may be."""


def is_refused(error: Exception) -> bool:
    """Whether an endpoint does not know how it was asked, and may be asked in another way."""
    return isinstance(error, theirs.ModelRequestRejectedError) and not isinstance(
        error, _NOT_REFUSED
    )


def pause_after(error: Exception, tried: int, cost: Cost) -> float | None:
    """How long to wait before a request is tried again; None where that is of no use."""
    if cost.over or _cause(error, OverlongReplyError) or _cause(error, TimeoutError):
        return None
    if isinstance(error, theirs.ModelQuotaExceededError):
        return None
    status = _status(error)
    lost = isinstance(error, theirs.ModelConnectionError) and not status
    if not (lost or status in _AGAIN or status >= _OF_SERVER):
        return None
    held = (getattr(each, "headers", None) for each in _causes(error))
    return cost.pause(tried, retry_after(next(filter(None, held), {})))


def explained(
    error: Exception, name: LanguageModelName, key: str, cost: Cost
) -> LanguageModelError:
    """An error of the library as one of ours, with what it cost."""
    if isinstance(error, LanguageModelError) and not cost.over:
        ours = error  # who listened had enough
    else:
        kind, what, remedy = _ours(error, name, cost)
        ours = kind(
            f"the language model cannot be used: {what}{_shown(error, key)}",
            where=f"{name.id} at {name.url}",
            remedy=remedy,
        )
    ours.spent = (cost.requests, cost.input_tokens, cost.output_tokens)
    return ours


def _ours(
    error: Exception, name: LanguageModelName, cost: Cost
) -> tuple[type[LanguageModelError], str, str]:
    away, failed = LanguageModelAwayError, LanguageModelError
    if cost.over:
        return LanguageModelLimitError, cost.over, "raise the limit"
    if long := _cause(error, OverlongReplyError):
        return failed, str(long), "use another model"
    status = _status(error)
    if status in _REDIRECTS:
        remedy = "give the address to which this one leads: nothing is sent on"
        return away, f"it answers with status {status}", remedy
    late = f"it did not answer within {cost.seconds:.3g} s"
    variables = " or ".join(name.key_variables)
    known: list[tuple[type[BaseException], type[LanguageModelError], str, str]] = [
        (theirs.ModelAuthenticationError, away, "it refuses the key",
         f"give one as the variable {variables}"),
        (theirs.ModelNotFoundError, away, "it is not known there",
         "check the address and the name of the model"),
        (theirs.ModelQuotaExceededError, away, "no quota is left", "see to the account"),
        (TimeoutError, failed, late, "try again later"),
        (theirs.ModelTimeoutError, failed, late, "try again later"),
        (theirs.ModelConnectionError, *_LOST[_cause(error, ConnectError) is not None]),
        (BrokenOffError, failed, "its reply broke off", "try again later"),
        (CutOffError, failed, "its reply was cut off", "use another model"),
        (theirs.OutputTokenLimitExceeded, failed, "its reply is too long", "use another model"),
        (theirs.ModelRetry, failed, "its reply does not keep to the schema", "use another model"),
        (theirs.UnexpectedModelBehavior, failed, "its answer is none",
         "see what runs at the address"),
    ]  # fmt: skip
    for theirs_kind, ours, what, remedy in known:
        if isinstance(error, theirs_kind):
            return ours, what, remedy
    what = f"it refuses with status {status}" if status else "its answer is none"
    return failed, what, "see what runs at the address"


def _shown(error: Exception, key: str) -> str:
    """What an endpoint says, short and without the key; '' where it says nothing."""
    body = getattr(error, "body", None)
    message = body.get("message", "") if isinstance(body, dict) else body
    text = " ".join(str(message or "").split())
    text = text.replace(key, "…") if key else text
    return f" ({text[:_SHOWN]})" if text else ""


def _causes(error: BaseException | None) -> Iterator[Any]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _cause(error: Exception, kind: type[_Kind]) -> _Kind | None:
    return next((each for each in _causes(error) if isinstance(each, kind)), None)


def _status(error: Exception) -> int:
    """The status of an answer that led to an error; 0 where there was none."""
    held = (getattr(each, "status_code", None) for each in _causes(error))
    return next((status for status in held if isinstance(status, int)), 0)
