"""What a call can end with beside its answer.

``StablecoinApiError`` and its subclasses, one for each code (``stablecoin_sdk.refusals``): the service answered, and
refused. ``StablecoinConnectionError``: no whole answer came. All errors of a call say whether the outcome is unknown:
then it may have taken effect, and the same call with the same ``idempotency_key`` finds out without doing it twice.

All of them can be pickled, since task queues hand exceptions from one process to another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .types import FieldError


class StablecoinError(Exception):
    """The base of all errors of this package but a wrong argument, which is a ``TypeError`` or a ``ValueError``."""


class StablecoinCallError(StablecoinError):
    """A call that ended without a success, after all its attempts."""

    def __init__(
        self,
        message: str = "",
        *,
        request_id: str | None = None,
        idempotency_key: str | None = None,
        outcome_unknown: bool = False,
        attempts: int = 0,
    ) -> None:
        super().__init__(message)
        self.request_id = request_id
        """Finds the request in the service's logs: quote it when you ask about the call."""
        self.idempotency_key = idempotency_key
        """Send the same again with it: it takes effect once. None for reads."""
        self.outcome_unknown = outcome_unknown
        """Whether the call may have taken effect."""
        self.attempts = attempts
        """How often it was sent."""


class StablecoinConnectionError(StablecoinCallError):
    """No whole answer came: the connection was refused, or broke."""


class StablecoinTimeoutError(StablecoinConnectionError):
    """No whole answer came in time."""


class UnexpectedAnswerError(StablecoinCallError):
    """What came was no answer of the service: a proxy's page, a redirect, or a base URL that leads elsewhere."""

    def __init__(
        self,
        message: str = "",
        *,
        status: int = 0,
        request_id: str | None = None,
        idempotency_key: str | None = None,
        outcome_unknown: bool = False,
        attempts: int = 0,
    ) -> None:
        super().__init__(
            message,
            request_id=request_id,
            idempotency_key=idempotency_key,
            outcome_unknown=outcome_unknown,
            attempts=attempts,
        )
        self.status = status


class StablecoinApiError(StablecoinCallError):
    """The service refused. A code that is newer than this package comes as this class, all others have their own."""

    def __init__(
        self,
        message: str = "",
        *,
        status: int = 0,
        code: str = "",
        errors: list[FieldError] | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
        idempotency_key: str | None = None,
        outcome_unknown: bool = False,
        attempts: int = 0,
    ) -> None:
        super().__init__(
            message,
            request_id=request_id,
            idempotency_key=idempotency_key,
            outcome_unknown=outcome_unknown,
            attempts=attempts,
        )
        self.status = status
        self.code = code
        self.errors: list[FieldError] = errors or []
        """With ``validation_failed``: every field that was refused, by its path in the body."""
        self.retry_after = retry_after
        """The seconds that the service asked to wait."""


class WebhookSignatureError(StablecoinError):
    """A delivery that is not to be trusted: not signed with this secret, changed on its way, or too old."""
