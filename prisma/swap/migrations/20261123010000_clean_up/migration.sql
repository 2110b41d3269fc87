-- Rows of the inbox are of no use once no broker brings their fact again, and no harm is done where one does: see
-- libs/facts/src/fact-handler.ts. They are written in the order of time, so the smallest index finds the old ones.
CREATE INDEX inbox_by_age ON inbox USING brin (created_at);

GRANT DELETE ON inbox TO swap_app;

-- A quote that nobody used can go some time after it expired; those that were claimed or used stay for ever.
CREATE INDEX quotes_unused ON quotes (expires_at) WHERE state = 'open';

GRANT DELETE ON quotes TO swap_app;
