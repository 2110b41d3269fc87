import { statSync } from 'node:fs';
import { basename } from 'node:path';

interface SpecFile {
  path: string;
}

/**
 * The specs that take longest, longest first: most of them wait, for leases to lapse or for a stack of their own to start.
 * One that begins last, alone, makes the whole run longer by all that it waits. A wrong order costs time and nothing else.
 */
const LONGEST = [
  ...[
    'forgeries',
    'backup',
    'console-roles',
    'console',
    'screens',
    'liabilities-check',
    'rules-passed-over',
    'forged-schema',
  ],
  ...[
    'held-transfers',
    'merchants',
    'faulty-nodes',
    'typescript-package',
    'base-backup',
    'audit-runner',
    'schema-parts',
  ],
  ...['solvency', 'signer', 'index-check', 'pay', 'checkpoint-check', 'overview', 'witnesses', 'policies'],
  ...['machine-equals-model-amid-restarts', 'rolling-restarts', 'machine-equals-model', 'key-changes', 'fuzz'],
  ...['a-service-away', 'two-ledger-instances', 'audit', 'operations', 'backup-restore', 'expanded-databases'],
  ...['documentation', 'chain-deposits', 'chain-payouts', 'command-line', 'readme', 'dev'],
  ...['overdrafts', 'idempotency', 'webhooks', 'values', 'traces', 'logs'],
  ...['ledger-shards', 'deliveries', 'fact-consumer', 'parked-facts', 'payout-process', 'verify', 'half-open-bus'],
  ...['tampering', 'paused-broker', 'delivery-order', 'stack', 'migrations', 'bus', 'fact-relay', 'shard-figures'],
  ...['rewrapping', 'half-open-connections', 'online-rebuild', 'bus-connection'],
];

/** Jest's order of spec files: those first, then by size. */
export default class LongestFirst {
  sort<File extends SpecFile>(specs: readonly File[]): File[] {
    const ranked = specs.map((spec) => ({ spec, rank: rankOf(spec), size: statSync(spec.path).size }));
    return ranked.sort((one, other) => one.rank - other.rank || other.size - one.size).map(({ spec }) => spec);
  }

  /** Jest tells it how long each took. */
  cacheResults(): void {
    // The list above is enough.
  }
}

function rankOf({ path }: SpecFile): number {
  const name = basename(path).replace(/(\.int|\.e2e)?\.spec\.ts$/, '');
  const place = LONGEST.indexOf(name);
  return place < 0 ? LONGEST.length : place;
}
