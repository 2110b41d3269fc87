-- verify also checks that every command in the log has its result: which results there are, but not what they say, which
-- stays with the callers who got it.
GRANT SELECT ("command_id", "merchant_id") ON "command_results" TO ledger_auditor;
