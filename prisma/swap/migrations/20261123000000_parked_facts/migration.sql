-- Facts of the ledger that could not be handled, and those held back behind them.
CREATE TABLE parked_facts (
  consumer text NOT NULL,
  shard integer NOT NULL,
  position bigint NOT NULL,
  movement text NOT NULL,
  concerns text NOT NULL,
  sealed_fact bytea NOT NULL,
  reason text,
  attempts integer NOT NULL,
  parked_at timestamptz(6) NOT NULL DEFAULT now(),
  retry_requested_at timestamptz(6),
  CONSTRAINT parked_facts_pkey PRIMARY KEY (consumer, shard, position),
  -- Whoever was tried says why it failed; whoever was only held back says nothing.
  CONSTRAINT parked_facts_tried CHECK ((attempts > 0) = (reason IS NOT NULL))
);

-- Every batch of facts asks whether something that it is about waits here; nearly always the table is empty.
CREATE INDEX parked_facts_of_one ON parked_facts (consumer, concerns, position);

-- The service looks every second for what an operator wants tried again.
CREATE INDEX parked_facts_requested ON parked_facts (consumer) WHERE retry_requested_at IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON parked_facts TO swap_app;
