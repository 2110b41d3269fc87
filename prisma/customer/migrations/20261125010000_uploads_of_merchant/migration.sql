-- What of one merchant no customer refers to: its share is counted with each new upload.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "document_uploads_unattached_of_merchant" ON "document_uploads" ("merchant_id") WHERE attached_customer_id IS NULL;
