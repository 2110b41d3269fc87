from stablecoin_sdk import Stablecoin

client = Stablecoin()
client.sandbox.deposit(currency="USDT", amount="100")
payout = client.payouts.create_to_bank(
    currency="USDT",
    amount="10.50",
    account_number="0123456789",
    bank_code="011",
    recipient_name="Ada Obi",
    idempotency_key="order-4714",
)
print(payout["transaction_id"], payout["status"])
