from __future__ import annotations

import pickle
from typing import Any

from scripted_service import answer, refusal
from stablecoin_sdk import (
    NotFoundError,
    StablecoinApiError,
    StablecoinCallError,
    StablecoinConnectionError,
    UnexpectedAnswerError,
    ValidationFailedError,
)
from stablecoin_sdk.refusals import REFUSALS
from support import ServiceTest


class Refused(ServiceTest):
    def test_each_code_has_its_class(self) -> None:
        for code, kind in REFUSALS.items():
            service = self.service(refusal(422, code))
            with self.assertRaises(kind) as raised:
                self.client(service, max_retries=0).wallets.get("w-1")
            self.assertIs(type(raised.exception), kind)
            self.assertEqual((raised.exception.code, raised.exception.request_id), (code, "r-1"))

    def test_a_code_that_is_newer_is_still_a_refusal(self) -> None:
        service = self.service(refusal(422, "moon_in_the_wrong_phase"))
        with self.assertRaises(StablecoinApiError) as raised:
            self.client(service).wallets.get("w-1")
        self.assertEqual((raised.exception.code, raised.exception.status), ("moon_in_the_wrong_phase", 422))

    def test_the_fields_are_named_and_the_message_says_it_all(self) -> None:
        errors = [{"field": "amount", "code": "invalid_amount", "message": "must be positive"}]
        service = self.service(refusal(400, "validation_failed", errors=errors))
        with self.assertRaises(ValidationFailedError) as raised:
            self.client(service).wallets.open(currency="USD")
        self.assertEqual(raised.exception.errors, errors)
        text = "400 validation_failed: It was refused.; amount: must be positive (POST /wallets, request_id r-1)"
        self.assertEqual(str(raised.exception), text)

    def test_a_page_of_something_else_is_no_refusal(self) -> None:
        service = self.service(answer(404, b"<html>", {"content-type": "text/html"}))
        with self.assertRaises(UnexpectedAnswerError) as raised:
            self.client(service).wallets.get("w-1")
        self.assertEqual(raised.exception.status, 404)


class Pickled(ServiceTest):
    def test_an_error_crosses_to_another_process_whole(self) -> None:
        facts: dict[str, Any] = {"request_id": "r-1", "idempotency_key": "k", "outcome_unknown": True, "attempts": 3}
        errors: list[StablecoinCallError] = [
            NotFoundError("404", status=404, code="not_found", **facts),
            StablecoinConnectionError("gone", **facts),
            UnexpectedAnswerError("odd", status=502, **facts),
        ]
        for error in errors:
            copy: object = pickle.loads(pickle.dumps(error))
            self.assertIs(type(copy), type(error))
            self.assertEqual((str(copy), copy.__dict__), (str(error), error.__dict__))
