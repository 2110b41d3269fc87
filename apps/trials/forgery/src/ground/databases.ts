/**
 * The databases of the trial, seen with any role's eyes. Forgeries at rest take place on copies, each of them as the stopped
 * services left it: a copy that a forgery has changed is thrown away.
 */
import { appRole, DATABASES, type DatabaseName, type DatabaseUrls, rolesOf } from '@stablecoin/migrations/databases';
import pg from 'pg';

/** A role that logs in to a database, or the owner of all tables. */
export type Login = string;
export const OWNER: Login = 'the owner';

/** A database of the server, under its own name or as a copy. */
export class Database {
  /** Whether something has changed it. */
  isForged = false;

  constructor(
    readonly name: DatabaseName,
    private readonly urls: Record<DatabaseName, DatabaseUrls>,
    /** In the server: another one of a copy. */
    readonly place: string = name,
  ) {}

  /** The connection string of a role, be it another database's. */
  url(login: Login): string {
    const url = new URL(loginUrls(this.urls).get(login) ?? unknownLogin(login));
    url.pathname = `/${this.place}`;
    return url.href;
  }

  /** Runs statements one after the other in one session. @returns the last one's rows, and how many it touched */
  async as<Row extends pg.QueryResultRow>(
    login: Login,
    statements: readonly string[],
  ): Promise<{ rows: Row[]; count: number }> {
    const client = new pg.Client({ connectionString: this.url(login) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      let last: pg.QueryResult<Row> | undefined;
      for (const statement of statements) last = await client.query<Row>(statement);
      return { rows: last?.rows ?? [], count: last?.rowCount ?? 0 };
    } finally {
      await client.end();
    }
  }

  async rows<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    return (await this.as<Row>(OWNER, [statement])).rows;
  }

  /** Every value that the role may read, table by table, as one text. */
  async allThat(login: Login): Promise<{ text: string; tables: number }> {
    const { rows } = await this.as<{ select: string }>(login, [READABLE_COLUMNS]);
    const texts: string[] = [];
    for (const { select } of rows) {
      const { rows: values } = await this.as<{ value: string | null }>(login, [select]);
      texts.push(...values.map(({ value }) => value ?? ''));
    }
    return { text: texts.join('\n'), tables: rows.length };
  }
}

/** Rows as text: what bytes hold is looked for in them as well. */
const READABLE_COLUMNS = `
  SELECT format('SELECT concat_ws('' '', %s) AS value FROM %I.%I', string_agg(
      CASE data_type WHEN 'bytea' THEN format('encode(%I, ''escape'')', column_name) ELSE format('%I::text', column_name) END, ', '
    ), table_schema, table_name) AS select
  FROM information_schema.columns
  WHERE table_schema = 'public' AND has_column_privilege(format('%I.%I', table_schema, table_name), column_name, 'SELECT')
  GROUP BY table_schema, table_name ORDER BY table_name`;

function loginUrls(urls: Record<DatabaseName, DatabaseUrls>): Map<Login, string> {
  const ofDatabase = (name: DatabaseName): [Login, string][] => {
    const { app, further } = urls[name];
    const others = rolesOf(name).filter((role) => role !== appRole(name));
    return [[appRole(name), app], ...others.map((role): [Login, string] => [role, further ?? unknownLogin(role)])];
  };
  return new Map([[OWNER, urls.ledger.owner], ...DATABASES.flatMap(ofDatabase)]);
}

function unknownLogin(login: Login): never {
  throw new Error(`${login} does not log in anywhere`);
}

export class Copies {
  private readonly clean = new Map<DatabaseName, Database>();
  private made = 0;

  constructor(
    private readonly urls: Record<DatabaseName, DatabaseUrls>,
    private readonly admin: pg.Client,
  ) {}

  /** As the stopped services left it. */
  async of(name: DatabaseName): Promise<Database> {
    const known = this.clean.get(name);
    if (known && !known.isForged) return known;
    if (known) await this.drop(known);
    const copy = await this.make(name);
    this.clean.set(name, copy);
    return copy;
  }

  /** A copy that stays as it is, whatever becomes of the database: a backup. */
  kept(name: DatabaseName): Promise<Database> {
    return this.make(name);
  }

  /** Of another copy. */
  async again(name: DatabaseName, of: Database): Promise<Database> {
    return this.make(name, of.place);
  }

  /** At the end of each copy, or a run would leave a hundred of them. */
  private async drop(copy: Database): Promise<void> {
    await this.admin.query(`DROP DATABASE ${copy.place} WITH (FORCE)`);
  }

  private async make(name: DatabaseName, template: string = name): Promise<Database> {
    const copy = `${name}_copy_${(this.made += 1)}`;
    await this.admin.query(`CREATE DATABASE ${copy} TEMPLATE ${template}`);
    return new Database(name, this.urls, copy);
  }
}
