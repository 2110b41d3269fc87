-- A service says that it is ready only when its database has every migration it was built with: it has to see them.
-- The table is made by whoever applies migrations; a database without it, which is only compared, needs no right.
DO $$
BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    GRANT SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations TO ledger_app;
  END IF;
END $$;
