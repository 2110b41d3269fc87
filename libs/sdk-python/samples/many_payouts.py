"""Payouts of 1 USDT from several threads, each under a key of its own: ``many_payouts.py COUNT``.

Prints the transaction of each key as one line of JSON. However often a connection breaks, each is paid out once.
"""

from __future__ import annotations

import itertools
import json
import sys
from concurrent.futures import ThreadPoolExecutor

from stablecoin_sdk import Stablecoin

THREADS = 4
# Where connections break often, a call may need more attempts than usual.
RETRIES_MAX = 20


def pay_out(client: Stablecoin, key: str) -> str:
    payout = client.payouts.create_to_bank(
        currency="USDT",
        amount="1",
        account_number="0123456789",
        bank_code="011",
        recipient_name="Ada Obi",
        idempotency_key=key,
    )
    return payout["transaction_id"]


if __name__ == "__main__":
    with Stablecoin(max_retries=RETRIES_MAX) as stablecoin, ThreadPoolExecutor(THREADS) as threads:
        keys = [f"order-{number}" for number in range(int(sys.argv[1]))]
        transactions = threads.map(pay_out, itertools.repeat(stablecoin), keys)
        print(json.dumps(dict(zip(keys, transactions, strict=True))))
