"""From a call to its answer, over as many attempts as it takes.

1. The request is made once: its Idempotency-Key, its request id and its body are the same in every attempt.
2. An attempt ends with a whole answer, or without one.
3. What may end otherwise the next time is sent again, while retries and the deadline last.
4. A success gives its body. Anything else is an error that says whether the call may have taken effect.
"""

from __future__ import annotations

import json
import logging
import platform
import random
import time
import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypedDict, cast

from ._backoff import retry_after_of, seconds_after
from ._connections import Answer, AttemptFailed, Connections
from ._version import VERSION
from .errors import (
    StablecoinApiError,
    StablecoinCallError,
    StablecoinConnectionError,
    StablecoinTimeoutError,
    UnexpectedAnswerError,
)
from .refusals import REFUSALS

STATUSES_SENT_AGAIN = frozenset({429, 502, 503, 504})
"""The service's own ``rate_limited`` and ``unavailable``, and a proxy's word that it did not reach the service."""
CODES_SENT_AGAIN = frozenset({"idempotency_in_flight", "internal_error"})
STATUSES_BEFORE_THE_KEY = frozenset({401, 403, 413, 414, 415, 429, 431})
"""Refused before the service looked whether the key had taken effect: they say nothing about an earlier attempt."""
IDEMPOTENCY_KEY_LENGTH_MAX = 255
UPLOAD_BYTES_PER_SECOND = 128 * 1024
"""A larger body has a second more for each so many bytes."""
USER_AGENT = f"stablecoin-sdk-python/{VERSION} (Python {platform.python_version()})"

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Request:
    method: str
    name: str
    """Its path with the ids left out, for logs and errors."""
    path: str
    query: str = ""
    body: bytes | None = None
    content_type: str = "application/json"
    idempotency_key: str | None = None
    """Of a write, always: it is what makes a second attempt safe."""
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    def __str__(self) -> str:
        return f"{self.method} {self.name}"


@dataclass(frozen=True)
class Limits:
    timeout: float
    """Seconds for each attempt."""
    deadline: float
    """Seconds for all attempts and the waits between them."""
    max_retries: int

    def __post_init__(self) -> None:
        if not self.timeout > 0 or not self.deadline > 0 or self.max_retries < 0:
            raise ValueError("timeout and deadline must be above 0, max_retries 0 or more")


def idempotency_key_of(given: str | None) -> str:
    """The caller's key, or a new one: drawn once for a call, so that all its attempts carry the same."""
    if given is None:
        return str(uuid.uuid4())
    if not 1 <= len(given) <= IDEMPOTENCY_KEY_LENGTH_MAX or not (given.isascii() and given.isprintable()):
        raise ValueError(f"idempotency_key must be 1 to {IDEMPOTENCY_KEY_LENGTH_MAX} printable ASCII characters")
    return given


class Requester:
    def __init__(self, connections: Connections, api_key: str, limits: Limits, logger: logging.Logger) -> None:
        self.connections = connections
        self.limits = limits
        self._api_key = api_key
        self._logger = logger

    def within(self, limits: Limits) -> Requester:
        """The same over the same connections, within other limits."""
        return Requester(self.connections, self._api_key, limits, self._logger)

    def send(self, request: Request) -> Json:
        """The body of a success. @raises StablecoinCallError"""
        upload = len(request.body or b"") / UPLOAD_BYTES_PER_SECOND
        ends_at = time.monotonic() + self.limits.deadline + upload
        unknown = False
        attempt = 1
        while True:
            left = max(0.001, ends_at - time.monotonic())
            ended = self._attempt(request, attempt, min(self.limits.timeout + upload, left))
            if isinstance(ended, dict):
                return ended
            unknown = request.method != "GET" and ended.leaves_unknown(unknown)
            wait = seconds_after(attempt, ended.retry_after, random.random)
            leaves_time = time.monotonic() + wait < ends_at
            if attempt > self.limits.max_retries or not leaves_time or not ended.may_be_sent_again():
                raise ended.error(request, unknown, attempt)
            self._logger.info("%s: attempt %d in %.2f s", request, attempt + 1, wait)
            time.sleep(wait)
            attempt += 1

    def _attempt(self, request: Request, attempt: int, timeout: float) -> Json | _Failed:
        started = time.monotonic()
        target = f"{request.path}?{request.query}" if request.query else request.path
        try:
            answer = self.connections.send(request.method, target, self._headers(request), request.body, timeout)
            ended = _read(answer)
            how = str(answer.status)
        except AttemptFailed as failed:
            ended = _Unanswered(failed)
            how = str(failed)
        elapsed_ms = (time.monotonic() - started) * 1000
        # Neither query, body nor key: a search may hold a name.
        self._logger.debug(
            "%s: attempt %d, %.0f ms, request_id %s: %s", request, attempt, elapsed_ms, request.request_id, how
        )
        return ended

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {
            "x-api-key": self._api_key,
            "x-request-id": request.request_id,
            "accept": "application/json",
            "user-agent": USER_AGENT,
        }
        if request.body is not None:
            headers["content-type"] = request.content_type
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        return headers


def _read(answer: Answer) -> Json | _Failed:
    try:
        parsed: object = json.loads(answer.body)
    except ValueError:
        if answer.headers.get("content-type", "").startswith("application/json"):
            # What says that it is JSON and stops half-way was cut by somebody on its way.
            raise AttemptFailed("the answer is not whole", sent=True, timed_out=False) from None
        parsed = None
    body = cast("Json", parsed) if isinstance(parsed, dict) else {}
    if 200 <= answer.status < 300 and body.get("status") == "success":
        return body
    return _Refused(answer, body)


class _CallFacts(TypedDict):
    request_id: str | None
    idempotency_key: str | None
    outcome_unknown: bool
    attempts: int


class _Failed(ABC):
    """How an attempt ended that was no success."""

    retry_after: float | None = None

    @abstractmethod
    def may_be_sent_again(self) -> bool:
        """Whether the same request may end otherwise the next time."""

    @abstractmethod
    def leaves_unknown(self, before: bool) -> bool:
        """Whether a write may have taken effect, given that it may have before this attempt."""

    @abstractmethod
    def error(self, request: Request, unknown: bool, attempts: int) -> StablecoinCallError:
        """What the call ends with, if this attempt was its last."""


class _Unanswered(_Failed):
    def __init__(self, failed: AttemptFailed) -> None:
        self._failed = failed

    def may_be_sent_again(self) -> bool:
        return True

    def leaves_unknown(self, before: bool) -> bool:
        return before or self._failed.sent

    def error(self, request: Request, unknown: bool, attempts: int) -> StablecoinCallError:
        kind = StablecoinTimeoutError if self._failed.timed_out else StablecoinConnectionError
        outcome = "; it may have taken effect: send it again with the same idempotency_key" if unknown else ""
        error = kind(
            f"{request}: {self._failed} (attempts: {attempts}){outcome}",
            request_id=request.request_id,
            idempotency_key=request.idempotency_key,
            outcome_unknown=unknown,
            attempts=attempts,
        )
        error.__cause__ = self._failed.__cause__
        return error


class _Refused(_Failed):
    """A whole answer, of the service or of what stands before it."""

    def __init__(self, answer: Answer, body: Json) -> None:
        code: object = body.get("code")
        self._status = answer.status
        self._body = body
        self._code = code if isinstance(code, str) and body.get("status") == "error" else None
        self._request_id = answer.headers.get("x-request-id")
        self._not_executed = answer.headers.get("x-outcome") == "none"
        self.retry_after = retry_after_of(answer.headers.get("retry-after"))

    def may_be_sent_again(self) -> bool:
        return self._status in STATUSES_SENT_AGAIN or self._code in CODES_SENT_AGAIN

    def leaves_unknown(self, before: bool) -> bool:
        """A refusal by a rule of the business settles it: had an earlier attempt taken effect, its stored answer would
        have come.
        """
        if self._not_executed or self._status in STATUSES_BEFORE_THE_KEY:
            return before
        return self._code is None or self._code == "idempotency_in_flight" or self._status >= 500

    def error(self, request: Request, unknown: bool, attempts: int) -> StablecoinCallError:
        facts: _CallFacts = {
            "request_id": self._request_id or request.request_id,
            "idempotency_key": request.idempotency_key,
            "outcome_unknown": unknown,
            "attempts": attempts,
        }
        if self._code is None:
            message = f"{request} was answered {self._status}, in a form that is not the service's"
            return UnexpectedAnswerError(message, status=self._status, **facts)
        errors: list[Any] = self._body.get("errors") or []
        fields = "".join(f"; {error.get('field')}: {error.get('message')}" for error in errors)
        message = f"{self._status} {self._code}: {self._body.get('message')}{fields}"
        return REFUSALS.get(self._code, StablecoinApiError)(
            f"{message} ({request}, request_id {facts['request_id']})",
            status=self._status,
            code=self._code,
            errors=errors,
            retry_after=self.retry_after,
            **facts,
        )
