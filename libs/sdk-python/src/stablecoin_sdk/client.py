from __future__ import annotations

import dataclasses
import logging
import os
from types import TracebackType

from ._connections import Connections
from ._requester import Limits, Requester
from .errors import StablecoinError
from .resources import Resources

API_KEY_VARIABLE = "STABLECOIN_API_KEY"
BASE_URL_VARIABLE = "STABLECOIN_BASE_URL"
BASE_URL = "http://127.0.0.1:3000/api"
"""A service on this machine."""

TIMEOUT_SECONDS = 10.0
"""For each attempt. The service answers within 5 seconds, if need be with 503."""
DEADLINE_SECONDS = 60.0
"""For all attempts of a call, and the waits between them."""
RETRIES_MAX = 4


class Stablecoin(Resources):
    """A merchant's account. One client for all threads of a program::

        client = Stablecoin(api_key="sk_live_…", base_url="https://api.example.com/api")
        payout = client.payouts.create_to_bank(currency="USDT", amount="10.50", …)

    Without ``api_key`` and ``base_url``, the environment's ``STABLECOIN_API_KEY`` and ``STABLECOIN_BASE_URL`` are used,
    without the latter a service on this machine.

    ``timeout`` is in seconds for each attempt, ``deadline`` for all attempts of a call and the waits between them.
    ``logger`` learns of each attempt (DEBUG) and each wait (INFO): neither the key nor what is sent or answered.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = RETRIES_MAX,
        deadline: float = DEADLINE_SECONDS,
        logger: logging.Logger | None = None,
    ) -> None:
        connections = Connections(_setting(base_url, BASE_URL_VARIABLE) or BASE_URL)
        limits = Limits(timeout=timeout, deadline=deadline, max_retries=max_retries)
        key = _api_key_of(_setting(api_key, API_KEY_VARIABLE))
        self._use(Requester(connections, key, limits, logger or logging.getLogger("stablecoin_sdk")))

    def with_options(
        self, *, timeout: float | None = None, max_retries: int | None = None, deadline: float | None = None
    ) -> Stablecoin:
        """The same account over the same connections, with other limits: for the calls that need them."""
        given = {"timeout": timeout, "max_retries": max_retries, "deadline": deadline}
        changes = {name: value for name, value in given.items() if value is not None}
        changed = Stablecoin.__new__(Stablecoin)
        changed._use(self._requester.within(dataclasses.replace(self._requester.limits, **changes)))
        return changed

    def close(self) -> None:
        """Closes the connections that are open; the next call opens new ones."""
        self._requester.connections.close()

    def __enter__(self) -> Stablecoin:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _setting(given: str | None, variable: str) -> str:
    return (given if given is not None else os.environ.get(variable, "")).strip()


def _api_key_of(key: str) -> str:
    """Checked here: an error of http.client would print it."""
    if not key:
        raise StablecoinError(f"there is no API key: give api_key, or set {API_KEY_VARIABLE}")
    if not key.isascii() or not key.isprintable():
        raise StablecoinError("api_key has characters that no API key has")
    return key
