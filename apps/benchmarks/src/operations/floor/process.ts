/** How each process of the floor starts: its database, the bus, and word to its parent when it serves. */
import { randomUUID } from 'node:crypto';
import { given } from '@stablecoin/benchmarking/given';
import { Client, Pool } from 'pg';
import { Bus } from './bus';

const READS_MAX = 8;

export interface FloorProcess {
  bus: Bus;
  /** For what commits. */
  writes: Client;
}

/** @param schema creates what this process writes to */
export async function startFloorProcess(schema: string): Promise<FloorProcess> {
  const [bus, writes] = await Promise.all([Bus.open(given('NATS_URL')), openDatabase()]);
  await writes.query(schema);
  return { bus, writes };
}

const settings = () => ({ connectionString: given('DATABASE_URL'), options: '-c TimeZone=UTC' });

export async function openDatabase(): Promise<Client> {
  const client = new Client(settings());
  await client.connect();
  return client;
}

/** For reads side by side. */
export const openReads = (): Pool => new Pool({ ...settings(), max: READS_MAX });

export function serves(url?: string): void {
  process.send?.({ type: 'ready', ...(url !== undefined && { url }) });
  process.once('disconnect', () => process.exit());
}

/** Begins with its time, so that new rows lie beside each other in an index, as the service's do. */
export function timeOrderedId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Values of a statement's VALUES; only for what these processes made themselves. */
export const valuesOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `(${row.join(', ')})`).join(', ');

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
