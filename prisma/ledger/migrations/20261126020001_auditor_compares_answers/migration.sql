-- verify compares everything that answers a caller with the log: totals, the index of searches, and the stored results,
-- which say nothing of a transaction that its events don't say.
GRANT SELECT ON "transaction_counts", "transaction_search", "transaction_search_progress" TO ledger_auditor;
GRANT SELECT ("result") ON "command_results" TO ledger_auditor;
