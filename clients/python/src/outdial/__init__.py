"""Client of the HTTP API of Outdial. Operations and models are in ``outdial.generated``."""

from .client import (
    Upload,
    add_to_do_not_call_from_file,
    connect,
    create_batch_from_file,
    create_knowledge_base_from_file,
    validate_batch_from_file,
)
from .errors import OutdialError, Problem
from .helpers import items_by_cursor, items_by_page, verify_webhook, wait_for_batch
from .tokens import ApiKey
from .transport import Patience

__all__ = [
    "ApiKey",
    "OutdialError",
    "Patience",
    "Problem",
    "Upload",
    "add_to_do_not_call_from_file",
    "connect",
    "create_batch_from_file",
    "create_knowledge_base_from_file",
    "items_by_cursor",
    "items_by_page",
    "validate_batch_from_file",
    "verify_webhook",
    "wait_for_batch",
]
