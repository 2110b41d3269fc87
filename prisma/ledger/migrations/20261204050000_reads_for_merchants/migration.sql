-- A second wall between merchants, behind the condition on the merchant that each statement has. What a merchant asks to see, the service
-- reads under the role ledger_merchant, which it takes on for that one statement together with the setting app.merchant_id; the
-- policies of the role show that merchant's rows alone. Without the setting they show none. For the service's own role and the auditor's
-- the policies are true, which the planner leaves out: what writes and what audits runs as before.
--
-- A rebuild beside the live tables copies policies with the tables (apps/auditor/src/online-rebuild).
DO $$ BEGIN
    GRANT ledger_merchant TO ledger_app;
    -- Where one login owns the tables and runs the service.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN GRANT ledger_merchant TO CURRENT_USER; END IF;
END $$;

ALTER TABLE "wallets" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "payout_policies" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "transactions" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "transaction_counts" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "of_the_service" ON "wallets" TO ledger_app USING (true);
CREATE POLICY "of_the_service" ON "payout_policies" TO ledger_app USING (true);
CREATE POLICY "of_the_service" ON "transactions" TO ledger_app USING (true);
CREATE POLICY "of_the_service" ON "transaction_counts" TO ledger_app USING (true);

CREATE POLICY "of_the_auditor" ON "wallets" FOR SELECT TO ledger_auditor USING (true);
CREATE POLICY "of_the_auditor" ON "payout_policies" FOR SELECT TO ledger_auditor USING (true);
CREATE POLICY "of_the_auditor" ON "transactions" FOR SELECT TO ledger_auditor USING (true);
CREATE POLICY "of_the_auditor" ON "transaction_counts" FOR SELECT TO ledger_auditor USING (true);

-- After a transaction that set it, the setting is the empty text and not null.
CREATE POLICY "of_the_merchant" ON "wallets" FOR SELECT TO ledger_merchant
    USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
CREATE POLICY "of_the_merchant" ON "payout_policies" FOR SELECT TO ledger_merchant
    USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
CREATE POLICY "of_the_merchant" ON "transactions" FOR SELECT TO ledger_merchant
    USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
CREATE POLICY "of_the_merchant" ON "transaction_counts" FOR SELECT TO ledger_merchant
    USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);

-- Behind a policy the planner runs only functions that can't tell of hidden rows ("leakproof"). LIKE and the text of a wallet's id are
-- none: a search would read all of a merchant's rows, and a balance all of a shard's accounts. What needs them is asked through functions of
-- the owner, with the policy's condition in them. They know their tables by name, so that a rebuild can put others in their place.
CREATE FUNCTION "merchants_transactions_with_part"(part text, up_to bigint) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- Planned for its values, each time.
    RETURN QUERY EXECUTE '
        SELECT "position" FROM public.transaction_search
        WHERE merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid AND "position" <= $1 AND ids LIKE $2'
        USING up_to, part;
END $$;

CREATE FUNCTION "merchants_balances"(wallet_ids uuid[]) RETURNS TABLE (wallet_id uuid, balance numeric, updated_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN QUERY SELECT wallet.id, account.balance, account.updated_at FROM public.wallets AS wallet
        JOIN public.account_balances AS account ON account.shard = wallet.shard AND account.account_id = wallet.id::text
        WHERE wallet.id = ANY (wallet_ids) AND wallet.merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid;
END $$;

CREATE FUNCTION "merchants_deposit_addresses"(wallet_ids uuid[])
    RETURNS TABLE (id uuid, wallet_id uuid, network text, address text, created_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN QUERY SELECT deposit.id, deposit.wallet_id, deposit.network, deposit.address, deposit.created_at
        FROM public.wallets AS wallet JOIN public.deposit_addresses AS deposit ON deposit.wallet_id = wallet.id
        WHERE wallet.id = ANY (wallet_ids) AND wallet.merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid;
END $$;

GRANT USAGE ON SCHEMA public TO ledger_merchant;
GRANT SELECT ON "wallets", "payout_policies", "transactions", "transaction_counts", "transaction_search_progress" TO ledger_merchant;
