# Written by npm run docs (apps/workspace/src/sdk-generator/python-sdk.ts), from docs/openapi.json.
"""One class for each code that the service refuses with: a closed set."""

from __future__ import annotations

from typing import Final

from .errors import StablecoinApiError

__all__ = [
    "AmountTooSmallError",
    "ApprovalMismatchError",
    "ApproverNotAllowedError",
    "CustomerClosedError",
    "CustomerNotEmptyError",
    "CustomerTypeMismatchError",
    "DocumentUsedError",
    "EmailTakenError",
    "HeadersTooLargeError",
    "IdempotencyInFlightError",
    "IdempotencyKeyReusedError",
    "InsufficientFundsError",
    "InsufficientScopeError",
    "InternalError",
    "InvalidApiKeyError",
    "InvalidTransitionError",
    "KycRequiredError",
    "LimitExceededError",
    "MalformedJsonError",
    "MethodNotAllowedError",
    "NotFoundError",
    "PayloadTooLargeError",
    "PhoneTakenError",
    "ProofPendingError",
    "QuoteExpiredError",
    "QuoteMismatchError",
    "QuoteRequiredError",
    "QuoteUsedError",
    "RailUnavailableError",
    "RateLimitedError",
    "StorageQuotaReachedError",
    "UnavailableError",
    "UnsupportedMediaTypeError",
    "UnsupportedPairError",
    "UriTooLongError",
    "ValidationFailedError",
    "WalletExistsError",
    "WalletNotFoundError",
    "WebhookLimitReachedError",
]


class MalformedJsonError(StablecoinApiError):
    """400 ``malformed_json``: The body is not valid JSON in UTF-8; correct it and send it again."""


class ValidationFailedError(StablecoinApiError):
    """400 ``validation_failed``: Some of the request is not valid; correct the fields named in errors."""


class InvalidApiKeyError(StablecoinApiError):
    """401 ``invalid_api_key``: The API key is missing or not valid; send a valid one in the x-api-key header."""


class ApproverNotAllowedError(StablecoinApiError):
    """403 ``approver_not_allowed``: Whose key this is has created the payout, or approved it before; have another
    person approve it.
    """


class InsufficientScopeError(StablecoinApiError):
    """403 ``insufficient_scope``: This API key may not do that; use a key that has the scope for it."""


class NotFoundError(StablecoinApiError):
    """404 ``not_found``: There is nothing here for this API key; check the path and the ids in the request."""


class MethodNotAllowedError(StablecoinApiError):
    """405 ``method_not_allowed``: This path does not take that method; use one of those in the Allow header."""


class ApprovalMismatchError(StablecoinApiError):
    """409 ``approval_mismatch``: The payout sends something else than what was approved; look it up and approve the
    approval_hash that it shows.
    """


class CustomerNotEmptyError(StablecoinApiError):
    """409 ``customer_not_empty``: The customer still has money or open payouts; move the money out, then close it."""


class CustomerTypeMismatchError(StablecoinApiError):
    """409 ``customer_type_mismatch``: The customer is of the other type; use the endpoint for its customer_type."""


class DocumentUsedError(StablecoinApiError):
    """409 ``document_used``: A customer has this document already; send the document again, and name the new
    document_id.
    """


class EmailTakenError(StablecoinApiError):
    """409 ``email_taken``: Another customer has this e-mail address; use another one, or update that customer."""


class IdempotencyInFlightError(StablecoinApiError):
    """409 ``idempotency_in_flight``: A request with this Idempotency-Key is still running; send it again in a moment.
    """


class InvalidTransitionError(StablecoinApiError):
    """409 ``invalid_transition``: The payout or deposit is not in a state that allows this, or its chain alone decides;
    look up its current status.
    """


class PhoneTakenError(StablecoinApiError):
    """409 ``phone_taken``: Another customer has this phone number; use another one, or update that customer."""


class ProofPendingError(StablecoinApiError):
    """409 ``proof_pending``: There is no proof yet; ask again after the next checkpoint."""


class QuoteRequiredError(StablecoinApiError):
    """409 ``quote_required``: There is no open quote for this swap; create one first."""


class QuoteUsedError(StablecoinApiError):
    """409 ``quote_used``: This quote was used already; create a new one."""


class StorageQuotaReachedError(StablecoinApiError):
    """409 ``storage_quota_reached``: The merchant has as many documents stored as it may; ask the operator for a higher
    quota.
    """


class WalletExistsError(StablecoinApiError):
    """409 ``wallet_exists``: The owner has this wallet already; use it, or name a network that it lacks."""


class WebhookLimitReachedError(StablecoinApiError):
    """409 ``webhook_limit_reached``: There are as many webhooks as a merchant may have; delete one that is no longer
    needed.
    """


class PayloadTooLargeError(StablecoinApiError):
    """413 ``payload_too_large``: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
    documents, and 15 MiB with them.
    """


class UriTooLongError(StablecoinApiError):
    """414 ``uri_too_long``: The URL is too long; shorten it to at most 8192 characters."""


class UnsupportedMediaTypeError(StablecoinApiError):
    """415 ``unsupported_media_type``: The media type of the body is not taken here; send application/json, or a
    document by itself as multipart/form-data.
    """


class AmountTooSmallError(StablecoinApiError):
    """422 ``amount_too_small``: The amount is too small to give anything in the other currency; raise it."""


class CustomerClosedError(StablecoinApiError):
    """422 ``customer_closed``: The customer is closed; changes and movements are no longer possible."""


class IdempotencyKeyReusedError(StablecoinApiError):
    """422 ``idempotency_key_reused``: This Idempotency-Key was used with another request; take a new one."""


class InsufficientFundsError(StablecoinApiError):
    """422 ``insufficient_funds``: The wallet does not hold enough for amount and fee; add money or lower the amount."""


class KycRequiredError(StablecoinApiError):
    """422 ``kyc_required``: The customer is not approved yet; payouts are possible once kyc_status is approved."""


class LimitExceededError(StablecoinApiError):
    """422 ``limit_exceeded``: The policy lets no such payout go out now; look the policy up, lower the amount, or wait
    until less has gone out.
    """


class QuoteExpiredError(StablecoinApiError):
    """422 ``quote_expired``: The quote has expired; refresh it and execute the swap again."""


class QuoteMismatchError(StablecoinApiError):
    """422 ``quote_mismatch``: The quote is for other currencies or another amount; send those that it was made for."""


class RailUnavailableError(StablecoinApiError):
    """422 ``rail_unavailable``: No rail takes payouts of a live merchant there yet; nothing was held; ask your operator
    when there will be one.
    """


class UnsupportedPairError(StablecoinApiError):
    """422 ``unsupported_pair``: These two currencies can not be exchanged; name two different ones."""


class WalletNotFoundError(StablecoinApiError):
    """422 ``wallet_not_found``: The owner has no wallet in this currency; create it first."""


class RateLimitedError(StablecoinApiError):
    """429 ``rate_limited``: Too many requests with this key or from this address, or documents without a customer; wait
    as long as Retry-After says.
    """


class HeadersTooLargeError(StablecoinApiError):
    """431 ``headers_too_large``: The headers are too large; send fewer or shorter ones."""


class InternalError(StablecoinApiError):
    """500 ``internal_error``: Something went wrong on our side; send the request again with the same Idempotency-Key.
    """


class UnavailableError(StablecoinApiError):
    """503 ``unavailable``: The service is not available right now; send the request again after Retry-After."""


REFUSALS: Final[dict[str, type[StablecoinApiError]]] = {
    "malformed_json": MalformedJsonError,
    "validation_failed": ValidationFailedError,
    "invalid_api_key": InvalidApiKeyError,
    "approver_not_allowed": ApproverNotAllowedError,
    "insufficient_scope": InsufficientScopeError,
    "not_found": NotFoundError,
    "method_not_allowed": MethodNotAllowedError,
    "approval_mismatch": ApprovalMismatchError,
    "customer_not_empty": CustomerNotEmptyError,
    "customer_type_mismatch": CustomerTypeMismatchError,
    "document_used": DocumentUsedError,
    "email_taken": EmailTakenError,
    "idempotency_in_flight": IdempotencyInFlightError,
    "invalid_transition": InvalidTransitionError,
    "phone_taken": PhoneTakenError,
    "proof_pending": ProofPendingError,
    "quote_required": QuoteRequiredError,
    "quote_used": QuoteUsedError,
    "storage_quota_reached": StorageQuotaReachedError,
    "wallet_exists": WalletExistsError,
    "webhook_limit_reached": WebhookLimitReachedError,
    "payload_too_large": PayloadTooLargeError,
    "uri_too_long": UriTooLongError,
    "unsupported_media_type": UnsupportedMediaTypeError,
    "amount_too_small": AmountTooSmallError,
    "customer_closed": CustomerClosedError,
    "idempotency_key_reused": IdempotencyKeyReusedError,
    "insufficient_funds": InsufficientFundsError,
    "kyc_required": KycRequiredError,
    "limit_exceeded": LimitExceededError,
    "quote_expired": QuoteExpiredError,
    "quote_mismatch": QuoteMismatchError,
    "rail_unavailable": RailUnavailableError,
    "unsupported_pair": UnsupportedPairError,
    "wallet_not_found": WalletNotFoundError,
    "rate_limited": RateLimitedError,
    "headers_too_large": HeadersTooLargeError,
    "internal_error": InternalError,
    "unavailable": UnavailableError,
}
