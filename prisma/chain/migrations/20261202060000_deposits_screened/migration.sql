-- What compliance rejected is failed at the ledger, and an operator decides about the money that is on the chain.
ALTER TABLE deposits ADD COLUMN waiting_for text;

-- How far what had moved before it was screened has been told to the customer service, in the order of ids: once over all of it, and
-- once more for what an instance of the version before has ended during the upgrade.
CREATE TABLE past_screening (
  only_row boolean NOT NULL DEFAULT true,
  after uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  moved_before timestamptz(6) NOT NULL DEFAULT now() + interval '1 day',
  rounds_left integer NOT NULL DEFAULT 2,
  CONSTRAINT past_screening_pkey PRIMARY KEY (only_row),
  CONSTRAINT past_screening_one CHECK (only_row)
);
INSERT INTO past_screening DEFAULT VALUES;
GRANT SELECT, UPDATE ON past_screening TO chain_app;
