-- Rows of the inbox are of no use once no broker brings their fact again, and no harm is done where one does: see
-- libs/facts/src/fact-handler.ts. They are written in the order of time, so the smallest index finds the old ones.
CREATE INDEX CONCURRENTLY IF NOT EXISTS inbox_by_age ON inbox USING brin (created_at);
