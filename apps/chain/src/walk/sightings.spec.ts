import { Hex } from '@stablecoin/chain-node/chain-node';
import { tokenOf } from '@stablecoin/chains/tokens';
import { TransferLog } from '../nodes/transfer-logs';
import { addressOf, hashOf } from '../testing/simulated-chain';
import { parseFinality } from './finality';
import { UNLISTED_MAX } from './limits';
import { sightingsIn, transfersOf } from './sightings';

const USDT = tokenOf('erc20', 'USDT')!.address.toLowerCase() as Hex;
const USDC = tokenOf('erc20', 'USDC')!.address.toLowerCase() as Hex;
const USDT_OF_BNB = tokenOf('bep20', 'USDT')!.address.toLowerCase() as Hex;
const OURS = addressOf('ours');
const owner = { walletId: 'w', merchantId: 'm', shard: 3, currency: 'USDT', networks: ['erc20', 'bep20'] };
const log = (over: Partial<TransferLog> = {}): TransferLog => ({
  token: USDT,
  transactionHash: hashOf('transaction'),
  logIndex: 0,
  from: addressOf('somebody'),
  to: OURS,
  units: 5_000_000n,
  blockNumber: 7,
  blockHash: hashOf('block'),
  ...over,
});
const seen = (logs: TransferLog[], over: object = {}, network: 'erc20' | 'bep20' | 'polygon' = 'erc20') =>
  sightingsIn({ network, finality: parseFinality('12') }, logs, new Map([[OURS, { ...owner, ...over }]]));

it('sees a transfer to one of our addresses, through whichever contract it was sent', () => {
  expect(seen([log({ to: addressOf('another') }), log({ logIndex: 1 })])).toEqual([
    {
      transfer: expect.objectContaining({ to: OURS, units: 5_000_000n, ordinal: 1 }),
      credit: {
        ...{ walletId: 'w', merchantId: 'm', shard: 3, currency: 'USDT', amount: '5.00000000' },
        ...{ restUnits: 0n, confirmationsRequired: 12, unrecognisedReason: null },
      },
    },
  ]);
});

it('counts ordinals within transaction and token, in the order of the block', () => {
  const other = hashOf('other');
  const logs = [
    log({ logIndex: 9 }),
    log({ logIndex: 4, token: USDC }),
    log({ logIndex: 3 }),
    log({ logIndex: 5, transactionHash: other }),
  ];
  const named = transfersOf(logs).map(({ transactionHash, token, ordinal }) => [transactionHash, token, ordinal]);
  expect(named).toEqual([
    [hashOf('transaction'), USDT, 0],
    [hashOf('transaction'), USDC, 0],
    [other, USDT, 0],
    [hashOf('transaction'), USDT, 1],
  ]);
});

it('passes over transfers of nothing', () => {
  expect(seen([log({ units: 0n }), log({ units: 0n, token: addressOf('worthless') })])).toEqual([]);
});

it('takes a contract that is on no list for no money, whatever it calls itself', () => {
  const [sighting] = seen([log({ token: addressOf('worthless') })]);
  expect(sighting?.credit).toMatchObject({ currency: null, amount: null, unrecognisedReason: 'unknown_token' });
});

it('keeps a bounded number of transfers of unlisted contracts of a block, and every one of a listed token', () => {
  const worthless = Array.from({ length: 100 }, (_, logIndex) =>
    log({ token: addressOf(`${logIndex % 7}`), logIndex }),
  );
  const listed = Array.from({ length: 100 }, (_, index) => log({ logIndex: 100 + index }));
  const found = seen([...worthless, ...listed]);
  expect(found.filter(({ credit }) => credit.currency === null)).toHaveLength(UNLISTED_MAX);
  expect(found.filter(({ credit }) => credit.currency === 'USDT')).toHaveLength(100);
});

it('keeps what is finer than the ledger apart', () => {
  const units = 1_234_567_890_123_456_789n;
  const [sighting] = seen([log({ token: USDT_OF_BNB, units })], {}, 'bep20');
  expect(sighting?.credit).toMatchObject({ amount: '1.23456700', restUnits: 890_123_456_789n });
});

it.each([
  ['another currency’s address', [log({ token: USDC })], {}, 'erc20', 'wrong_currency'],
  ['a network without an address', [log()], { networks: ['bep20'] }, 'erc20', 'network_without_address'],
  ['less than the smallest unit', [log({ token: USDT_OF_BNB, units: 999n })], {}, 'bep20', 'below_smallest_unit'],
] as const)('credits nothing at %s by itself', (_what, logs, over, network, reason) => {
  expect(seen([...logs], over, network).map(({ credit }) => credit.unrecognisedReason)).toEqual([reason]);
});
