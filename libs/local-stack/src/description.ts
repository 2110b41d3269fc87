// A running stack's description (DATA_DIR/stack.json), with which command lines reach it.

import { existsSync, readFileSync } from 'node:fs';
import type { EvmNetwork } from '@stablecoin/chains/chains';
import type { TokenCurrency } from '@stablecoin/chains/tokens';
import type { DatabaseName } from '@stablecoin/migrations/databases';
import type { PerService, StackServiceName } from './environment';
import { dataDirFrom, dataPaths } from './paths';

/** A local EVM chain, with all that a tool of one's own needs to send tokens on it. */
export interface ChainDescription {
  network: EvmNetwork;
  chain_id: number;
  rpc_url: string;
  tokens: Record<TokenCurrency, { address: string; decimals: number }>;
  /** Of an account with plenty of coins and tokens, which owns the tokens' contracts. */
  faucet_private_key: string;
  /** From which payouts are sent; its key is the signer's. */
  hot_wallet: string;
}

/** Its process in `pids`. */
export type ChainProcessName = `chain-${EvmNetwork}`;

/** Lacks the gateway's addresses without services, and with a user's own server the fields that only ours has. */
export interface StackDescription {
  base_url?: string;
  docs_url?: string;
  api_key?: string;
  /** Where people sign in, where BACKOFFICE_PORT is set. */
  console_url?: string;
  /** By service, where OPERATIONS_PORT is set. */
  operations_urls?: PerService<string | undefined>;
  nats_url: string;
  databases: Record<DatabaseName, string>;
  owner_databases: Record<DatabaseName, string>;
  auditor_database?: string;
  postgres_url?: string;
  /** Without LOCAL_CHAINS=false. */
  chains?: ChainDescription[];
  pids: { launcher: number; postgres?: number; nats?: number } & Partial<
    Record<StackServiceName | ChainProcessName, number>
  >;
  data_dir: string;
}

/** The description as stored, with the environment that a command line on this machine needs to reach the stack. */
export interface StoredDescription extends StackDescription {
  environment: Record<string, string>;
}

/** The description of the stack that last ran in DATA_DIR, if any. The stack may have ended since. */
export function readStack(env: NodeJS.ProcessEnv): StoredDescription | undefined {
  const paths = dataPaths(dataDirFrom(env));
  return existsSync(paths.stack) ? (JSON.parse(readFileSync(paths.stack, 'utf8')) as StoredDescription) : undefined;
}
