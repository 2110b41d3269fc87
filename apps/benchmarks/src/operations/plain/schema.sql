-- The tables of schema.prisma.
CREATE TABLE api_keys (hash text PRIMARY KEY, merchant_id uuid NOT NULL);
CREATE TABLE customers (id uuid PRIMARY KEY, merchant_id uuid NOT NULL);
CREATE TABLE accounts (
  id uuid PRIMARY KEY, merchant_id uuid NOT NULL, customer_id uuid, kind text NOT NULL, currency text NOT NULL,
  balance numeric(38, 8) NOT NULL DEFAULT 0, created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX ON accounts (merchant_id, kind, currency);
CREATE TABLE transactions (
  id uuid PRIMARY KEY, merchant_id uuid NOT NULL, customer_id uuid, account_id uuid NOT NULL, reference_id uuid NOT NULL,
  type text NOT NULL, mode text NOT NULL, currency text NOT NULL, amount numeric(38, 8) NOT NULL, network text,
  destination text, status text NOT NULL, settle_at timestamptz(3), created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX ON transactions (merchant_id, created_at);
CREATE INDEX ON transactions (customer_id, created_at);
CREATE INDEX ON transactions (reference_id);
-- What the timer looks for; Prisma can't express the condition.
CREATE INDEX ON transactions (settle_at) WHERE status = 'PENDING';
CREATE TABLE entries (
  id uuid PRIMARY KEY, transaction_id uuid NOT NULL REFERENCES transactions, account_id uuid NOT NULL,
  amount numeric(38, 8) NOT NULL, balance_after numeric(38, 8) NOT NULL, created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON entries (transaction_id);
CREATE INDEX ON entries (account_id, created_at);
CREATE TABLE quotes (
  id uuid PRIMARY KEY, merchant_id uuid NOT NULL, from_currency text NOT NULL, to_currency text NOT NULL,
  from_amount numeric(38, 8) NOT NULL, to_amount numeric(38, 8) NOT NULL, price numeric(30, 12) NOT NULL,
  expires_at timestamptz(3) NOT NULL, used_at timestamptz(3)
);
CREATE TABLE events (
  id uuid PRIMARY KEY, merchant_id uuid NOT NULL, type text NOT NULL, resource_id uuid NOT NULL, data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON events (merchant_id, created_at);
CREATE TABLE endpoints (id uuid PRIMARY KEY, merchant_id uuid NOT NULL, url text NOT NULL, secret text NOT NULL);
CREATE TABLE deliveries (
  id uuid PRIMARY KEY, event_id uuid NOT NULL REFERENCES events, endpoint_id uuid NOT NULL REFERENCES endpoints,
  status text NOT NULL, attempts int NOT NULL DEFAULT 0, due_at timestamptz(3), UNIQUE (event_id, endpoint_id)
);
CREATE INDEX ON deliveries (due_at) WHERE status = 'pending';
