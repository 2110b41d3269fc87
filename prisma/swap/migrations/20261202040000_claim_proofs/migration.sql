-- The gateway's proof of the request that claimed the quote: an attempt that was abandoned is finished with it, and with no other.
ALTER TABLE quotes ADD COLUMN claim_request_proof text;
