/** The ledger's own program on a copy of its database, as it is started again after a forgery. */
import { cpSync, mkdirSync } from 'node:fs';
import { BuiltService } from '@stablecoin/testing/built-service';
import { type Edit, planting } from '@stablecoin/testing/planting';
import { eventually } from '@stablecoin/testing/eventually';
import type { Database } from './databases';

const JUDGED_WITHIN = { timeoutMs: 20_000, pollMs: 100 };

export interface LedgerOnCopy {
  /** What it says of a log that it does not serve, or does not sign; undefined where it signs all of them to their ends. */
  verdict(): Promise<string | undefined>;
  end(): Promise<void>;
}

/** What the ledger logs when it has judged a log: see shards/ledger-shards.ts and checkpoints/checkpointer.ts. */
const TAKEN = 'took a shard';
const REFUSED = [
  "a log is not this ledger's: the shard is not served",
  'a log is served, but not signed',
  'nothing is signed any more',
];

/** A ledger that does what its forger wants: with its own key, whatever it is told of others. */
export interface TakenOver {
  settings?: NodeJS.ProcessEnv;
  /** Its program is another one in these places. */
  edits?: readonly Edit[];
  /** It remembers nothing of what was signed. */
  isForgetful?: true;
}

export async function startLedgerOn(
  database: Database,
  environment: NodeJS.ProcessEnv,
  memory: { of: string; copy: string },
  { settings = {}, edits = [], isForgetful }: TakenOver = {},
): Promise<LedgerOnCopy> {
  if (isForgetful) mkdirSync(memory.copy);
  else cpSync(memory.of, memory.copy, { recursive: true });
  const service = await BuiltService.start('wallet-ledger', {
    ...{ ...environment, ...settings, ...planting(edits) },
    LEDGER_DATABASE_URL: database.url('ledger_app'),
    CHECKPOINT_MEMORY_DIRECTORY: memory.copy,
  });
  const [{ shards } = { shards: 0 }] = await database.rows<{ shards: number }>(
    'SELECT count(*)::int AS shards FROM ledger_shards',
  );
  const judged = async () => {
    const said = service.lines.map((line) => ({ message: String(line['message']), problem: line['problem'] }));
    const refusal = said.find(({ message }) => REFUSED.some((text) => message.startsWith(text)));
    if (refusal) return [refusal.message, refusal.problem].filter((part) => typeof part === 'string').join(': ');
    const taken = said.filter(({ message }) => message === TAKEN).length;
    return taken === shards && (await database.rows(UNSIGNED)).length === 0 ? 'signed' : undefined;
  };
  return {
    verdict: async () => {
      const verdict = await eventually('the ledger signs the logs, or says why not', judged, JUDGED_WITHIN);
      return verdict === 'signed' ? undefined : verdict;
    },
    end: () => service.kill('SIGTERM'),
  };
}

const UNSIGNED = `
  SELECT FROM ledger_shards AS head
  WHERE head_position > COALESCE((SELECT max(tree_size) FROM ledger_checkpoints AS signed WHERE signed.shard = head.shard), 0)`;
