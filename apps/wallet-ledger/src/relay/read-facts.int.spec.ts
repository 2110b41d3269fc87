import { ListPublishedPositions } from '@stablecoin/contracts/wallet/list-published-positions';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { ReadFacts } from '@stablecoin/contracts/wallet/read-facts';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { eventually } from '@stablecoin/testing/eventually';
import { LedgerDatabases } from '../databases/ledger-databases';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { SHARD, WrittenShard } from '../testing/written-shard';
import { FactRelay } from './fact-relay';
import { ListPublishedPositionsHandler } from './list-published-positions.handler';
import { ReadFactsHandler } from './read-facts.handler';

let ledger: WrittenShard;

beforeAll(async () => {
  ledger = await WrittenShard.start();
});

afterAll(async () => {
  jest.restoreAllMocks();
  await ledger.stop();
});

it('gives, page by page, the facts that the relay published', async () => {
  const published: LedgerFact[] = [];
  const publish = Reflect.get(LedgerStream.prototype, 'publish');
  jest.spyOn(LedgerStream.prototype, 'publish').mockImplementation(async function (this: LedgerStream, facts, traces) {
    await publish.call(this, facts, traces);
    published.push(...facts);
  });
  const merchant_id = timeOrderedId();
  const wallet_id = await ledger.openWallet(merchant_id);
  const terms = { merchant_id, wallet_id, amount: '5', network: null, reference: null, confirmed: true };
  for (let count = 0; count < 120; count += 1) {
    await ledger.submit({ kind: 'RecordDeposit', ...terms, id: timeOrderedId(), reference_id: timeOrderedId() });
  }
  const relay = new FactRelay(ledger.database, ledger.connection, new SealedCodec(Buffer.alloc(32, 6)), SHARD);
  relay.start();
  const positions = () =>
    new ListPublishedPositionsHandler(LedgerDatabases.only(ledger.database)).execute(new ListPublishedPositions());
  await eventually('all are published', async () => published.length === 241 && (await positions()).length === 1);
  await eventually('the checkpoint', async () => (await positions())[0]?.position === published.at(-1)?.position);
  await relay.stop();

  const read: LedgerFact[] = [];
  let pages = 0;
  for (let after = 0; ; pages += 1) {
    const request = Object.assign(new ReadFacts(), { shard: SHARD, after });
    const { facts, last } = await new ReadFactsHandler(LedgerDatabases.only(ledger.database)).execute(request);
    if (facts.length === 0) {
      expect(last).toBe(after);
      break;
    }
    read.push(...facts);
    after = last;
  }
  expect(read).toEqual(published);
  expect(pages).toBeGreaterThan(1);
}, 30_000);
