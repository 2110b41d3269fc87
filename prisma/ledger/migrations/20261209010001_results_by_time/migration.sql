-- Results in the order in which they came, which is how a move finds those of the last moments. Its ranges cost a writer next to nothing.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "command_results_by_time" ON "command_results" USING brin ("created_at") WITH (pages_per_range = 16, autosummarize = on);
