import { randomUUID } from 'node:crypto';
import type { DatabaseName } from '@stablecoin/migrations/databases';
import { Client } from 'pg';

export type { DatabaseName };

export interface TestDatabase {
  /** Connects as the service does: with the app role's rights and no more. */
  url: string;
  /** Connects as the owner, who may do anything: for looking behind the service's back, or tampering with its data. */
  ownerUrl: string;
  drop(): Promise<void>;
}

const QUERY_TIMEOUT_MS = 30_000;

/** A database of its own for a test, migrated: a copy of the template that the run's set-up made. */
export async function createTestDatabase(name: DatabaseName): Promise<TestDatabase> {
  const database = `${name}_${randomUUID().replaceAll('-', '')}`;
  await onServer(`CREATE DATABASE ${database} TEMPLATE ${name}_template`);
  return {
    url: withDatabase(appUrl(name), database),
    ownerUrl: withDatabase(serverUrl(), database),
    drop: () => onServer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`),
  };
}

/** Connects to a copy of the ledger's database as the auditor does: with the right to read it, and no more. */
export function auditorUrl(ledger: TestDatabase): string {
  const url = process.env['TEST_AUDITOR_URL'];
  if (!url) throw new Error('TEST_AUDITOR_URL is not set: run the integration tests with npm test -- --only int');
  return withDatabase(url, new URL(ledger.url).pathname.slice(1));
}

/** A connection string as the database's owner that then assumes a role, for roles without a login in tests. */
export function asRole(ownerUrl: string, role: string): string {
  const url = new URL(ownerUrl);
  url.searchParams.set('options', `-c role=${role}`);
  return url.href;
}

function serverUrl(): string {
  const url = process.env['TEST_POSTGRES_URL'];
  if (!url) throw new Error('TEST_POSTGRES_URL is not set: run the integration tests with npm test -- --only int');
  return url;
}

function appUrl(name: DatabaseName): string {
  const urls = JSON.parse(process.env['TEST_APP_URLS'] ?? '{}') as Partial<Record<DatabaseName, string>>;
  const url = urls[name];
  if (!url) throw new Error(`TEST_APP_URLS has no ${name}: run the integration tests with npm test -- --only int`);
  return url;
}

function withDatabase(url: string, database: string): string {
  const target = new URL(url);
  target.pathname = `/${database}`;
  return target.href;
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl(), query_timeout: QUERY_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
