"""What goes wrong with a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True)
class Problem:
    """One thing that the service says is wrong with a request."""

    path: str
    """Where in the request, such as ``retry.retryDelays[0]``; empty: the request as a whole."""
    message: str
    code: str | None = None
    """Which rule, of problems with an agent's config: docs/validation-codes.md lists them."""


class OutdialError(Exception):
    """A request that has not been granted, or that nothing has answered."""

    def __init__(
        self,
        message: str,
        status: int,
        problems: tuple[Problem, ...] = (),
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status; 0: there was no answer, and ``__cause__`` says why."""
        self.problems = problems
        """Every field's problem; empty if the request as a whole was refused."""
        self.request_id = request_id
        """By which the service's logs name the request."""


def _problem_of(listed: Any) -> Problem:
    if isinstance(listed, dict):
        return Problem(str(listed.get("path", "")), str(listed.get("message", "")), listed.get("code"))
    path, colon, message = str(listed).partition(": ")
    return Problem(path, message) if colon else Problem("", path)


def leads_elsewhere(response: httpx.Response) -> bool:
    """Whether no operation answers so: a page to look at, or a redirect, along which no token is sent."""
    return response.status_code >= 300 or response.headers.get("content-type", "").startswith("text/html")


def error_of_other_service(response: httpx.Response) -> OutdialError:
    """The error for such an answer."""
    words = f"What answers at {response.request.url} is no Outdial. Check the address."
    return OutdialError(words, response.status_code)


def error_of_answer(response: httpx.Response) -> OutdialError:
    """Reads what an answer other than a success says; each family of operations has a shape of its own."""
    try:
        body = response.json()
    except ValueError:
        body = None
    fields = body if isinstance(body, dict) else {}
    listed = fields.get("errors")
    problems = tuple(_problem_of(each) for each in listed) if isinstance(listed, list) else ()
    named = "; ".join(f"{each.path}: {each.message}" if each.path else each.message for each in problems)
    words = fields.get("error") or fields.get("message")
    sentence = words or ("The request is not valid" if problems else f"Status {response.status_code}")
    message = sentence if not named or named in sentence else f"{sentence}: {named}"
    return OutdialError(message, response.status_code, problems, response.headers.get("x-request-id"))
