from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import unittest

from stablecoin_sdk import WebhookSignatureError, unwrap_webhook

KEY = b"a key of the specs, 32 bytes...."
SECRET = "whsec_" + base64.b64encode(KEY).decode()
OTHER = "whsec_" + base64.b64encode(b"another key").decode()
BODY = json.dumps({"id": "e-1", "type": "payout.completed", "data": {"amount": "10.00000000", "note": "é"}}).encode()


def signature(body: bytes, timestamp: int, key: bytes = KEY) -> str:
    digest = hmac.new(key, f"e-1.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def headers(body: bytes = BODY, age: int = 0, signatures: str | None = None) -> dict[str, str]:
    timestamp = int(time.time()) - age
    return {
        "Webhook-Id": "e-1",
        "WEBHOOK-TIMESTAMP": str(timestamp),
        "webhook-signature": signatures or signature(body, timestamp),
    }


class Unwrap(unittest.TestCase):
    def refused(self, body: bytes | str, given: dict[str, str], reason: str, secret: str = SECRET) -> None:
        with self.assertRaisesRegex(WebhookSignatureError, reason):
            unwrap_webhook(body, given, secret)

    def test_gives_the_event_of_bytes_or_text(self) -> None:
        for body in (BODY, BODY.decode()):
            event = unwrap_webhook(body, headers(), SECRET)
            self.assertEqual(event["type"], "payout.completed")

    def test_agrees_with_the_example_of_standard_webhooks(self) -> None:
        given = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        body = '{"test": 2432232314}'
        secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        with self.assertRaisesRegex(WebhookSignatureError, "not an event"):
            unwrap_webhook(body, given, secret, tolerance=time.time())
        with self.assertRaisesRegex(WebhookSignatureError, "no signature fits"):
            unwrap_webhook(body + " ", given, secret, tolerance=time.time())

    def test_refuses_a_changed_body_another_id_and_another_secret(self) -> None:
        self.refused(BODY.replace(b"10.0", b"99.0"), headers(), "no signature fits")
        self.refused(BODY, {**headers(), "Webhook-Id": "e-2"}, "no signature fits")
        self.refused(BODY, headers(), "no signature fits", OTHER)
        self.refused(json.dumps(json.loads(BODY), indent=1), headers(), "no signature fits")

    def test_refuses_a_signature_of_another_version_or_none(self) -> None:
        fitting = headers()["webhook-signature"]
        self.refused(BODY, headers(signatures=fitting.replace("v1,", "v2,")), "no signature fits")
        self.refused(BODY, headers(signatures=fitting.removeprefix("v1,")), "no signature fits")
        self.refused(BODY, headers(signatures="v1,é"), "no signature fits")

    def test_takes_one_fitting_signature_of_several(self) -> None:
        timestamp = int(time.time())
        both = f"{signature(BODY, timestamp, b'another key')} {signature(BODY, timestamp)}"
        for secret in (SECRET, OTHER):
            self.assertEqual(unwrap_webhook(BODY, headers(signatures=both), secret)["type"], "payout.completed")

    def test_refuses_what_is_too_old_or_from_the_future(self) -> None:
        for age in (301, -302):
            self.refused(BODY, headers(age=age), "300 s")
        self.assertTrue(unwrap_webhook(BODY, headers(age=290), SECRET))
        with self.assertRaises(WebhookSignatureError):
            unwrap_webhook(BODY, headers(age=11), SECRET, tolerance=10)
        self.refused(BODY, {**headers(), "WEBHOOK-TIMESTAMP": "1e9"}, "not a time")

    def test_refuses_a_missing_header(self) -> None:
        for name in headers():
            given = headers()
            del given[name]
            self.refused(BODY, given, f"{name.lower()} is missing")

    def test_says_so_when_the_secret_is_none(self) -> None:
        for secret in ("", "whsec_", "whsec_*"):
            with self.assertRaisesRegex(ValueError, "secret must be"):
                unwrap_webhook(BODY, headers(), secret)
