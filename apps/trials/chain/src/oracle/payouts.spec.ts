import { tokenOf } from '@stablecoin/chains/tokens';
import { ChainRecord, type SeenTransfer } from './chain-record';
import { findingsOfHastyPayouts, findingsOfPayouts, type HeldPayout, type PayoutOutcome } from './payouts';

const network = 'erc20';
const HOT = '0xa';
const token = tokenOf(network, 'USDT')!.address.toLowerCase() as `0x${string}`;
const HELD: HeldPayout = { id: 'p', currency: 'USDT', amount: '0.00000500', units: 5n, payee: '0xb' };
const SENT: SeenTransfer = { transactionHash: '0x1', token, from: HOT, to: '0xb', units: 5n };
const BOOKED = { id: 'p', amount: '0.00000500', status: 'COMPLETED', crypto_transaction_id: '0x1' };
const COMPLETED: PayoutOutcome = {
  id: 'p',
  booked: BOOKED,
  process: 'completed',
  order: { state: 'completed', transaction_hash: '0x1' },
};
const FAILED: PayoutOutcome = {
  ...{ id: 'p', booked: { ...BOOKED, status: 'FAILED', crypto_transaction_id: null }, process: 'failed' },
  order: { state: 'failed', transaction_hash: null, failure: 'reverted' },
};

const findings = (outcome: PayoutOutcome, ...transfers: SeenTransfer[]) =>
  findingsOfPayouts({ network, hot: HOT, held: [HELD], outcomes: [outcome], transfers });

it('finds nothing where the payout was paid once', () => {
  expect(findings(COMPLETED, SENT, { ...SENT, from: '0xc', to: '0xd' })).toEqual([]);
});

it.each<[string, PayoutOutcome, SeenTransfer[], string]>([
  ['paid twice', COMPLETED, [SENT, { ...SENT, transactionHash: '0x2' }], 'paid 2 times: 0x1,0x2'],
  ['paid another amount', COMPLETED, [{ ...SENT, units: 6n }], 'paid otherwise than asked for: 0x1'],
  ['paid in another token', COMPLETED, [{ ...SENT, token: '0xfa' }], 'paid otherwise than asked for: 0x1'],
  ['completed and not paid', COMPLETED, [], 'COMPLETED, and not paid'],
  [
    'completed by another transaction',
    {
      ...COMPLETED,
      booked: { ...BOOKED, crypto_transaction_id: '0x2' },
      order: { state: 'completed', transaction_hash: '0x2' },
    },
    [SENT],
    'COMPLETED by 0x2, and paid by 0x1',
  ],
  [
    'completed without a transaction',
    {
      ...COMPLETED,
      booked: { ...BOOKED, crypto_transaction_id: null },
      order: { state: 'completed', transaction_hash: null },
    },
    [SENT],
    'COMPLETED by null, and paid by 0x1',
  ],
  ['failed', FAILED, [], 'FAILED (reverted)'],
  ['failed and paid', FAILED, [SENT], 'FAILED (reverted), and paid'],
  ['reversed', { ...COMPLETED, booked: { ...BOOKED, status: 'REVERSED' } }, [SENT], 'REVERSED, and paid'],
  [
    'without an end',
    {
      ...{ id: 'p', booked: { ...BOOKED, status: 'PENDING' }, process: 'submitted' },
      order: { state: 'waiting', transaction_hash: null, held_by: 'gas' },
    },
    [],
    'PENDING, submitted at the payout service, waiting at the chain service, held by gas: it has no end',
  ],
  [
    'never heard of by the services after the ledger',
    { id: 'p', booked: { ...BOOKED, status: 'PENDING' }, process: undefined, order: undefined },
    [],
    'PENDING, unknown at the payout service, unknown at the chain service, held by undefined: it has no end',
  ],
  [
    'forgotten by the ledger',
    { ...COMPLETED, booked: undefined },
    [SENT],
    'the ledger has accepted it, and does not have it',
  ],
  [
    'of another amount at the ledger',
    { ...COMPLETED, booked: { ...BOOKED, amount: '0.00000600' } },
    [SENT],
    'the ledger has 0.00000600 for 0.00000500',
  ],
  [
    'not over at the payout service',
    { ...COMPLETED, process: 'submitted' },
    [SENT],
    'COMPLETED, and submitted at the payout service',
  ],
  [
    'otherwise at the chain service',
    { ...COMPLETED, order: { state: 'sent', transaction_hash: '0x1' } },
    [SENT],
    'COMPLETED by 0x1, and sent by 0x1 at the chain service',
  ],
  [
    'of another transaction at the chain service',
    { ...COMPLETED, order: { state: 'completed', transaction_hash: '0x2' } },
    [SENT],
    'COMPLETED by 0x1, and completed by 0x2 at the chain service',
  ],
])('finds one that is %s', (_, outcome, transfers, finding) => {
  expect(findings(outcome, ...transfers)).toEqual([`payout p: ${finding}`]);
});

it('finds what was not ordered', () => {
  expect(findings(COMPLETED, SENT, { ...SENT, to: '0xd', transactionHash: '0x9' })).toEqual([
    'transaction 0x9 pays 0xd, which was not ordered',
  ]);
});

it('finds what has completed before it was final', () => {
  const record = new ChainRecord();
  record.take({ blocks: [{ number: 1, hash: '0x1', transfers: [SENT] }], final: 0 });
  const early = ['payout p: COMPLETED before it was final'];
  expect(findingsOfHastyPayouts([HELD], [BOOKED], record)).toEqual(early);
  expect(findingsOfHastyPayouts([HELD], [{ ...BOOKED, status: 'PENDING' }], record)).toEqual([]);
  record.take({ blocks: [{ number: 2, hash: '0x2', transfers: [] }], final: 1 });
  expect(findingsOfHastyPayouts([HELD], [BOOKED], record)).toEqual([]);
});
