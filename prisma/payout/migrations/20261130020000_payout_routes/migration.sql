-- The rail that a payout goes by, where that isn't the sandbox's: stored before the rail hears of it.
ALTER TABLE payouts ADD COLUMN route text CONSTRAINT payouts_route CHECK (route = 'evm');

-- Written in the statement that gives a payout to another rail: whoever still holds it for the sandbox's finds the name taken.
ALTER TABLE sandbox_rail ADD COLUMN declined boolean NOT NULL DEFAULT false;
