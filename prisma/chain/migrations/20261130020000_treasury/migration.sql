-- Per network: which instance manages our holdings, and up to where it has looked at them.
CREATE TABLE treasuries (
  network text NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamptz(6) NOT NULL,
  -- Addresses of final deposits up to this block have been read; -1 before the first look.
  looked_number bigint NOT NULL DEFAULT -1,
  -- Where the slow look at all addresses is: the last address that it has read.
  round_after bytea NOT NULL DEFAULT '\x',
  -- What a transfer of a token costs at the market's fees; null while that is not known.
  transfer_fee_wei numeric(78, 0),
  CONSTRAINT treasuries_pkey PRIMARY KEY (network)
);

-- What our addresses hold, as it was read from the chain at a block. `coins` is the native coin, in wei.
CREATE TABLE holdings (
  network text NOT NULL,
  address bytea NOT NULL,
  asset text NOT NULL,
  place text NOT NULL,
  units numeric(78, 0) NOT NULL,
  block_number bigint NOT NULL,
  read_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT holdings_pkey PRIMARY KEY (network, address, asset),
  CONSTRAINT holdings_place CHECK (place IN ('deposit', 'hot', 'cold', 'former')),
  CONSTRAINT holdings_units CHECK (units >= 0)
);

-- What is above a threshold, and the sums of what we hold: out of many addresses that are empty.
CREATE INDEX holdings_held ON holdings (network, place, asset, units) WHERE units > 0;

-- Hot wallets and the cold address, among the addresses of all deposits.
CREATE INDEX holdings_of_place ON holdings (network, place, asset) WHERE place <> 'deposit';

GRANT SELECT, INSERT, UPDATE ON treasuries, holdings TO chain_app;
