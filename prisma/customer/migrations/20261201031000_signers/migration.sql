-- Who stands behind a key: the keys that one replaces after the other, and those that an operator has said to be of one person,
-- share a signer, and none of them approves what another one has created. Null where it is the key itself. A key may approve
-- payouts: the constraint of its scopes goes with the column, in one statement and one scan.
ALTER TABLE "api_keys"
    DROP CONSTRAINT "api_keys_scopes_check",
    ADD COLUMN "signer_id" UUID
        CONSTRAINT "api_keys_have_known_scopes"
        CHECK (COALESCE(cardinality("scopes"), 0) > 0 AND "scopes" <@ ARRAY['read', 'write', 'payout', 'approve']);
