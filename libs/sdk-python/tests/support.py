from __future__ import annotations

import unittest
from unittest.mock import patch

from scripted_service import Ending, ScriptedService
from stablecoin_sdk import Stablecoin
from stablecoin_sdk.types import Payout

API_KEY = "sk_test_of_the_specs"


class ServiceTest(unittest.TestCase):
    """A test with a scripted service and a client of it. What the client waits is kept, and not waited for."""

    def setUp(self) -> None:
        self.waits: list[float] = []
        # A proxy of the machine has no business between the two.
        environment = patch.dict("os.environ", {"no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"})
        environment.start()
        self.addCleanup(environment.stop)
        sleep = patch("stablecoin_sdk._requester.time.sleep", self.waits.append)
        sleep.start()
        self.addCleanup(sleep.stop)

    def service(self, *endings: Ending) -> ScriptedService:
        service = ScriptedService(*endings)
        self.addCleanup(service.__exit__, None, None, None)
        return service

    def client(self, service: ScriptedService, *, timeout: float = 5, max_retries: int = 4) -> Stablecoin:
        client = Stablecoin(api_key=API_KEY, base_url=service.url, timeout=timeout, max_retries=max_retries)
        self.addCleanup(client.close)
        return client


def pay_out(client: Stablecoin, idempotency_key: str | None = None) -> Payout:
    return client.payouts.create_to_bank(
        currency="USDT",
        amount="10",
        account_number="0123456789",
        bank_code="011",
        recipient_name="Ada Obi",
        idempotency_key=idempotency_key,
    )
