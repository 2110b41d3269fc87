-- An auditor holds what the chain service has written down against the nodes and the ledger. The role chain_auditor exists
-- already when this runs, like the service's own. It reads what money came in and was ordered out, and writes nothing: no
-- owner of an address, and no bytes of a signed transaction.
DO $$ BEGIN
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO chain_auditor', current_database());
END $$;
GRANT USAGE ON SCHEMA public TO chain_auditor;
GRANT SELECT ON walks, deposits, resolutions, outgoing_transfers TO chain_auditor;
GRANT SELECT (transfer_id, number, cancels, hash, broadcast_at) ON transfer_attempts TO chain_auditor;
