/** Bugs that are known to lose money or to pay it twice, each as others have had it. */
import type { Edit } from '@stablecoin/testing/planting';

const EVM_RAIL = 'apps/payout/src/rails/evm-rail.js';
const DEPOSIT = 'apps/chain/src/deposits/deposit.js';
const LANE_PASS = 'apps/chain/src/transfers/lane-pass.js';
const SIGHTINGS = 'apps/chain/src/walk/sightings.js';
const TRANSFER_LOGS = 'apps/chain/src/nodes/transfer-logs.js';

export const PLANTED_BUGS = {
  /** The log's place in its block changes with the block: the same transfer has another name then. */
  'log-index-as-name': [
    {
      file: SIGHTINGS,
      from: 'units, blockNumber, blockHash })=>{',
      to: 'units, blockNumber, blockHash, logIndex })=>{',
    },
    { file: SIGHTINGS, from: 'const ordinal = counted.get(key) ?? 0;', to: 'const ordinal = logIndex;' },
  ],
  /** A transfer that another contract makes is not seen (peatio #2637). */
  'transaction-to-as-match': [
    {
      file: TRANSFER_LOGS,
      from: 'async function transfersIn(node, blockHash) {',
      to: `async function transfersIn(node, blockHash) {
        const found = await allTransfersIn(node, blockHash);
        const called = await Promise.all(found.map((each) => node.transactionByHash(each.transactionHash)));
        return found.filter(({ token }, index) => called[index]?.to?.toLowerCase() === token.toLowerCase());
      }
      async function allTransfersIn(node, blockHash) {`,
    },
  ],
  'credit-at-first-sight': [
    {
      file: DEPOSIT,
      from: "if (standing === 'final') return 'confirm';",
      to: "if (standing === 'final' || standing === 'included') return 'confirm';",
    },
  ],
  /** A crash in between leaves a transaction that nothing here knows of (circlefin/arc-fintech #50). */
  'broadcast-before-store': [
    { file: LANE_PASS, from: 'if (!await this.store.take(lane, transfer, nonce, terms)) continue;', to: '' },
    {
      file: LANE_PASS,
      from: 'await this.store.storeSigned(lane, transfer, terms, answer.signed);',
      to: "if (transfer.state !== 'waiting') await this.store.storeSigned(lane, transfer, terms, answer.signed);",
    },
    {
      file: LANE_PASS,
      from: 'await this.broadcast(chain, taken, outcome);',
      to: `await this.broadcasting.send(chain, taken, outcome);
        if (!await this.store.take(lane, transfer, nonce, terms)) return;
        await this.store.storeSigned(lane, taken, terms, outcome);
        await this.store.markBroadcast(taken, outcome);`,
    },
  ],
  /** It begins at what is mined, and is not stored: it forgets what waits in the pools (OpenZeppelin Relayer #818). */
  'nonce-from-a-counter': [
    {
      file: LANE_PASS,
      from: 'first: next.nonce',
      to: 'first: (this.counter ??= Math.max(0, ...mined.filter((each) => each !== undefined)))',
    },
    { file: LANE_PASS, from: 'nonce += 1;', to: 'nonce += 1; this.counter = nonce;' },
  ],
  /** A transaction that is signed may vanish, revert, or be replaced by another one. */
  'complete-when-sent': [
    { file: EVM_RAIL, from: "state: 'pending',", to: "state: state === 'sent' ? 'completed' : 'pending'," },
  ],
} as const satisfies Record<string, readonly Edit[]>;

export type PlantedBug = keyof typeof PLANTED_BUGS;
