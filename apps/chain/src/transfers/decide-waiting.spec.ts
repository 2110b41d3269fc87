import { Hex } from '@stablecoin/chain-node/chain-node';
import { decideWaiting, UnderWay, UNDER_WAY_MAX, WaitingDecision, WaitingSight } from './decide-waiting';
import { OutgoingTransfer } from './transfer';

const ADDRESS: Hex = `0x${'a'.repeat(40)}`;
const MARKET = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n };
const TRANSFER: OutgoingTransfer = {
  ...{ id: '1', reference: 'payout-1', network: 'erc20', kind: 'payout', from: { kind: 'hot' }, fromAddress: ADDRESS },
  ...{ toAddress: ADDRESS, currency: 'USDT', units: 5n, state: 'waiting', heldBy: null, failure: null, nonce: null },
  ...{ transactionHash: null, blockNumber: null, blockHash: null, feeWei: null, cancelledBy: null, retryAt: null },
  ...{ sentAt: null, createdAt: new Date(0), updatedAt: new Date(0) },
};
/** Enough for a fee of 65,000 gas at 10 wei. */
const FINE: WaitingSight = {
  ...{ tokens: 5n, coins: 650_000n, isPaused: false, isSenderBlacklisted: false, isRecipientBlacklisted: false },
  ...{ wouldRevert: false, gas: 50_000 },
};
const NOTHING: UnderWay = { count: 0, tokens: {}, coins: 0n };
const REVERTS = { ...FINE, wouldRevert: true, gas: undefined };
const BLACKLISTED = { ...FINE, isRecipientBlacklisted: true, gas: undefined };

const decide = (
  sights: readonly (WaitingSight | undefined)[],
  underWay: Partial<UnderWay> = {},
  transfer: Partial<OutgoingTransfer> = {},
) => decideWaiting({ ...TRANSFER, ...transfer }, sights, { ...NOTHING, ...underWay }, MARKET);

const textOf = (decision: WaitingDecision) =>
  [decision.do, 'by' in decision ? decision.by : 'failure' in decision ? decision.failure : ''].join(' ').trim();

it.each<[string, string, readonly (WaitingSight | undefined)[], Partial<UnderWay>?]>([
  ['enough of everything', 'send', [FINE]],
  ['enough of everything, by one node while the other one is silent', 'send', [FINE, undefined]],
  ['too many under way', 'hold turn', [FINE], { count: UNDER_WAY_MAX }],
  ['no node that answers', 'hold nodes', [undefined, undefined]],
  ['a token that is paused', 'hold token_paused', [{ ...FINE, isPaused: true }]],
  ['a token that is paused, by one node', 'hold token_paused', [FINE, { ...FINE, isPaused: true }]],
  ['our own address on the blacklist', 'hold token_paused', [{ ...FINE, isSenderBlacklisted: true }]],
  ['a payee on the blacklist, while the token is paused', 'hold token_paused', [{ ...BLACKLISTED, isPaused: true }]],
  ['a payee on the blacklist', 'fail recipient_blacklisted', [BLACKLISTED]],
  ['a payee on the blacklist, by both nodes', 'fail recipient_blacklisted', [BLACKLISTED, BLACKLISTED]],
  ['a payee on the blacklist, by one of two nodes', 'hold nodes', [BLACKLISTED, FINE]],
  ['a payee on the blacklist, while a node is silent', 'hold nodes', [BLACKLISTED, undefined]],
  ['a unit too few', 'hold liquidity', [{ ...FINE, tokens: 4n }]],
  ['a unit too few, by one node', 'hold liquidity', [FINE, { ...FINE, tokens: 4n }]],
  ['a unit too few, less what is under way', 'hold liquidity', [FINE], { tokens: { USDT: 1n } }],
  ['enough, while another token is under way', 'send', [FINE], { tokens: { USDC: 100n } }],
  ['a transfer that would revert', 'fail would_revert', [REVERTS]],
  ['a transfer that would revert, by both nodes', 'fail would_revert', [REVERTS, REVERTS]],
  ['a transfer that would revert, by one of two nodes', 'hold nodes', [FINE, REVERTS]],
  ['a transfer that would revert, while a node is silent', 'hold nodes', [REVERTS, undefined]],
  ['more gas than the signer ever signs', 'hold nodes', [{ ...FINE, coins: 10n ** 18n, gas: 800_000 }]],
  ['less gas than any transaction takes', 'hold nodes', [{ ...FINE, gas: 16_000 }]],
  ['a wei too little for the fee', 'hold gas', [{ ...FINE, coins: 649_999n }]],
  ['a wei too little for the fee, less what is under way', 'hold gas', [FINE], { coins: 1n }],
])('%s: %s', (_, expected, sights, underWay = {}) => expect(textOf(decide(sights, underWay))).toBe(expected));

it('takes the larger of two estimates, and room for a change of state', () =>
  expect(decide([FINE, { ...FINE, coins: 10n ** 9n, gas: 60_000 }, undefined].slice(1))).toMatchObject({
    ...{ do: 'send', gas: 78_000, fees: MARKET },
  }));

it('is held while no node names fees', () =>
  expect(decideWaiting(TRANSFER, [FINE], NOTHING, undefined)).toEqual({ do: 'hold', by: 'nodes' }));

describe('coins', () => {
  const GAS = { kind: 'gas', currency: null, units: 100n } as const;
  const COINS = { ...FINE, tokens: 0n, gas: 21_000 };
  it.each([
    ['their own amount and the fee', 210_100n, { do: 'send', gas: 21_000, fees: MARKET }],
    ['a wei less', 210_099n, { do: 'hold', by: 'gas' }],
  ])('take %s', (_, coins, expected) => expect(decide([{ ...COINS, coins }], {}, GAS)).toEqual(expected));
});
