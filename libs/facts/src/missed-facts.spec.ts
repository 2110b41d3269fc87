import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { listPublishedPositions } from '@stablecoin/contracts/wallet/list-published-positions';
import { FactProgress } from '@stablecoin/persistence/fact-progress';
import { eventually } from '@stablecoin/testing/eventually';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { MissedFacts, ProgressingReceiver } from './missed-facts';

const MADE_AT = new Date(0);
const LOG = [1, 2, 3, 4, 5].map(
  (position) => ({ shard: 0, position, movement: 'payout-held' }) as unknown as LedgerFact,
);

/** A stream of the log's facts, one message each, that throws all of them away as somebody asks what is acknowledged. */
function forgetfulStream() {
  let [first, isAsked] = [1, false];
  const stream = {
    extent: async () => ({ createdAt: MADE_AT, first, last: LOG.length }),
    hasAcknowledged: async () => {
      [first, isAsked] = [LOG.length + 1, true];
      return true;
    },
    seal: () => new Uint8Array(),
  };
  return { stream: stream as unknown as LedgerStream, isAsked: () => isAsked };
}

it('passes over nothing that expires while it is asked for what was acknowledged', async () => {
  const handled: number[] = [];
  let progress: FactProgress = { streamCreatedAt: MADE_AT, sequence: 1, positions: [{ shard: 0, position: 1 }] };
  const receiver = {
    ...{ durable: 'spec', movements: ['payout-held'] },
    progress: async () => progress,
    storeProgress: async (stored: FactProgress) => void (progress = stored),
    handle: async (facts: readonly { fact: LedgerFact }[]) =>
      void handled.push(...facts.map(({ fact }) => fact.position)),
  };
  const call = async ({ subject }: { subject: string }, { after = 0 }: { after?: number }) => {
    if (subject === listPublishedPositions.subject) return [{ shard: 0, position: LOG.length }];
    return { facts: LOG.filter(({ position }) => position > after), last: LOG.length };
  };
  const { stream, isAsked } = forgetfulStream();
  const ledger = { call } as unknown as ConstructorParameters<typeof MissedFacts>[2];
  const missed = new MissedFacts(stream, receiver as unknown as ProgressingReceiver, ledger, 5);
  missed.start();
  await eventually('the progress is stored', () => isAsked() && progress.sequence >= LOG.length);
  await missed.stop();
  expect(handled).toEqual([2, 3, 4, 5]);
});
