/** Every migration leaves services of the version before it at work, or says that it doesn't. */
import { DATABASES } from './databases';
import { contractingStatements } from './migration-rules';
import { migrationsFolder, readMigrations } from './migrations';

describe.each(DATABASES)('of the %s database', (database) => {
  const migrations = readMigrations(migrationsFolder(database));

  it.each(migrations)('$name only adds', ({ sql }) => {
    expect(contractingStatements(sql)).toEqual([]);
  });
});

const ADDING = [
  'CREATE TABLE a (id int NOT NULL PRIMARY KEY, name text UNIQUE); CREATE UNIQUE INDEX a_name ON a (name); CREATE INDEX b ON "a" (id);',
  'ALTER TABLE a ADD COLUMN note text;',
  "ALTER TABLE a ADD COLUMN note text NOT NULL DEFAULT 'none' CHECK (note <> ''), ADD COLUMN other int;",
  'ALTER TABLE a ALTER COLUMN note DROP NOT NULL; ALTER TABLE a ALTER COLUMN note SET DEFAULT 1;',
  '-- why it exists\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a_note ON a (note);',
  'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM a; DROP TABLE a; END $$;',
  'CREATE TRIGGER t BEFORE UPDATE OR DELETE OR TRUNCATE ON a FOR EACH STATEMENT EXECUTE FUNCTION f();',
  "GRANT SELECT ON a TO a_app; INSERT INTO a VALUES (1, 'we DROP TABLE by hand');",
  '-- contract: 1.4, nothing reads note since 1.3\nALTER TABLE a DROP COLUMN note;',
];
const CONTRACTING: readonly [sql: string, why: RegExp][] = [
  ['ALTER TABLE a DROP COLUMN note;', /takes something away/],
  ['DROP TABLE a;', /takes something away/],
  ['DROP INDEX a_note;', /takes something away/],
  ['ALTER TABLE a RENAME COLUMN note TO remark;', /renames/],
  ['ALTER TABLE a RENAME TO b;', /renames/],
  ['ALTER TABLE a ALTER COLUMN note TYPE int;', /changes a type/],
  ['ALTER TABLE a ALTER note SET DATA TYPE int;', /changes a type/],
  ['ALTER TABLE a ALTER COLUMN note SET NOT NULL;', /refuses rows/],
  ['ALTER TABLE a ADD COLUMN note text NOT NULL;', /give it a default/],
  ['ALTER TABLE a ADD note text NOT NULL;', /give it a default/],
  ['ALTER TABLE a ADD COLUMN x int DEFAULT 1, ADD COLUMN note text NOT NULL;', /give it a default/],
  ['ALTER TABLE a ADD CONSTRAINT c CHECK (note > 1);', /refuses rows/],
  ['ALTER TABLE "a" ADD FOREIGN KEY (note) REFERENCES b;', /refuses rows/],
  ['CREATE UNIQUE INDEX a_note ON a (note);', /refuses rows/],
  ['CREATE INDEX a_note ON a (note);', /CONCURRENTLY/],
  ['CREATE INDEX CONCURRENTLY a_note ON a (note);', /stands alone/],
  ['ALTER TABLE a ADD COLUMN note text; CREATE INDEX CONCURRENTLY IF NOT EXISTS a_note ON a (note);', /stands alone/],
  ['DELETE FROM a;', /deletes rows/],
  ['TRUNCATE a;', /deletes rows/],
  ['REVOKE INSERT ON a FROM a_app;', /takes a right away/],
  ['DO $$ BEGIN DROP TABLE a; END $$;', /takes something away/],
  ["DO $$ BEGIN EXECUTE 'ALTER TABLE a DROP COLUMN note'; END $$;", /takes something away/],
];

it.each(ADDING)('adds: %s', (sql) => {
  expect(contractingStatements(sql)).toEqual([]);
});

it.each(CONTRACTING)('is refused: %s', (sql, why) => {
  expect(contractingStatements(sql).map((finding) => finding.why)).toContainEqual(expect.stringMatching(why));
});
