-- The names of events are a closed set of the service, which alone writes them; payout.approval_required is of three words.
ALTER TABLE events DROP CONSTRAINT "events_type_check";
