// What a running stack writes about itself (DATA_DIR/stack.json), for the command lines that want to reach it.

import { existsSync, readFileSync } from 'node:fs';
import type { DatabaseName } from '@stablecoin/migrations/databases';
import type { ServiceName } from './environment';
import { dataDirFrom, dataPaths } from './paths';

/** Without services the addresses of the gateway are missing; with a server of the user's own, what only ours could tell. */
export interface StackDescription {
  base_url?: string;
  docs_url?: string;
  api_key?: string;
  /** By service, where OPERATIONS_PORT is set. */
  operations_urls?: Record<ServiceName, string | undefined>;
  nats_url: string;
  databases: Record<DatabaseName, string>;
  owner_databases: Record<DatabaseName, string>;
  auditor_database?: string;
  postgres_url?: string;
  pids: { launcher: number; postgres?: number; nats?: number } & Partial<Record<ServiceName, number>>;
  data_dir: string;
}

/** In the file beside it: what a command line on this machine needs to reach the stack. */
export interface StoredDescription extends StackDescription {
  environment: Record<string, string>;
}

/** The description of the stack that last ran in DATA_DIR, or undefined. Whether it still runs is another question. */
export function readStack(env: NodeJS.ProcessEnv): StoredDescription | undefined {
  const paths = dataPaths(dataDirFrom(env));
  return existsSync(paths.stack) ? (JSON.parse(readFileSync(paths.stack, 'utf8')) as StoredDescription) : undefined;
}
