-- What has expired; some of it is deleted with each new upload.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "document_uploads_expiring" ON "document_uploads" ("expires_at") WHERE attached_customer_id IS NULL;
