export const SERVICES = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout'] as const;
export type ServiceName = (typeof SERVICES)[number];
export type ServerName = 'postgres' | 'nats';
export type DatabaseName = 'customer' | 'ledger' | 'swap' | 'payout';

/** The stack as the launcher describes it: the servers run, the services don't yet. */
export interface FaultStack {
  data_dir: string;
  logs: string;
  nats_url: string;
  nats_version: string;
  owner_databases: Record<DatabaseName, string>;
  /** The environment of each service, as if it reached the servers directly. */
  services: Record<ServiceName, Record<string, string>>;
  command_line: Record<string, string>;
  /** Why this machine can't give Postgres a disk that runs full; null where it can. */
  disk_full: string | null;
}

/** What was asked for on the command line. */
export interface FaultPlan {
  kills: number;
  cuts: number;
  brokerAwayMs: number;
  minutes?: number;
  seed: number;
  /** Whether what took too long counts as a violation; otherwise only what never ended does. */
  judgesTimes: boolean;
  json: boolean;
}
