from __future__ import annotations

import io
import json
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from scripted_service import PAYOUT, reset, success
from stablecoin_sdk import OMITTED
from support import ServiceTest

BANK: dict[str, Any] = {
    "currency": "USDT",
    "account_number": "0123456789",
    "bank_code": "011",
    "recipient_name": "Ada Obi",
}


class Amounts(ServiceTest):
    def sent(self, amount: Any) -> object:
        service = self.service(success(PAYOUT))
        self.client(service).payouts.create_to_bank(amount=amount, **BANK)
        return service.came[0].json["amount"]

    def test_text_goes_as_it_is_and_a_decimal_exactly(self) -> None:
        cases = {
            "10.50": "10.50",
            Decimal("10.50"): "10.50",
            Decimal("0.00000001"): "0.00000001",
            Decimal("1E-8"): "0.00000001",
            Decimal("1E+3"): "1000",
            Decimal("123456789012345678.12345678"): "123456789012345678.12345678",
        }
        for given, text in cases.items():
            self.assertEqual(self.sent(given), text)

    def test_what_is_not_exact_is_refused_before_anything_is_sent(self) -> None:
        for given in (10.5, 10, True):
            with self.assertRaisesRegex(TypeError, r"amount must be a str or a Decimal, such as '10\.50'"):
                self.sent(given)
        for given in (Decimal("NaN"), Decimal("Infinity")):
            with self.assertRaisesRegex(ValueError, "amount must be a number"):
                self.sent(given)

    def test_in_a_dict_too(self) -> None:
        service = self.service(success({}))
        customers = self.client(service).customers
        financial: Any = {"expected_monthly_income": Decimal("2500.50")}
        customers.update_individual("c-1", financial_info=financial)
        self.assertEqual(service.came[0].json, {"financial_info": {"expected_monthly_income": "2500.50"}})
        financial["expected_monthly_income"] = 2500.5
        with self.assertRaises(TypeError):
            customers.update_individual("c-1", financial_info=financial)

    def test_a_number_that_is_no_amount_stays_one(self) -> None:
        service = self.service(success({}))
        owner: Any = {"first_name": "Ada", "last_name": "Obi", "ownership_percentage": 50.5}
        self.client(service).customers.update_business("c-1", business_owners=[owner])
        self.assertEqual(service.came[0].json["business_owners"][0]["ownership_percentage"], 50.5)


class Fields(ServiceTest):
    def test_null_is_sent_and_what_is_left_out_is_not(self) -> None:
        service = self.service(success({}), success({}))
        webhooks = self.client(service).webhooks
        webhooks.update("wh-1", events=None)
        webhooks.update("wh-1", events=OMITTED, status="enabled")
        self.assertEqual([came.json for came in service.came], [{"events": None}, {"status": "enabled"}])

    def test_text_of_any_script_arrives(self) -> None:
        service = self.service(success(PAYOUT))
        name = "Adé Ọbí 王"
        bank: dict[str, Any] = {**BANK, "recipient_name": name}
        self.client(service).payouts.create_to_bank(amount="1", **bank)
        self.assertEqual(json.loads(service.came[0].body.decode())["recipient_name"], name)

    def test_an_empty_optional_body_is_none(self) -> None:
        service = self.service(success(None), success(None))
        methods = self.client(service).payout_methods
        methods.delete("m-1")
        methods.delete("m-1", customer_id="c-1")
        self.assertEqual([came.body for came in service.came], [b"", b'{"customer_id": "c-1"}'])

    def test_a_misspelt_argument_is_refused_at_once(self) -> None:
        client = self.client(self.service())
        with self.assertRaises(TypeError):
            cast(Any, client.payouts).create_to_bank(amount="1", recipent_name="Ada", **BANK)

    def test_ids_are_quoted_and_never_empty(self) -> None:
        service = self.service(success({}))
        wallets = self.client(service).wallets
        wallets.get("a/b?c")
        self.assertEqual(service.came[0].target, "/api/wallets/a%2Fb%3Fc")
        for nothing in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "wallet_id"):
                wallets.get(nothing)

    def test_an_idempotency_key_that_no_header_can_carry_is_refused(self) -> None:
        client = self.client(self.service())
        for key in ("", "a" * 256, "a\r\nx-other: 1", "schlüssel"):
            with self.assertRaisesRegex(ValueError, "1 to 255 printable ASCII"):
                client.wallets.open(currency="USD", idempotency_key=key)

    def test_a_query_has_what_was_given(self) -> None:
        service = self.service(success({}))
        self.client(service).audit.consistency(from_=3, to=9)
        self.assertEqual(service.came[0].target, "/api/audit/consistency?from=3&to=9")


class Uploads(ServiceTest):
    def test_bytes_an_opened_file_and_a_path(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'a "pass".png'
            path.write_bytes(b"PNG\r\n--x")
            service = self.service(*[success({})] * 3)
            documents = self.client(service).documents
            documents.upload(b"PNG\r\n--x", filename="pass.png")
            documents.upload(io.BytesIO(b"PNG\r\n--x"))
            documents.upload(path)
        names = ["pass.png", "document", "a _pass_.png"]
        for came, name in zip(service.came, names, strict=True):
            self.assertRegex(came.headers["content-type"], "^multipart/form-data; boundary=")
            boundary = came.headers["content-type"].partition("=")[2].encode()
            self.assertIn(f'name="file"; filename="{name}"'.encode(), came.body)
            self.assertEqual(came.body.partition(b"\r\n\r\n")[2], b"PNG\r\n--x\r\n--" + boundary + b"--\r\n")

    def test_what_is_read_once_is_sent_whole_in_each_attempt(self) -> None:
        service = self.service(reset, success({}))
        self.client(service).documents.upload(io.BytesIO(b"content"))
        self.assertEqual(len({came.body for came in service.came}), 1)
        self.assertIn(b"content", service.came[1].body)
