"""Customers, wallets, swaps and payouts of a merchant: ``Stablecoin`` is where to begin."""

from . import refusals, types
from ._version import VERSION as __version__
from ._wire import OMITTED, Amount, Omitted
from .client import Stablecoin
from .errors import (
    StablecoinApiError,
    StablecoinCallError,
    StablecoinConnectionError,
    StablecoinError,
    StablecoinTimeoutError,
    UnexpectedAnswerError,
    WebhookSignatureError,
)
from .pages import Page, Pages
from .refusals import *
from .webhook_signatures import unwrap as unwrap_webhook

__all__ = [
    "OMITTED",
    "Amount",
    "Omitted",
    "Page",
    "Pages",
    "Stablecoin",
    "StablecoinApiError",
    "StablecoinCallError",
    "StablecoinConnectionError",
    "StablecoinError",
    "StablecoinTimeoutError",
    "UnexpectedAnswerError",
    "WebhookSignatureError",
    "__version__",
    "refusals",
    "types",
    "unwrap_webhook",
]
__all__ += refusals.__all__
