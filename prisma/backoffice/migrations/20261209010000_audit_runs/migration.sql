-- Runs of the auditor's verify that people at the console have asked for. The service may ask and cancel, the runner beside the
-- auditor alone may say how a run goes: by the rights to columns below, and by the checks, which want of each state what only one of
-- the two may write.
CREATE TABLE audit_runs (
  number bigint GENERATED ALWAYS AS IDENTITY,
  state text NOT NULL DEFAULT 'asked',
  asked_by uuid NOT NULL,
  asked_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  cancelled_by uuid,
  cancelled_at timestamptz(3),
  -- The instance of the runner that does it.
  runner uuid,
  began_at timestamptz(3),
  -- The runner's last sign of life.
  alive_at timestamptz(3),
  phase text,
  done bigint,
  total bigint,
  ended_at timestamptz(3),
  report jsonb,
  failure text,
  CONSTRAINT audit_runs_pkey PRIMARY KEY (number),
  CONSTRAINT audit_runs_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES members (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT audit_runs_cancelled_by_fkey FOREIGN KEY (cancelled_by) REFERENCES members (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT audit_runs_state CHECK (state IN ('asked', 'running', 'sound', 'finding', 'failed', 'interrupted', 'cancelled')),
  CONSTRAINT audit_runs_begun CHECK (
    (runner IS NULL) = (began_at IS NULL) AND (runner IS NULL) = (alive_at IS NULL)
    AND (state <> 'asked' OR runner IS NULL) AND (state IN ('asked', 'cancelled') OR runner IS NOT NULL)
  ),
  CONSTRAINT audit_runs_ended CHECK ((state IN ('asked', 'running')) = (ended_at IS NULL)),
  CONSTRAINT audit_runs_report CHECK ((state IN ('sound', 'finding')) = (report IS NOT NULL)),
  CONSTRAINT audit_runs_failure CHECK ((state IN ('failed', 'interrupted')) = (failure IS NOT NULL)),
  CONSTRAINT audit_runs_cancelled CHECK (
    (cancelled_by IS NULL) = (cancelled_at IS NULL) AND (state <> 'cancelled' OR cancelled_by IS NOT NULL)
  ),
  CONSTRAINT audit_runs_bounds CHECK (
    (phase IS NULL OR length(phase) <= 40) AND (failure IS NULL OR length(failure) <= 500)
    AND (report IS NULL OR octet_length(report::text) <= 16 * 1024 * 1024)
  )
);
-- A run reads the whole log: one at a time waits or runs.
CREATE UNIQUE INDEX audit_runs_one_at_a_time ON audit_runs ((true)) WHERE state IN ('asked', 'running');

CREATE FUNCTION refuse_changed_audit_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'audit runs are kept';
  ELSIF OLD.ended_at IS NOT NULL THEN
    RAISE EXCEPTION 'an audit run that has ended stays as it is';
  ELSIF (OLD.number, OLD.asked_by, OLD.asked_at) IS DISTINCT FROM (NEW.number, NEW.asked_by, NEW.asked_at)
    OR OLD.state = 'running' AND NEW.state = 'asked'
    OR OLD.runner IS NOT NULL AND (OLD.runner, OLD.began_at) IS DISTINCT FROM (NEW.runner, NEW.began_at)
    OR OLD.cancelled_by IS NOT NULL
      AND (OLD.cancelled_by, OLD.cancelled_at) IS DISTINCT FROM (NEW.cancelled_by, NEW.cancelled_at) THEN
    RAISE EXCEPTION 'who asked for an audit run, who cancelled it and who began it stays';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_runs_stay BEFORE UPDATE OR DELETE ON audit_runs FOR EACH ROW EXECUTE FUNCTION refuse_changed_audit_runs();
CREATE TRIGGER audit_runs_are_not_emptied BEFORE TRUNCATE ON audit_runs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_audit_runs();

-- The lease of the runner: one row. Another instance takes it when this one has given no sign of life for a while, or has let it go.
CREATE TABLE audit_runner (
  single boolean NOT NULL DEFAULT true,
  instance uuid,
  alive_at timestamptz(3),
  CONSTRAINT audit_runner_pkey PRIMARY KEY (single),
  CONSTRAINT audit_runner_single CHECK (single)
);
INSERT INTO audit_runner DEFAULT VALUES;

GRANT SELECT ON audit_runs, audit_runner TO backoffice_app;
GRANT INSERT (asked_by), UPDATE (state, cancelled_by, cancelled_at, ended_at) ON audit_runs TO backoffice_app;

DO $$
BEGIN
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO backoffice_audit_runner', current_database());
END $$;
GRANT USAGE ON SCHEMA public TO backoffice_audit_runner;
GRANT SELECT, UPDATE (state, runner, began_at, alive_at, phase, done, total, ended_at, report, failure) ON audit_runs
  TO backoffice_audit_runner;
GRANT SELECT, UPDATE (instance, alive_at) ON audit_runner TO backoffice_audit_runner;
