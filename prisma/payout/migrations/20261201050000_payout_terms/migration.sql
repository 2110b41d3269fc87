-- A MAC over what a payout's row says is sent, by a key that is in no database: see apps/payout/src/payout-process/payout-terms.ts.
-- Null in rows of older versions.
ALTER TABLE payouts ADD COLUMN terms_mac text;
