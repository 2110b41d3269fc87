-- contract: 0.1.0, no version has changed any other column of these rows
-- Whose a customer is, and what a merchant pays and where its money is, is said once, when the row is made. The service's role could
-- change all of it: with one statement a merchant's customer became an accomplice's, to whom the service then opened its profile; a
-- merchant was sent to a shard that has nothing of it, or paid no fees.
REVOKE UPDATE ON customers, merchants FROM customer_app;
GRANT UPDATE (status, kyc_status, email_index, phone_index, sealed_profile, closing_requested_at, erased_at, event_sequence, updated_at)
  ON customers TO customer_app;
-- Nothing of a merchant changes. Who locks its row has to be allowed to change something of it.
GRANT UPDATE (updated_at) ON merchants TO customer_app;
