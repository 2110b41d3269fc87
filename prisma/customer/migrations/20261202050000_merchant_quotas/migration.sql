-- How much a merchant may store, where an operator has set something else than the usual (libs/customer-store/src/merchants/merchant-quotas.ts).
CREATE TABLE "merchant_quotas" (
  "merchant_id" UUID NOT NULL,
  "documents" INTEGER,
  "document_bytes" BIGINT,
  "webhook_endpoints" INTEGER,
  "api_keys" INTEGER,
  CONSTRAINT "merchant_quotas_pkey" PRIMARY KEY ("merchant_id"),
  CONSTRAINT "merchant_quotas_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants" ("id") ON DELETE RESTRICT ON UPDATE NO ACTION
);
GRANT SELECT, INSERT, UPDATE ON "merchant_quotas" TO customer_app;
