-- A MAC over the terms of a quote, by a key that is in no database: the service executes what it has promised itself, and nothing that
-- its login has written here.
ALTER TABLE quotes ADD COLUMN terms_mac text;

-- Services of the version before make no MAC: until then their quotes are executed too. A database that has no quotes has none to wait
-- for. The service's role may read it, and changes nothing of it.
CREATE TABLE quotes_without_mac (
  only_row boolean NOT NULL DEFAULT true,
  taken_until timestamptz(6) NOT NULL,
  CONSTRAINT quotes_without_mac_pkey PRIMARY KEY (only_row),
  CONSTRAINT quotes_without_mac_one CHECK (only_row)
);
INSERT INTO quotes_without_mac (taken_until) SELECT now() + interval '1 day' WHERE EXISTS (SELECT FROM quotes);
GRANT SELECT ON quotes_without_mac TO swap_app;
