-- contract: 0.1.0, no version has changed any other column of these rows
-- Whose an address is follows from the ledger's facts, and what a deposit is from the chain: both are written once. The service's
-- role could make an address, or a deposit that was seen, another wallet's, or a larger one.
REVOKE UPDATE ON wallets, deposit_addresses, deposits FROM chain_app;
GRANT UPDATE (unchecked) ON deposit_addresses TO chain_app;
-- The block that it is in changes with the chain; what is booked of it with the ledger. The fourth line is an operator's decision.
GRANT UPDATE (standing, block_number, block_hash, booked, unrecognised_reason, transaction_id, ledger_id, version, attempts, next_step_at,
    updated_at, waiting_for,
    wallet_id, merchant_id, shard, command_name)
  ON deposits TO chain_app;

CREATE FUNCTION require_resolution_of_deposit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM resolutions WHERE deposit_id = NEW.id AND resolution = 'credit' AND wallet_id = NEW.wallet_id
      AND NEW.command_name = OLD.command_name || ':' || resolutions.id)
    AND EXISTS (SELECT FROM wallets WHERE id = NEW.wallet_id AND merchant_id = NEW.merchant_id AND shard = NEW.shard) THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'a deposit keeps its wallet, unless an operator credits it to another one';
END $$;
-- At the end of the transaction, in which the decision may be written after the deposit.
CREATE CONSTRAINT TRIGGER deposits_keep_their_wallets AFTER UPDATE OF wallet_id, merchant_id, shard, command_name ON deposits
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.wallet_id, OLD.merchant_id, OLD.shard, OLD.command_name) IS DISTINCT FROM (NEW.wallet_id, NEW.merchant_id, NEW.shard, NEW.command_name))
  EXECUTE FUNCTION require_resolution_of_deposit();
