-- Found by the clean-up: the few quotes that nobody used, by when they expired.
CREATE INDEX CONCURRENTLY IF NOT EXISTS quotes_unused ON quotes (expires_at) WHERE state = 'open';
