import type { ServiceEnvironments } from '@stablecoin/local-stack/environment';
import type { TrialStack } from '@stablecoin/testing/trial/trial-stack';

export type ServerName = 'postgres' | 'nats';

/** The stack as the launcher describes it: the servers run, the services don't yet. */
export interface FaultStack extends TrialStack {
  logs: string;
  nats_version: string;
  /** The environment of each service, as if it reached the servers directly. */
  services: ServiceEnvironments;
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
