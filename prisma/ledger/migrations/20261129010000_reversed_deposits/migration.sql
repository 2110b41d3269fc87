-- A deposit whose money is gone outside is reversed also when it was spent: by this alone a wallet can be below zero, and by no
-- more than its reversed deposits. A version before leaves the column as it is, since it reverses none. That it is a constraint
-- of the column keeps it with the column in one statement, and in one scan.
ALTER TABLE "account_balances"
  DROP CONSTRAINT "wallets_never_owe",
  ADD COLUMN "reversed_deposits" DECIMAL(38,8) NOT NULL DEFAULT 0
    CONSTRAINT "wallets_owe_reversed_deposits_at_most" CHECK ("balance" >= -"reversed_deposits" OR "account_id" LIKE '%:%');
