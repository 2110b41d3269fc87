-- What the auditor's program printed of holdings against the books, as an operator's command has kept it.
CREATE TABLE solvency_reports (
  number bigint GENERATED ALWAYS AS IDENTITY,
  kept_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  is_sound boolean NOT NULL,
  report jsonb NOT NULL,
  CONSTRAINT solvency_reports_pkey PRIMARY KEY (number)
);

CREATE FUNCTION refuse_changed_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'solvency reports are added to, and never changed';
END $$;
CREATE TRIGGER solvency_reports_stay BEFORE UPDATE OR DELETE ON solvency_reports
  FOR EACH ROW EXECUTE FUNCTION refuse_changed_reports();
CREATE TRIGGER solvency_reports_are_not_emptied BEFORE TRUNCATE ON solvency_reports
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_reports();

GRANT SELECT, INSERT ON solvency_reports TO backoffice_app;
