import { tokenOf } from '@stablecoin/chains/tokens';
import type { SeenTransfer } from './chain-record';
import { findingsOfPayouts, type OrderedPayout, type PayoutOutcome } from './payouts';

const network = 'erc20';
const HOT = '0xa';
const token = tokenOf(network, 'USDT')!.address.toLowerCase() as `0x${string}`;
const ORDERED: OrderedPayout = { reference: 'p', currency: 'USDT', units: 5n, payee: '0xb' };
const SENT: SeenTransfer = { transactionHash: '0x1', token, from: HOT, to: '0xb', units: 5n };
const COMPLETED: PayoutOutcome = { reference: 'p', state: 'completed', transaction_hash: '0x1' };

const findings = (outcome: PayoutOutcome, ...transfers: SeenTransfer[]) =>
  findingsOfPayouts({ network, hot: HOT, ordered: [ORDERED], outcomes: [outcome], transfers });

it('finds nothing where the payout was paid once', () => {
  expect(findings(COMPLETED, SENT, { ...SENT, from: '0xc', to: '0xd' })).toEqual([]);
});

it.each<[string, PayoutOutcome, SeenTransfer[], string]>([
  ['paid twice', COMPLETED, [SENT, { ...SENT, transactionHash: '0x2' }], 'payout p: paid 2 times: 0x1,0x2'],
  ['paid another amount', COMPLETED, [{ ...SENT, units: 6n }], 'payout p: paid otherwise than ordered: 0x1'],
  ['paid in another token', COMPLETED, [{ ...SENT, token: '0xfa' }], 'payout p: paid otherwise than ordered: 0x1'],
  ['completed and not paid', COMPLETED, [], 'payout p: completed, and not paid'],
  [
    'completed by another transaction',
    { ...COMPLETED, transaction_hash: '0x2' },
    [SENT],
    'payout p: completed by 0x2, and paid by 0x1',
  ],
  [
    'failed and paid',
    { ...COMPLETED, state: 'failed', failure: 'reverted' },
    [SENT],
    'payout p: failed (reverted), and paid',
  ],
  [
    'without an end',
    { ...COMPLETED, state: 'waiting', held_by: 'gas' },
    [],
    'payout p: waiting, held by gas: it has no end',
  ],
])('finds one that is %s', (_, outcome, transfers, finding) => {
  expect(findings(outcome, ...transfers)).toEqual([finding]);
});

it('finds what was not ordered', () => {
  expect(findings(COMPLETED, SENT, { ...SENT, to: '0xd', transactionHash: '0x9' })).toEqual([
    'transaction 0x9 pays 0xd, which was not ordered',
  ]);
});
