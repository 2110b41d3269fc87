-- contract: 0.1.0, every version calls them under the role ledger_merchant alone, or as triggers
-- A function that runs with its owner's rights was everyone's to call, as Postgres makes them. Any login that may connect, another
-- service's too, read balances by them; and with count_transactions as the trigger of a table of its own it had whatever it wanted run
-- with the rights of the owner of all tables. Who may not execute a function makes no trigger of it; the ledger's own are made.
REVOKE EXECUTE ON FUNCTION "count_transactions"() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION "merchants_balances"(uuid[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION "merchants_deposit_addresses"(uuid[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION "merchants_transactions_with_part"(text, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "merchants_balances"(uuid[]), "merchants_deposit_addresses"(uuid[]),
    "merchants_transactions_with_part"(text, bigint) TO ledger_merchant;
