import { Agreement } from '@stablecoin/chain-node/agreement';
import { Hex, Receipt, ReceiptLog } from '@stablecoin/chain-node/chain-node';
import { topicOf, TRANSFER_TOPIC } from '@stablecoin/chains/erc20';
import { tokenOf } from '@stablecoin/chains/tokens';
import { toHex } from 'viem/utils';
import { SignedAttempt, TransferAttempt } from './attempt';
import { decideSent, SentDecision, SightOfSent } from './decide-sent';
import { OutgoingTransfer } from './transfer';

const NOW = 1_800_000_000_000;
const REPLACE_AFTER_MS = 60_000;
const FROM: Hex = `0x${'a'.repeat(40)}`;
const TO: Hex = `0x${'b'.repeat(40)}`;
const BLOCK: Hex = `0x${'1'.repeat(64)}`;
const GWEI = 10n ** 9n;
const MARKET = { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: GWEI };

const TRANSFER: OutgoingTransfer = {
  ...{ id: '1', reference: 'payout-1', network: 'erc20', kind: 'payout', from: { kind: 'hot' }, fromAddress: FROM },
  ...{ toAddress: TO, currency: 'USDT', units: 5n, state: 'sent', heldBy: null, failure: null, nonce: 7 },
  ...{ transactionHash: null, blockNumber: null, blockHash: null, feeWei: null, cancelledBy: null, retryAt: null },
  ...{ sentAt: new Date(NOW), createdAt: new Date(NOW), updatedAt: new Date(NOW) },
};

const attempt = (number: number, more: Partial<TransferAttempt> = {}): SignedAttempt => ({
  ...{ number, cancels: false, gas: 60_000, maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: 2n * GWEI, refused: null },
  ...{ createdAt: new Date(NOW - 1_000), broadcastAt: new Date(NOW - 1_000) },
  ...more,
  ...{ raw: toHex(number), hash: toHex(number, { size: 32 }) },
});
const undecided = (number: number): TransferAttempt => ({
  ...attempt(number),
  raw: null,
  hash: null,
  broadcastAt: null,
});

const log = (more: Partial<Record<'token' | 'from' | 'to', Hex>> = {}, units = 5n): ReceiptLog => ({
  address: (more.token ?? tokenOf('erc20', 'USDT')?.address.toLowerCase() ?? '0x') as Hex,
  topics: [TRANSFER_TOPIC, topicOf(more.from ?? FROM), topicOf(more.to ?? TO)],
  data: toHex(units, { size: 32 }),
  ...{ blockHash: BLOCK, blockNumber: 100, transactionHash: BLOCK, logIndex: 3, ordinal: 0 },
});

const receipt = (more: Partial<Receipt> = {}): Receipt => ({
  ...{ transactionHash: BLOCK, blockHash: BLOCK, blockNumber: 100, succeeded: true, gasUsed: 50_000n },
  ...{ effectiveGasPrice: GWEI, logs: [log()] },
  ...more,
});
const agreed = (value: Receipt): Agreement<Receipt> => ({ state: 'agreed', value });

const SIGHT: SightOfSent = {
  ...{
    nodes: [
      { mined: 7, hasNewest: true },
      { mined: 7, hasNewest: true },
    ],
    receipts: [],
  },
  ...{ finalHeight: 90, minedFinally: undefined, market: MARKET },
};
const mined = (of: SignedAttempt, value = receipt(), more: Partial<SightOfSent> = {}): SightOfSent => ({
  ...{ nodes: [{ mined: 8 }, { mined: 8 }], receipts: [{ attempt: of, agreement: agreed(value), isCanonical: true }] },
  ...{ finalHeight: 100, minedFinally: undefined, market: undefined },
  ...more,
});

const decide = (
  attempts: readonly TransferAttempt[],
  sight: Partial<SightOfSent> = {},
  transfer: Partial<OutgoingTransfer> = {},
) =>
  decideSent(
    { ...TRANSFER, ...transfer },
    attempts,
    { ...SIGHT, ...sight },
    { now: NOW, replaceAfterMs: REPLACE_AFTER_MS },
  );

const FIRST = attempt(1);
const SECOND = attempt(2, { maxFeePerGas: 12n * GWEI });
const CANCEL = attempt(2, { cancels: true });
const OLD = attempt(1, { broadcastAt: new Date(NOW - REPLACE_AFTER_MS) });
const CANCELLED = { cancelledBy: 'ada' };

describe('one that is in a block', () => {
  it.each<[string, SentDecision['do'], string | null | undefined, SightOfSent, Partial<OutgoingTransfer>?]>([
    ['final, as ordered', 'finish', null, mined(FIRST)],
    ['final, and cancelled too late', 'finish', null, mined(FIRST), CANCELLED],
    ['final, and reverted', 'finish', 'reverted', mined(FIRST, receipt({ succeeded: false, logs: [] }))],
    ['final, its cancellation', 'finish', 'cancelled', mined(CANCEL, receipt({ logs: [] }))],
    [
      'final, its cancellation, reverted',
      'finish',
      'cancelled',
      mined(CANCEL, receipt({ succeeded: false, logs: [] })),
    ],
    ['final, of coins', 'finish', null, mined(FIRST, receipt({ logs: [] })), { currency: null, kind: 'gas' }],
    ['one block after the final one', 'stand', undefined, mined(FIRST, receipt(), { finalHeight: 99 })],
    ['while no height is final', 'stand', undefined, mined(FIRST, receipt(), { finalHeight: undefined })],
    [
      'final by its height, and of another branch at a node',
      ...(['stand', undefined] as const),
      mined(FIRST, receipt(), { receipts: [{ attempt: FIRST, agreement: agreed(receipt()), isCanonical: false }] }),
    ],
    ['final, with no log', 'hold', undefined, mined(FIRST, receipt({ logs: [] }))],
    ['final, of fewer units', 'hold', undefined, mined(FIRST, receipt({ logs: [log({}, 4n)] }))],
    ['final, to somebody else', 'hold', undefined, mined(FIRST, receipt({ logs: [log({ to: FROM })] }))],
    ['final, from somebody else', 'hold', undefined, mined(FIRST, receipt({ logs: [log({ from: TO })] }))],
    ['final, of another token', 'hold', undefined, mined(FIRST, receipt({ logs: [log({ token: TO })] }))],
    ['final, among other logs', 'finish', null, mined(FIRST, receipt({ logs: [log({ to: FROM }, 1n), log()] }))],
  ])('%s: %s', (_, expected, failure, sight, transfer = {}) => {
    const decision = decide([FIRST, SECOND, CANCEL], sight, transfer);
    expect([decision.do, 'failure' in decision ? decision.failure : undefined]).toEqual([expected, failure]);
  });

  it('ends by the one that was mined, whichever that is', () => {
    expect(decide([FIRST, SECOND], mined(FIRST))).toMatchObject({ do: 'finish', attempt: { number: 1 } });
    expect(decide([FIRST, SECOND], mined(SECOND))).toMatchObject({ do: 'finish', attempt: { number: 2 } });
  });

  it('does not end while nodes say different things of it, also where another attempt is agreed on', () => {
    const disagreed = { attempt: SECOND, agreement: { state: 'disagreed', reason: 'no' } as const, isCanonical: false };
    expect(decide([FIRST, SECOND], { receipts: [...mined(FIRST).receipts, disagreed] })).toEqual({
      ...{ do: 'doubt', reason: 'no' },
    });
  });

  it('stands by what the others say while a node is silent, and does not end', () => {
    const agreement = { state: 'incomplete', missingOn: ['b'], value: receipt() } as const;
    const receipts = [{ attempt: FIRST, agreement, isCanonical: false }];
    const sight = { nodes: [{ mined: 8 }, undefined], receipts, finalHeight: undefined };
    expect(decide([FIRST], sight)).toMatchObject({ do: 'stand', attempt: { number: 1 } });
    const behind = { ...sight, nodes: [{ mined: 8 }, { mined: 7, hasNewest: true }] };
    expect(decide([FIRST], behind)).toEqual({ do: 'wait', isMined: true });
  });

  it('waits while a node does not have it yet, and gives that node the bytes where it has not even these', () => {
    const incomplete = {
      attempt: FIRST,
      agreement: { state: 'incomplete', missingOn: ['b'] } as const,
      isCanonical: false,
    };
    const sight = { nodes: [{ mined: 8 }, { mined: 7, hasNewest: true }], receipts: [incomplete], finalHeight: 200 };
    expect(decide([FIRST], sight)).toEqual({ do: 'wait', isMined: true });
    const lacking = { ...sight, nodes: [{ mined: 8 }, { mined: 7, hasNewest: false }] };
    expect(decide([FIRST], lacking)).toMatchObject({ do: 'broadcast' });
  });
});

describe('one that is in no block', () => {
  const missing = {
    nodes: [
      { mined: 7, hasNewest: false },
      { mined: 7, hasNewest: true },
    ],
  };
  it.each<[string, SentDecision['do'], readonly TransferAttempt[], Partial<SightOfSent>?, Partial<OutgoingTransfer>?]>([
    ['in the pools', 'wait', [FIRST]],
    ['never taken for sure', 'broadcast', [attempt(1, { broadcastAt: null })]],
    ['never taken for sure, long ago', 'broadcast', [attempt(1, { broadcastAt: null, createdAt: new Date(0) })]],
    ['lost by a node', 'broadcast', [FIRST], missing],
    ['in a block that is replaced', 'broadcast', [OLD], {}, { blockNumber: 99 }],
    ['long in the pools', 'sign', [OLD]],
    ['long in the pools, and lost by one', 'sign', [OLD], missing],
    ['long in the pools, behind another one', 'wait', [OLD], { nodes: [{ mined: 6, hasNewest: true }] }],
    ['long in the pools, while no node names fees', 'wait', [OLD], { market: undefined }],
    ['long in the pools, while no node answers', 'wait', [OLD], { nodes: [undefined, undefined] }],
    ['long in the pools, refused lately', 'wait', [OLD], {}, { retryAt: new Date(NOW + 1) }],
    ['long in the pools, refused a while ago', 'sign', [OLD], {}, { retryAt: new Date(NOW) }],
    ['long in the pools, with another that may be signed', 'wait', [OLD, undecided(2)]],
    ['to be cancelled', 'sign', [FIRST], {}, CANCELLED],
    ['to be cancelled, behind another one', 'sign', [FIRST], { nodes: [{ mined: 3, hasNewest: true }] }, CANCELLED],
    ['to be cancelled, with a cancellation in the pools', 'wait', [FIRST, CANCEL], {}, CANCELLED],
    ['to be cancelled, with one that may be signed', 'wait', [FIRST, undecided(2)], {}, CANCELLED],
    ['to be cancelled, refused lately', 'wait', [FIRST], {}, { ...CANCELLED, retryAt: new Date(NOW + 1) }],
  ])('%s: %s', (_, expected, attempts, sight = {}, transfer = {}) => {
    expect(decide(attempts, sight, transfer).do).toBe(expected);
  });

  it('is replaced by an eighth more than before, and by the market where that asks for more', () => {
    expect(decide([OLD])).toMatchObject({
      ...{ do: 'sign', cancels: false },
      fees: { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 2_250_000_001n },
    });
    const quiet = { market: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } };
    expect(decide([OLD], quiet)).toMatchObject({ fees: { maxFeePerGas: 11_250_000_001n } });
  });

  it('keeps being cancelled: a cancellation that is stuck is replaced by another one', () => {
    const stuck = attempt(2, { cancels: true, broadcastAt: new Date(NOW - REPLACE_AFTER_MS) });
    expect(decide([FIRST, stuck], {}, CANCELLED)).toMatchObject({ do: 'sign', cancels: true });
  });
});

describe('one whose nonce is used up', () => {
  const usedUp = { nodes: [{ mined: 8 }, { mined: 8 }] };
  it.each<[string, SentDecision, Partial<SightOfSent>, Partial<OutgoingTransfer>?]>([
    ['not finally', { do: 'wait', isMined: true }, { ...usedUp, minedFinally: 7 }],
    ['while it is not known how far', { do: 'wait', isMined: true }, usedUp],
    ['finally', { do: 'give-up', cancelled: false }, { ...usedUp, minedFinally: 8 }],
    ['finally, and it was cancelled', { do: 'give-up', cancelled: true }, { ...usedUp, minedFinally: 8 }, CANCELLED],
  ])('%s', (_, expected, sight, transfer = {}) => expect(decide([FIRST], sight, transfer)).toEqual(expected));

  it('by the word of one node alone, or while another one is silent: it goes on', () => {
    const one = { nodes: [{ mined: 8 }, { mined: 7, hasNewest: true }], minedFinally: 8 };
    expect(decide([FIRST], one).do).toBe('wait');
    expect(decide([FIRST], { nodes: [{ mined: 8 }, undefined], minedFinally: 8 }).do).toBe('wait');
  });
});
