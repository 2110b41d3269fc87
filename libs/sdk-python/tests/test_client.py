from __future__ import annotations

import logging
from typing import Any
from unittest.mock import patch

from scripted_service import PAYOUT, page, refusal, reset, success
from stablecoin_sdk import InsufficientFundsError, Stablecoin, StablecoinError
from support import API_KEY, ServiceTest, pay_out


class Settings(ServiceTest):
    def test_come_from_the_environment(self) -> None:
        service = self.service(success({}))
        environment = {"STABLECOIN_API_KEY": f"{API_KEY}\n", "STABLECOIN_BASE_URL": f"{service.url}/"}
        with patch.dict("os.environ", environment), Stablecoin() as client:
            client.wallets.get("w-1")
        self.assertEqual(service.came[0].headers["x-api-key"], API_KEY)
        self.assertEqual(service.came[0].target, "/api/wallets/w-1")

    def test_that_can_not_be_are_refused_without_showing_a_key(self) -> None:
        with patch.dict("os.environ", {"STABLECOIN_API_KEY": ""}), self.assertRaisesRegex(StablecoinError, "API_KEY"):
            Stablecoin()
        with self.assertRaises(StablecoinError) as raised:
            Stablecoin(api_key="sk_\nsecret")
        self.assertNotIn("secret", str(raised.exception))
        for base_url in ("api.example.com", "ftp://api.example.com", "https://", "https://a.example/?b"):
            with self.assertRaisesRegex(ValueError, "base_url"):
                Stablecoin(api_key=API_KEY, base_url=base_url)
        wrong: list[dict[str, Any]] = [{"timeout": 0.0}, {"deadline": -1.0}, {"timeout": float("nan")}]
        for limits in wrong:
            with self.assertRaisesRegex(ValueError, "above 0"):
                Stablecoin(api_key=API_KEY, **limits)
        with self.assertRaises(ValueError):
            Stablecoin(api_key=API_KEY, max_retries=-1)

    def test_of_one_call_leave_the_client_as_it_was(self) -> None:
        service = self.service(refusal(503, "unavailable"), refusal(503, "unavailable"), success(PAYOUT))
        client = self.client(service)
        with self.assertRaises(StablecoinError):
            pay_out(client.with_options(max_retries=0))
        self.assertEqual(pay_out(client), PAYOUT)
        self.assertEqual(service.connections, 1)


class Logs(ServiceTest):
    def test_say_what_happened_and_neither_key_nor_content(self) -> None:
        service = self.service(reset, refusal(422, "insufficient_funds"), page([], 1, 1))
        client = self.client(service)
        with self.assertLogs("stablecoin_sdk", logging.DEBUG) as logs:
            with self.assertRaises(InsufficientFundsError):
                pay_out(client, "order-4711")
            client.customers.list(search="ada@example.com").page()
        text = "\n".join(logs.output)
        self.assertRegex(text, r"POST /payouts/banks: attempt 1, \d+ ms, request_id [0-9a-f-]{36}: ConnectionReset")
        self.assertRegex(text, r"POST /payouts/banks: attempt 2 in \d+\.\d\d s")
        self.assertRegex(text, r"POST /payouts/banks: attempt 2, \d+ ms, request_id [0-9a-f-]{36}: 422")
        for hidden in (API_KEY, "order-4711", "0123456789", "Ada", "ada@example.com", "w-1"):
            self.assertNotIn(hidden, text)

    def test_go_to_the_callers_logger(self) -> None:
        service = self.service(success({}))
        logger = logging.getLogger("a.program.of.the.specs")
        client = Stablecoin(api_key=API_KEY, base_url=service.url, logger=logger)
        with self.assertLogs(logger, logging.DEBUG) as logs:
            client.wallets.get("w-1")
        self.assertEqual(len(logs.output), 1)
        client.close()
