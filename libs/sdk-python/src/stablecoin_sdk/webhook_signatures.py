"""Whether a webhook is the service's: Standard Webhooks (standardwebhooks.com), HMAC-SHA256."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, cast

from .errors import WebhookSignatureError
from .types import Event

TOLERANCE_SECONDS = 300
SECRET_PREFIX = "whsec_"
VERSION_PREFIX = "v1,"


def unwrap(
    body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance: float = TOLERANCE_SECONDS
) -> Event:
    """The event of a webhook, after its signature and its time were checked.

    ``body`` is the body as it came: parsed and printed again, its bytes are others. ``headers`` are the request's, in
    any case. ``tolerance`` is how many seconds the sender's clock and yours may differ.

    @raises WebhookSignatureError
    """
    content = body.encode() if isinstance(body, str) else body
    given = {name.lower(): text for name, text in headers.items()}
    identifier, timestamp, signatures = (
        _header(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    _check_time(timestamp, tolerance)
    signed = hmac.new(_key_of(secret), f"{identifier}.{timestamp}.".encode() + content, hashlib.sha256)
    expected = VERSION_PREFIX.encode() + base64.b64encode(signed.digest())
    # While a secret is rotated there are two signatures; all are compared, each in constant time.
    fitting = [hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")]
    if not any(fitting):
        raise WebhookSignatureError("no signature fits: another secret, or the body is not as it came")
    return _event_of(content)


def _header(headers: Mapping[str, str], name: str) -> str:
    text = headers.get(name)
    if not text:
        raise WebhookSignatureError(f"the header {name} is missing")
    return text


def _check_time(timestamp: str, tolerance: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookSignatureError("the header webhook-timestamp is not a time")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookSignatureError(f"the webhook is more than {tolerance:g} s old, or a clock is wrong")


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.strip().removeprefix(SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError(f"secret must be the webhook's secret, {SECRET_PREFIX} and base64")
    return key


def _event_of(content: bytes) -> Event:
    try:
        event: object = json.loads(content)
    except ValueError as error:
        raise WebhookSignatureError("the body is not JSON") from error
    if not isinstance(event, dict) or "type" not in event:
        raise WebhookSignatureError("the body is not an event")
    return cast(Event, cast("dict[str, Any]", event))
