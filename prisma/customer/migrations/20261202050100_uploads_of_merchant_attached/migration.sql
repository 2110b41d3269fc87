-- What of one merchant is a customer's document: it is counted with each new upload, from the index alone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "document_uploads_attached_of_merchant" ON "document_uploads" ("merchant_id", "bytes") WHERE attached_customer_id IS NOT NULL;
