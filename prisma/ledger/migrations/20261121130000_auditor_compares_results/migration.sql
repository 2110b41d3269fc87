-- The auditor checks that every command in the log has its result; what the result says is none of its business.
GRANT SELECT ("command_id", "merchant_id") ON "command_results" TO ledger_auditor;
