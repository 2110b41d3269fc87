from __future__ import annotations

import socket
import threading
import time

from scripted_service import PAYOUT, Ending, answer, half_an_answer, refusal, reset, success
from stablecoin_sdk import (
    InsufficientFundsError,
    InternalError,
    Stablecoin,
    StablecoinConnectionError,
    StablecoinTimeoutError,
    UnavailableError,
    UnexpectedAnswerError,
)
from stablecoin_sdk._backoff import STEP_SECONDS_MAX, retry_after_of, seconds_after
from support import API_KEY, ServiceTest, pay_out

IN_FLIGHT = refusal(409, "idempotency_in_flight")
NOT_AVAILABLE = refusal(503, "unavailable")
HTML = b"<html>Bad gateway</html>"


def silence(sock: socket.socket) -> bool:
    return True


def trickle(sock: socket.socket) -> bool:
    """A byte now and then: each read is quick, the whole never ends."""
    pause = threading.Event()
    try:
        for byte in b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n" + b"x" * 1000:
            sock.sendall(bytes([byte]))
            pause.wait(0.02)
    except OSError:
        pass
    return False


class SentAgain(ServiceTest):
    def test_each_passing_fault_under_one_key(self) -> None:
        faults: dict[str, Ending] = {
            "reset before an answer": reset,
            "reset in mid-answer": half_an_answer,
            "half a JSON": answer(200, b'{"status":"succ'),
            "rate limited": refusal(429, "rate_limited"),
            "unavailable": NOT_AVAILABLE,
            "a proxy's 502": answer(502, HTML, {"content-type": "text/html"}),
            "a proxy's 504": answer(504, HTML, {"content-type": "text/html"}),
            "internal error": refusal(500, "internal_error"),
            "still running": IN_FLIGHT,
        }
        for name, fault in faults.items():
            with self.subTest(name):
                service = self.service(fault, fault, success(PAYOUT))
                self.assertEqual(pay_out(self.client(service)), PAYOUT)
                self.assertEqual(len(service.came), 3)
                for header in ("idempotency-key", "x-request-id"):
                    self.assertEqual(len({came.headers[header] for came in service.came}), 1, header)
                self.assertEqual(len({came.body for came in service.came}), 1)

    def test_a_silent_attempt_after_its_timeout(self) -> None:
        service = self.service(silence, success(PAYOUT))
        self.assertEqual(pay_out(self.client(service, timeout=0.2)), PAYOUT)

    def test_two_calls_have_two_keys(self) -> None:
        service = self.service(success(PAYOUT), success(PAYOUT))
        client = self.client(service)
        pay_out(client)
        pay_out(client)
        self.assertEqual(len({came.headers["idempotency-key"] for came in service.came}), 2)

    def test_the_callers_key_is_kept(self) -> None:
        service = self.service(reset, success(PAYOUT))
        pay_out(self.client(service), "order-4711")
        self.assertEqual([came.headers["idempotency-key"] for came in service.came], ["order-4711", "order-4711"])

    def test_reads_have_no_key_and_are_sent_again(self) -> None:
        service = self.service(reset, success({"id": "w-1"}))
        self.assertEqual(self.client(service).wallets.get("w-1"), {"id": "w-1"})
        self.assertNotIn("idempotency-key", service.came[0].headers)


class Final(ServiceTest):
    def test_a_refusal_is_not_sent_again(self) -> None:
        service = self.service(refusal(422, "insufficient_funds"))
        with self.assertRaises(InsufficientFundsError) as raised:
            pay_out(self.client(service))
        self.assertEqual(len(service.came), 1)
        self.assertFalse(raised.exception.outcome_unknown)

    def test_a_success_of_another_form_is_not_sent_again_and_may_have_taken_effect(self) -> None:
        service = self.service(answer(200, b"<html>", {"content-type": "text/html"}))
        with self.assertRaises(UnexpectedAnswerError) as raised:
            pay_out(self.client(service))
        self.assertTrue(raised.exception.outcome_unknown)

    def test_a_redirect_is_not_followed(self) -> None:
        service = self.service(answer(307, b"", {"location": "https://elsewhere.example", "content-type": "text/plain"}))
        with self.assertRaises(UnexpectedAnswerError):
            pay_out(self.client(service))
        self.assertEqual(len(service.came), 1)


class Waits(ServiceTest):
    def test_as_long_as_retry_after_says_and_a_random_part_more(self) -> None:
        service = self.service(refusal(429, "rate_limited", {"retry-after": "3"}), success(PAYOUT))
        pay_out(self.client(service))
        (wait,) = self.waits
        self.assertTrue(3 <= wait <= 3.25, wait)

    def test_a_bound_that_doubles(self) -> None:
        bounds = [seconds_after(attempt, None, lambda: 1.0) for attempt in range(1, 9)]
        self.assertEqual(bounds, [0.25, 0.5, 1, 2, 4, 8, STEP_SECONDS_MAX, STEP_SECONDS_MAX])
        self.assertEqual(seconds_after(5, None, lambda: 0.0), 0)

    def test_retry_after_is_a_number_or_a_date(self) -> None:
        self.assertEqual(retry_after_of("12"), 12)
        self.assertEqual(retry_after_of("Thu, 01 Jan 1970 00:00:00 GMT"), 0)
        self.assertGreater(retry_after_of("Fri, 01 Jan 2100 00:00:00 GMT") or 0, 3600)
        for text in (None, "soon", "-1", "1e9", "٣"):
            self.assertIsNone(retry_after_of(text), text)

    def test_no_wait_goes_beyond_the_deadline(self) -> None:
        service = self.service(refusal(503, "unavailable", {"retry-after": "30"}))
        client = self.client(service).with_options(deadline=20)
        with self.assertRaises(UnavailableError) as raised:
            pay_out(client)
        self.assertEqual((self.waits, raised.exception.retry_after), ([], 30))

    def test_the_deadline_bounds_an_answer_that_trickles(self) -> None:
        service = self.service(trickle)
        client = self.client(service, max_retries=0).with_options(deadline=0.3)
        started = time.monotonic()
        with self.assertRaises(StablecoinTimeoutError):
            pay_out(client)
        self.assertLess(time.monotonic() - started, 2)


class Outcome(ServiceTest):
    def ends(self, *endings: Ending, max_retries: int = 1) -> StablecoinConnectionError | UnavailableError | InternalError:
        client = self.client(self.service(*endings), max_retries=max_retries, timeout=0.3)
        with self.assertRaises((StablecoinConnectionError, UnavailableError, InternalError)) as raised:
            pay_out(client, "order-1")
        return raised.exception

    def test_a_broken_connection_leaves_it_unknown_and_names_the_key(self) -> None:
        error = self.ends(reset, reset)
        self.assertIsInstance(error, StablecoinConnectionError)
        self.assertTrue(error.outcome_unknown)
        self.assertEqual((error.idempotency_key, error.attempts), ("order-1", 2))
        self.assertIn("same idempotency_key", str(error))

    def test_so_does_silence(self) -> None:
        error = self.ends(silence, silence)
        self.assertIsInstance(error, StablecoinTimeoutError)
        self.assertTrue(error.outcome_unknown)

    def test_so_does_a_fault_of_the_service(self) -> None:
        fault = refusal(500, "internal_error")
        self.assertTrue(self.ends(fault, fault).outcome_unknown)

    def test_what_was_refused_before_anything_was_done_leaves_nothing(self) -> None:
        full = refusal(503, "unavailable", {"x-outcome": "none"})
        self.assertFalse(self.ends(full, full).outcome_unknown)

    def test_but_an_earlier_attempt_may_have(self) -> None:
        full = refusal(503, "unavailable", {"x-outcome": "none"})
        self.assertTrue(self.ends(reset, full).outcome_unknown)

    def test_nothing_was_sent_where_nothing_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        client = Stablecoin(api_key=API_KEY, base_url=f"http://127.0.0.1:{port}", max_retries=2)
        with self.assertRaises(StablecoinConnectionError) as raised:
            pay_out(client)
        self.assertEqual((raised.exception.outcome_unknown, raised.exception.attempts), (False, 3))

    def test_an_earlier_attempt_may_have_where_nothing_listens_any_more(self) -> None:
        def leave(sock: socket.socket) -> bool:
            service.stop_listening()
            return reset(sock)

        service = self.service(leave)
        with self.assertRaises(StablecoinConnectionError) as raised:
            pay_out(self.client(service, max_retries=2))
        self.assertEqual((raised.exception.outcome_unknown, raised.exception.attempts), (True, 3))

    def test_a_refusal_by_a_rule_settles_what_was_unknown(self) -> None:
        client = self.client(self.service(reset, refusal(422, "insufficient_funds")))
        with self.assertRaises(InsufficientFundsError) as raised:
            pay_out(client)
        self.assertFalse(raised.exception.outcome_unknown)
