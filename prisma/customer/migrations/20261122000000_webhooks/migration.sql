-- Events of a merchant's resources, the endpoints that want to be told of them, and what is delivered where. No personal
-- data: an event holds ids, states and amounts. Only additions: the version before leaves them alone.

-- How many events a customer has had. Counted under the lock of the customer's row, in the commit of the change itself.
ALTER TABLE customers ADD COLUMN event_sequence integer NOT NULL DEFAULT 0 CHECK (event_sequence >= 0);

CREATE TABLE events (
  -- Of a fact of the ledger it is derived from (shard, position): the same fact coming again meets the primary key.
  id          uuid           NOT NULL,
  -- Breaks ties between events of one millisecond, in the order of arrival.
  number      bigserial      NOT NULL,
  merchant_id uuid           NOT NULL,
  type        text           NOT NULL CHECK (type ~ '^[a-z]+\.[a-z]+$'),
  resource_id uuid           NOT NULL,
  -- 1, 2, 3 … per resource.
  sequence    integer        NOT NULL CHECK (sequence > 0),
  -- JSON as text, because what is signed are its bytes, which jsonb would not keep.
  data        text           NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (id),
  CONSTRAINT events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE NO ACTION
);
-- What receivers order by says one thing only.
CREATE UNIQUE INDEX events_sequence_unique ON events (resource_id, sequence);
-- GET /events, newest first, and the same for one type.
CREATE INDEX events_newest_first ON events (merchant_id, created_at, number);
CREATE INDEX events_newest_first_of_type ON events (merchant_id, type, created_at, number);
-- The purge looks for what is old; rows arrive nearly in that order, so ranges of blocks are enough.
CREATE INDEX events_oldest ON events USING brin (created_at);

CREATE TABLE webhook_endpoints (
  id          uuid           NOT NULL,
  merchant_id uuid           NOT NULL,
  url         text           NOT NULL,
  description text,
  -- The types that it takes; null for all of them.
  event_types text[]         CHECK (cardinality(event_types) > 0),
  -- Made with a test key, and so allowed to be on this machine.
  sandbox     boolean        NOT NULL,
  disabled_at timestamptz(3),
  -- Kept for as long as deliveries may name it.
  deleted_at  timestamptz(3),
  created_at  timestamptz(3) NOT NULL,
  updated_at  timestamptz(3) NOT NULL,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE NO ACTION
);
-- Every event asks which endpoints of its merchant want it; listing goes the same way.
CREATE INDEX webhook_endpoints_of_merchant ON webhook_endpoints (merchant_id, created_at) WHERE deleted_at IS NULL;

-- Sealed with the merchant's data key. The newest has no end; a rotation gives the one before it a day.
CREATE TABLE webhook_secrets (
  id            uuid           NOT NULL,
  endpoint_id   uuid           NOT NULL,
  sealed_secret text           NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  expires_at    timestamptz(3),
  CONSTRAINT webhook_secrets_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints (id) ON DELETE CASCADE ON UPDATE NO ACTION
);
-- One secret of an endpoint is the current one, however many rotations run at once.
CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (endpoint_id) WHERE expires_at IS NULL;
-- An endpoint's secrets, to sign with and to forget.
CREATE INDEX webhook_secrets_of_endpoint ON webhook_secrets (endpoint_id, created_at);

-- One event on its way to one endpoint: the intent, the schedule and the last outcome.
CREATE TABLE event_deliveries (
  id              uuid           NOT NULL,
  event_id        uuid           NOT NULL,
  -- Without a foreign key: endpoints are removed only when every delivery that names them is gone, and checking that
  -- would need one more index on the largest table here.
  endpoint_id     uuid           NOT NULL,
  status          text           NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts        integer        NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- When it is due; while an attempt is under way, when another worker may take it.
  next_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  response_status integer,
  error           text,
  created_at      timestamptz(3) NOT NULL,
  CONSTRAINT event_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT event_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT event_deliveries_due CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);
-- One delivery per event and endpoint; GET /events/{id} finds them by the event, and so does the purge.
CREATE UNIQUE INDEX event_deliveries_unique ON event_deliveries (event_id, endpoint_id);
-- What is due, endpoint by endpoint, so that the backlog of one hides nothing of another. Holds only what is on its way.
CREATE INDEX event_deliveries_waiting ON event_deliveries (endpoint_id, next_attempt_at) WHERE status = 'pending';

GRANT SELECT, INSERT, DELETE ON events TO customer_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoints, webhook_secrets, event_deliveries TO customer_app;
GRANT USAGE ON SEQUENCE events_number_seq TO customer_app;
