/** One way of doing the same operations, behind the same interface: the service, the floor, or the plain way. */
import { ServiceProcess, nodeCommand } from '@stablecoin/local-stack/service-process';
import { Client } from 'pg';
import type { Share } from '../measuring/processor-use';
import type { Deliveries } from './deliveries';

export const WAY_NAMES = ['service', 'floor', 'plain'] as const;
export type WayName = (typeof WAY_NAMES)[number];

export interface Way {
  name: WayName;
  baseUrl: string;
  apiKey: string;
  /** By the names in `share`. */
  pids: Readonly<Record<string, number>>;
  share: Share;
  deliveries: Deliveries;
  stop(): Promise<void>;
}

/** The servers that all ways share. */
export interface Servers {
  /** As the owner of every database. */
  postgresUrl: string;
  natsUrl: string;
}

/** Its file is built: processes run from dist/. */
export interface Program {
  name: string;
  file: string;
  env: NodeJS.ProcessEnv;
}

/** Serves when this resolves. */
export async function startProgram({ name, file, env }: Program): Promise<ServiceProcess> {
  const command = nodeCommand(file);
  const program = new ServiceProcess({ title: name, command, env: { ...process.env, ...env }, output: 'stderr' });
  await program.untilReady();
  return program;
}

/** An empty database of this name, in place of one that a run before left. @returns its URL */
export async function freshDatabase(postgresUrl: string, name: string): Promise<string> {
  const owner = new Client({ connectionString: postgresUrl });
  await owner.connect();
  try {
    await owner.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await owner.query(`CREATE DATABASE ${name}`);
  } finally {
    await owner.end();
  }
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}
