"""Lists as iterators, waiting for a batch, and webhooks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from standardwebhooks import Webhook

from .errors import OutdialError
from .generated.api.batch_calls import batch_calls_get
from .generated.client import AuthenticatedClient
from .generated.models import BatchCallDetail
from .generated.types import Unset
from .transport import AWAY_STATUSES

_ENDS = {"completed", "cancelled", "parse_failed"}


def items_by_cursor(list_page: Callable[[str], Any]) -> Iterator[Any]:
    """
    Goes through a list that takes ``cursor``, asking for a page as it is needed.

    :param list_page: ``lambda cursor: calls_list.sync(client=client, cursor=cursor, per_page=100)``
    """
    cursor: str | Unset = ""
    while not isinstance(cursor, Unset):
        page = list_page(cursor)
        yield from page.data
        cursor = page.page_info.next_cursor


def items_by_page(list_page: Callable[[int], Any]) -> Iterator[Any]:
    """Goes through a list that takes ``page`` alone. What is added or removed meanwhile moves the others."""
    number, last = 1, 1
    while number <= last:
        page = list_page(number)
        yield from page.data
        number, last = number + 1, page.page_info.last_page


def _is_away(error: OutdialError) -> bool:
    return error.status == 0 or error.status in AWAY_STATUSES


def wait_for_batch(
    client: AuthenticatedClient,
    batch_id: str,
    *,
    on_progress: Callable[[BatchCallDetail], None] | None = None,
    interval_seconds: float = 2,
    timeout_seconds: float | None = None,
    longest_away_seconds: float = 300,
) -> BatchCallDetail:
    """
    Waits until a batch call has ended: ``completed``, ``cancelled`` or ``parse_failed``.

    :param on_progress: called each time that something about it has changed, and with its end
    :param longest_away_seconds: how long the service may be away, such as for an upgrade, once it has answered
    :raises TimeoutError: after ``timeout_seconds``; the batch goes on
    """
    until = None if timeout_seconds is None else time.monotonic() + timeout_seconds
    seen: BatchCallDetail | None = None
    answered_at = -math.inf
    while True:
        try:
            batch = batch_calls_get.sync(batch_id, client=client)
        except OutdialError as error:
            if not _is_away(error) or time.monotonic() - answered_at > longest_away_seconds:
                raise
        else:
            assert batch is not None
            answered_at = time.monotonic()
            if on_progress is not None and batch != seen:
                on_progress(batch)
            seen = batch
            if batch.status.value in _ENDS:
                return batch
        if until is not None and time.monotonic() + interval_seconds > until:
            status = "unknown" if seen is None else seen.status.value
            raise TimeoutError(f"{batch_id} is {status} after {timeout_seconds} s")
        time.sleep(interval_seconds)


def verify_webhook(headers: Mapping[str, str], body: str | bytes, secret: str) -> dict[str, Any]:
    """
    Checks who sent a webhook and when, by Standard Webhooks.

    :param body: as it came, not parsed and written again
    :param secret: of ``GET /v1/account/webhook-secret``
    :raises standardwebhooks.WebhookVerificationError: if the service has not sent it, or not within five minutes
    """
    sent = {name.lower(): value for name, value in headers.items()}
    event: dict[str, Any] = Webhook(secret).verify(body, sent)
    return event
