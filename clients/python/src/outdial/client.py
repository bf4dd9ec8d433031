"""A client of one service."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import httpx

from .generated.client import AuthenticatedClient
from .generated.models import AddedToDoNotCall, BatchCall, BatchCallReport, KnowledgeBase
from .tokens import ApiKey, tokens_of
from .transport import SEND_ONCE, Patience, Transport


def connect(
    url: str,
    *,
    token: str | Callable[[], str] | None = None,
    key: ApiKey | None = None,
    token_life_seconds: int = 600,
    patience: Patience = Patience(),
    timeout_seconds: float = 30,
    transport: httpx.BaseTransport | None = None,
) -> AuthenticatedClient:
    """
    Makes a client, which every operation takes as ``client``.

    :param token: a token, or what gives one for each request; either this or ``key``
    :param key: signs short tokens of its own, each valid for ``token_life_seconds``
    :param transport: sends the requests, such as through a proxy
    """
    if (token is None) == (key is None):
        raise TypeError("Give either token or key.")
    if not re.match(r"https?://[^/]", url, re.IGNORECASE):
        raise ValueError(f"url: must be an address such as https://outdial.example.com, and is {url!r}.")
    if key is not None:
        tokens = tokens_of(key, token_life_seconds)
    elif isinstance(token, str):
        fixed = token
        tokens = lambda: fixed  # noqa: E731
    else:
        assert token is not None
        tokens = token
    sender = Transport(transport or httpx.HTTPTransport(), tokens, patience)
    return AuthenticatedClient(
        base_url=url.rstrip("/"),
        token="",  # the transport sets a fresh one
        prefix="",
        timeout=httpx.Timeout(timeout_seconds),
        httpx_args={"transport": sender},
    )


Upload = str | Path | tuple[str, IO[bytes]]
"""A path, or a name that says what it is and an open file or stream."""


class _ReadOnce:
    """A stream as httpx sends it in chunks: it takes the size of what it can ask for one, and a pipe says 0."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.read = stream.read


def _post_file(
    client: AuthenticatedClient, path: str, file: Upload, fields: Mapping[str, Any], idempotency_key: str | None
) -> Any:
    if not isinstance(file, tuple):
        with open(file, "rb") as opened:
            return _post_file(client, path, (Path(file).name, opened), fields, idempotency_key)
    texts = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in fields.items()
        if value is not None
    }
    seekable = file[1].seekable()
    response = client.get_httpx_client().post(
        path,
        data=texts,
        files={"file": file if seekable else (file[0], _ReadOnce(file[1]))},  # type: ignore[dict-item]
        headers={} if idempotency_key is None else {"idempotency-key": idempotency_key},
        extensions={SEND_ONCE: not seekable},
    )
    return response.json()


def create_batch_from_file(
    client: AuthenticatedClient, file: Upload, fields: Mapping[str, Any], *, idempotency_key: str | None = None
) -> BatchCall:
    """
    Makes a batch call from a file (.csv, .xls, .xlsx), which is never in memory as a whole.

    :param fields: as the reference names them: ``{"name": …, "phoneNumber": …, "retry": {"retryOn": […]}}``
    """
    return BatchCall.from_dict(_post_file(client, "/v1/batch-calls", file, fields, idempotency_key))


def validate_batch_from_file(client: AuthenticatedClient, file: Upload, fields: Mapping[str, Any]) -> BatchCallReport:
    """Says what ``create_batch_from_file`` would do. Nothing is stored and no one is called."""
    return BatchCallReport.from_dict(_post_file(client, "/v1/batch-calls/validate", file, fields, None))


def add_to_do_not_call_from_file(
    client: AuthenticatedClient, file: Upload, fields: Mapping[str, Any] = {}, *, idempotency_key: str | None = None
) -> AddedToDoNotCall:
    """Adds the numbers of a file to the do-not-call list."""
    return AddedToDoNotCall.from_dict(_post_file(client, "/v1/do-not-call", file, fields, idempotency_key))


def create_knowledge_base_from_file(
    client: AuthenticatedClient, file: Upload, fields: Mapping[str, Any] = {}, *, idempotency_key: str | None = None
) -> KnowledgeBase:
    """Makes a knowledge base from a document."""
    return KnowledgeBase.from_dict(_post_file(client, "/v1/knowledge-bases", file, fields, idempotency_key))
