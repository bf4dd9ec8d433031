"""Tokens that a key of the account signs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import jwt


@dataclass(frozen=True)
class ApiKey:
    """A key of the account, as ``POST /v1/account/keys`` answers it."""

    id: str
    secret: str


def tokens_of(key: ApiKey, life_seconds: int) -> Callable[[], str]:
    """Signs short tokens, a new one once half of the last one's life is over."""
    token = ""
    signed_at = -life_seconds

    def current() -> str:
        nonlocal token, signed_at
        now = int(time.time())
        if now - signed_at >= life_seconds / 2:
            signed_at = now
            claims = {"apikey": key.id, "iat": now, "exp": now + life_seconds}
            token = jwt.encode(claims, key.secret, algorithm="HS256")
        return token

    return current
