"""A merchant's main job, from a customer to the proof of a payout, against a service's sandbox.

The environment has STABLECOIN_API_KEY, a test key, and STABLECOIN_BASE_URL. Prints what it did as one line of JSON.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import uuid
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from stablecoin_sdk import (
    InsufficientFundsError,
    ProofPendingError,
    Stablecoin,
    WebhookSignatureError,
    unwrap_webhook,
)
from stablecoin_sdk.types import Event, RegisteredAddress

DELIVERY_SECONDS_MAX = 30
ADDRESS: RegisteredAddress = {
    "street1": "12 Marina Road",
    "city": "Lagos",
    "state": "Lagos",
    "postal_code": "100221",
    "country": "NG",
}


class Deliveries(HTTPServer):
    """The merchant's own server: it takes what is signed with the secret, and answers 400 to everything else."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Delivery)
        self.secret = ""
        self.taken: queue.Queue[Event] = queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/webhooks"

    def next_of_type(self, wanted: str) -> Event:
        while True:
            event = self.taken.get(timeout=DELIVERY_SECONDS_MAX)
            if event["type"] == wanted:
                return event


class _Delivery(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Deliveries)
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = unwrap_webhook(body, dict(self.headers.items()), server.secret)
        except WebhookSignatureError:
            self.send_response(400)
        else:
            server.taken.put(event)
            self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed for each request."""


def run(client: Stablecoin, document: Path) -> dict[str, object]:
    deliveries = Deliveries()
    webhook = client.webhooks.create(url=deliveries.url, events=["payout.completed", "payout.failed", "swap.completed"])
    deliveries.secret = webhook["secret"]

    person = uuid.uuid4().int
    uploaded = client.documents.upload(document)
    customer = client.customers.create_individual(
        first_name="Ada",
        last_name="Obi",
        email=f"ada.{person % 10**12}@example.com",
        phone=f"+23480{person % 10**8:08}",
        birth_date="1990-05-17",
        account_purpose="PERSONAL_OR_LIVING_EXPENSES",
        employment_status="EMPLOYED",
        expected_monthly_income=Decimal("2500.50"),
        most_recent_occupation="151251",
        source_of_funds="SALARY",
        registered_address=ADDRESS,
        documents=[
            {
                "doc_type": "valid_ids",
                "sub_type": "front",
                "document_id": uploaded["document_id"],
                "doc_country": "NG",
            }
        ],
    )
    owner = customer["id"]

    dollars = client.wallets.open(customer_id=owner, currency="USDT", network="trc20")
    client.wallets.open(customer_id=owner, currency="NGN")
    client.sandbox.deposit(wallet_id=dollars["id"], amount=Decimal("100.00"))

    client.quotes.create(customer_id=owner, from_currency="USDT", to_currency="NGN", amount="40")
    swap = client.swaps.execute(customer_id=owner, from_currency="USDT", to_currency="NGN", amount="40")
    deliveries.next_of_type("swap.completed")

    def pay_out(account_number: str, amount: str) -> str:
        return client.payouts.create_to_bank(
            customer_id=owner,
            currency="USDT",
            amount=amount,
            account_number=account_number,
            bank_code="011",
            recipient_name="Ada Obi",
        )["transaction_id"]

    completed = pay_out("0123456789", "10.50")
    told = deliveries.next_of_type("payout.completed")
    failed = pay_out("0123450001", "5")
    deliveries.next_of_type("payout.failed")
    held = pay_out("0123450009", "1")
    client.sandbox.complete_payout(held)
    try:
        pay_out("0123456789", "1000")
        refused = None
    except InsufficientFundsError as error:
        refused = {"status": error.status, "request_id": error.request_id, "unknown": error.outcome_unknown}

    listed = [item["transaction_id"] for item in client.transactions.list_by_customer(owner, limit=2)]
    balance = client.wallets.get(dollars["id"])["balance"]
    past = client.audit.balance(wallet_id=dollars["id"], as_of=client.transactions.get(held)["updated_at"])
    explained = client.audit.explain(completed)
    try:
        proven = client.audit.prove(completed)["transaction_id"]
    except ProofPendingError:
        proven = completed
    method = client.payout_methods.add_bank(
        customer_id=owner, bank_name="First Bank", bank_code="011", account_number="0123456789", currency="NGN"
    )
    client.payout_methods.delete(method["id"], customer_id=owner)
    client.webhooks.delete(webhook["id"])
    deliveries.shutdown()
    return {
        "kyc_status": customer["kyc_status"],
        "swap": swap["swapId"],
        "told": told["data"]["transaction_id"] if told["type"] == "payout.completed" else None,
        "completed": completed,
        "failed_status": client.transactions.get(failed)["status"],
        "held_status": client.transactions.get(held)["status"],
        "refused": refused,
        "listed": listed,
        "balance": balance,
        "past_balance": past["balance"],
        "explained": explained["transaction_id"],
        "proven": proven,
    }


if __name__ == "__main__":
    with Stablecoin() as stablecoin:
        print(json.dumps(run(stablecoin, Path(sys.argv[1]))))
