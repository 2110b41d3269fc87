-- What is paid out was ordered by the payout service, which signs its order; the signer checks it. Null: a movement of our own, or an
-- order of a version before.
ALTER TABLE outgoing_transfers ADD COLUMN order_text text, ADD COLUMN order_signature text;

-- The service's role writes states, nonces and places in blocks, never what was ordered, and an end stays. A trigger is the owner's:
-- the service's role can't switch it off.
CREATE FUNCTION refuse_other_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a transfer keeps what was ordered, and its end';
END $$;

CREATE TRIGGER transfers_keep_their_order BEFORE UPDATE ON outgoing_transfers FOR EACH ROW
  WHEN ((OLD.id, OLD.reference, OLD.network, OLD.kind, OLD.from_address, OLD.to_address, OLD.units)
      <> (NEW.id, NEW.reference, NEW.network, NEW.kind, NEW.from_address, NEW.to_address, NEW.units)
    OR (OLD.from_index, OLD.to_index, OLD.currency, OLD.order_text, OLD.order_signature)
      IS DISTINCT FROM (NEW.from_index, NEW.to_index, NEW.currency, NEW.order_text, NEW.order_signature)
    OR (OLD.state IN ('completed', 'failed') AND NEW.state <> OLD.state))
  EXECUTE FUNCTION refuse_other_transfer();
