"""What a type checker finds before anything is sent: an error in each line that says so, and in no other."""

from stablecoin_sdk import Stablecoin
from stablecoin_sdk.types import Event


def mistakes(client: Stablecoin) -> None:
    client.wallets.open(currency="USDX")  # refused: no such currency
    client.wallets.open(currencies="USD")  # refused: no such argument
    client.wallets.open(network="trc20")  # refused: an argument is missing
    client.sandbox.deposit(currency="USD", amount=10.5)  # refused: a float is no amount
    client.transactions.list(status="DONE")  # refused: no such status
    client.payout.create_to_bank  # refused: no such resource
    for transaction in client.transactions.list():
        transaction["amounts"]  # refused: no such field
    wallet = client.wallets.get("id")
    wallet["balance"] + 1  # refused: an amount is text


def of_an_event(event: Event) -> str:
    if event["type"] == "payout.failed":
        return event["data"]["amount"]
    if event["type"] == "customer.created":
        return event["data"]["amount"]  # refused: a customer has none
    return event["data"]["amount"]  # refused: not all that is left have one
