-- URLs of webhooks have tokens in them: they are sealed with the merchant's data key (sealed_url), and url is NULL then. While services
-- of the version before run, which read url alone, URLs are still written there: until an operator says that none runs any more
-- (merchants seal-webhook-urls), which puts the row into webhook_url_sealing. A database that has no merchant yet has none to wait for.
ALTER TABLE "webhook_endpoints" ALTER COLUMN "url" DROP NOT NULL;
ALTER TABLE "webhook_endpoints" ADD COLUMN "sealed_url" TEXT;
CREATE TABLE "webhook_url_sealing" (
  "only_row" BOOLEAN NOT NULL DEFAULT true CHECK ("only_row"),
  "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "webhook_url_sealing_pkey" PRIMARY KEY ("only_row")
);
INSERT INTO "webhook_url_sealing" ("begun_at") SELECT now() WHERE NOT EXISTS (SELECT FROM "merchants");
GRANT SELECT, INSERT ON "webhook_url_sealing" TO customer_app;
-- Answers that were stored with a URL in them are sealed in their place.
GRANT UPDATE ("result") ON "command_results" TO customer_app;
