-- Payouts that no rail may have yet, and when the ledger is asked what time has brought. In a table of their own: a version
-- before takes every row of payouts that is due for one to send.
CREATE TABLE waiting_payouts (
  id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  shard integer NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_step_at timestamptz(6),
  CONSTRAINT waiting_payouts_pkey PRIMARY KEY (id)
);
CREATE INDEX waiting_payouts_due ON waiting_payouts (next_step_at) WHERE next_step_at IS NOT NULL;

-- Of a payout that was approved: the hash of what was, with which the row is compared before it is sent.
ALTER TABLE payouts ADD COLUMN approval_hash text;

GRANT SELECT, INSERT, UPDATE, DELETE ON waiting_payouts TO payout_app;
