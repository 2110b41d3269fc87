-- A second wall between merchants, behind the condition on the merchant that each statement has. What a merchant asks to see, the service
-- reads under the role customer_merchant, which it takes on for that one statement together with the setting app.merchant_id; the
-- policies of the role show that merchant's rows alone. Without the setting they show none. For the service's own role, and that
-- of compliance officers, the policies are true, which the planner leaves out.
--
-- data_keys and event_deliveries name no merchant, and have no policy: statements join them with rows that do. A data key is sealed.
DO $$ BEGIN
    GRANT customer_merchant TO customer_app;
    -- Where one login owns the tables and runs the service.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN GRANT customer_merchant TO CURRENT_USER; END IF;
END $$;

ALTER TABLE "merchants" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "customers" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "webhook_endpoints" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "events" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "of_the_service" ON "merchants" TO customer_app USING (true);
CREATE POLICY "of_the_service" ON "api_keys" TO customer_app USING (true);
CREATE POLICY "of_the_service" ON "customers" TO customer_app USING (true);
CREATE POLICY "of_the_service" ON "webhook_endpoints" TO customer_app USING (true);
CREATE POLICY "of_the_service" ON "events" TO customer_app USING (true);
CREATE POLICY "of_compliance" ON "customers" FOR SELECT TO customer_compliance USING (true);

-- After a transaction that set it, the setting is the empty text and not null.
CREATE POLICY "of_the_merchant" ON "merchants" FOR SELECT TO customer_merchant
    USING ("id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
CREATE POLICY "of_the_merchant" ON "api_keys" FOR SELECT TO customer_merchant
    USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
CREATE POLICY "of_the_merchant" ON "customers" FOR SELECT TO customer_merchant
    USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
CREATE POLICY "of_the_merchant" ON "webhook_endpoints" FOR SELECT TO customer_merchant
    USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
CREATE POLICY "of_the_merchant" ON "events" FOR SELECT TO customer_merchant
    USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);

GRANT USAGE ON SCHEMA public TO customer_merchant;
GRANT SELECT ON "merchants", "customers", "webhook_endpoints", "events", "event_deliveries", "data_keys" TO customer_merchant;
-- Whose key it is, and no hash of one.
GRANT SELECT ("merchant_id", "mode", "created_at", "revoked_at") ON "api_keys" TO customer_merchant;
GRANT SELECT ("state") ON "screening_lists" TO customer_merchant;
