"""Sends requests: with a token and an Idempotency-Key, and again if repeating is harmless."""

from __future__ import annotations

import random
import re
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx

from .errors import OutdialError, error_of_answer, error_of_other_service, leads_elsewhere
from .generated.keyed import KEYED_POSTS

SEND_ONCE = "outdial_send_once"
"""Extension of a request whose body is a stream that can be read once."""

AWAY_STATUSES = (502, 503, 504)
"""Of a service that is starting or too busy, and of a proxy before one that does not answer."""

_FIRST_WAIT_SECONDS = 0.5
_KEY_HEADER = "idempotency-key"
_keyed = re.compile("|".join(re.sub(r"\{\w+\}", "[^/]+", path) + "$" for path in KEYED_POSTS))


@dataclass(frozen=True)
class Patience:
    """How long a request is tried."""

    retries: int = 4
    """How often it is tried again at most."""
    longest_wait_seconds: float = 60
    """The longest ``Retry-After`` that is waited for."""


def _is_harmless(request: httpx.Request) -> bool:
    return request.method == "GET" or _KEY_HEADER in request.headers


def _wait_seconds(response: httpx.Response | None, tried: int) -> float:
    after = response.headers.get("retry-after") if response is not None else None
    if after is None:
        return _FIRST_WAIT_SECONDS * 2**tried * random.uniform(0.5, 1)
    try:
        return float(after)
    except ValueError:
        return max(0.0, parsedate_to_datetime(after).timestamp() - time.time())


def _should_repeat(request: httpx.Request, response: httpx.Response, tried: int) -> bool:
    if response.status_code == 429:  # nothing was done
        return True
    if not _is_harmless(request):
        return False
    # 409 also says that the first request with the same key, whose answer was lost, still runs.
    still_runs = tried > 0 and response.status_code == 409 and "Idempotency-Key is still running" in response.text
    return response.status_code in AWAY_STATUSES or still_runs


def _is_json(response: httpx.Response) -> bool:
    return bool(response.headers.get("content-type", "").startswith("application/json"))


def _not_elsewhere(response: httpx.Response) -> httpx.Response:
    if not leads_elsewhere(response):
        return response
    response.close()
    raise error_of_other_service(response)


class Transport(httpx.BaseTransport):
    """Gives back successes; whatever else becomes of a request is an ``OutdialError``."""

    def __init__(self, inner: httpx.BaseTransport, token: Callable[[], str], patience: Patience) -> None:
        self._inner = inner
        self._token = token
        self._patience = patience

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST" and _keyed.search(request.url.path):
            request.headers.setdefault(_KEY_HEADER, str(uuid.uuid4()))
        retries = 0 if request.extensions.get(SEND_ONCE) else self._patience.retries
        for tried in range(retries + 1):
            request.headers["authorization"] = self._token()
            response: httpx.Response | None = None
            try:
                response = self._inner.handle_request(request)
                response.request = request
                if response.status_code < 400 and not _is_json(response):
                    # It may be longer than memory, so it is given as it comes.
                    return _not_elsewhere(response)
                response.read()
                if response.status_code < 400:
                    return _not_elsewhere(response)
            except httpx.TransportError as error:
                response = None
                if tried == retries or not _is_harmless(request):
                    raise OutdialError("The service does not answer.", 0) from error
            wait = _wait_seconds(response, tried)
            if response is not None:
                gives_up = tried == retries or wait > self._patience.longest_wait_seconds
                if gives_up or not _should_repeat(request, response, tried):
                    raise error_of_answer(response)
            time.sleep(wait)
        raise AssertionError("unreachable")

    def close(self) -> None:
        self._inner.close()
