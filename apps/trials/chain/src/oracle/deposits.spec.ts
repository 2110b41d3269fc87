import type { EvmNetwork } from '@stablecoin/chains/chains';
import { tokenOf } from '@stablecoin/chains/tokens';
import { ChainRecord, type SeenTransfer } from './chain-record';
import {
  type BookedDeposit,
  creditedTo,
  findingsOfDeposits,
  findingsOfHaste,
  findingsOfUnrecognised,
  type TrialWallet,
} from './deposits';

const network: EvmNetwork = 'erc20';
const tokenAddress = (currency: 'USDT' | 'USDC') => tokenOf(network, currency)!.address.toLowerCase() as `0x${string}`;
const WALLET: TrialWallet = { id: 'w', currency: 'USDT', address: '0xb' };
const PAID: SeenTransfer = {
  transactionHash: '0x1',
  token: tokenAddress('USDT'),
  from: '0xa',
  to: '0xb',
  units: 5_000_000n,
};
const BOOKED: BookedDeposit = {
  wallet_id: 'w',
  crypto_transaction_id: '0x1',
  amount: '5.00000000',
  status: 'COMPLETED',
};

/** A chain with these transfers in block 1. */
function recorded(transfers: readonly SeenTransfer[], { final = 1 } = {}): ChainRecord {
  const record = new ChainRecord();
  record.take({ blocks: [{ number: 1, hash: '0x1', transfers }], final });
  return record;
}

const judged = (record: ChainRecord, ...booked: BookedDeposit[]) =>
  ({
    ...{ network, wallets: [WALLET], booked, record },
    wereHidden: false,
  }) as const;
const findings = (record: ChainRecord, ...booked: BookedDeposit[]) => findingsOfDeposits(judged(record, ...booked));
const OF = '5.00000000 of 0x1 to wallet w';

it('finds nothing where each transfer is credited once', () => {
  expect(findings(recorded([PAID]), BOOKED)).toEqual([]);
  // Two that are alike, in one transaction.
  expect(findings(recorded([PAID, PAID]), BOOKED, BOOKED)).toEqual([]);
});

it.each([
  ['not credited', [PAID], [], `${OF}: 1 on the chain, credited 0 times`],
  ['credited twice', [PAID], [BOOKED, BOOKED], `${OF}: 1 on the chain, credited 2 times`],
  ['one of two that are alike', [PAID, PAID], [BOOKED], `${OF}: 2 on the chain, credited 1 times`],
  ['not there', [], [BOOKED], `${OF}: 0 on the chain, credited 1 times`],
  ['left PENDING', [], [{ ...BOOKED, status: 'PENDING' }], `${OF}: still PENDING`],
])('finds what is %s', (_, transfers, booked, finding) => {
  expect(findings(recorded(transfers), ...booked)).toEqual([finding]);
});

it('finds an amount that differs', () => {
  expect(findings(recorded([PAID]), { ...BOOKED, amount: '5.00000100' })).toHaveLength(2);
});

describe('of a transfer that was replaced', () => {
  /** It was in block 1, which was replaced when this was final. */
  function replaced(finalThen: number, again: readonly SeenTransfer[] = []): ChainRecord {
    const record = recorded([PAID], { final: finalThen });
    record.take({ blocks: [{ number: 1, hash: '0x1b', transfers: [] }], final: finalThen });
    record.take({ blocks: [{ number: 2, hash: '0x2', transfers: again }], final: 2 });
    return record;
  }
  const failed = { ...BOOKED, status: 'FAILED' };
  const reversed = { ...BOOKED, status: 'REVERSED' };

  it('finds nothing where it failed, and where it was reversed after it had been final', () => {
    expect(findings(replaced(0), failed)).toEqual([]);
    expect(findings(replaced(1), reversed)).toEqual([]);
  });

  it('finds one that was reversed, and therefore credited, without having been final', () => {
    expect(findings(replaced(0), reversed)).toEqual([`${OF}: REVERSED, so it was credited, and it was never final`]);
  });

  it('finds one that failed although it came again in time', () => {
    expect(findings(replaced(0, [PAID]), failed, BOOKED)).toEqual([
      `${OF}: FAILED, and it was never gone from the chain`,
    ]);
    expect(findingsOfDeposits({ ...judged(replaced(0, [PAID]), failed, BOOKED), wereHidden: true })).toEqual([]);
  });
});

it('finds what is credited before it is final', () => {
  expect(findingsOfHaste(judged(recorded([PAID], { final: 0 }), BOOKED))).toEqual([
    `${OF}: credited before it was final`,
  ]);
  expect(findingsOfHaste(judged(recorded([PAID]), BOOKED))).toEqual([]);
});

it('counts nothing as credited but listed tokens of the wallet’s currency', () => {
  const odd = [
    { ...PAID, token: tokenAddress('USDC'), units: 1n },
    { ...PAID, token: '0xfa' as const, units: 2n },
    { ...PAID, units: 0n },
    { ...PAID, to: '0xc' as const },
  ];
  const record = recorded([PAID, ...odd]);
  expect(creditedTo(judged(record)).get('w')?.toString()).toBe('5.00000000');
  expect(findings(record, BOOKED)).toEqual([]);
  expect(findingsOfUnrecognised(judged(record), ['0x1 1', '0x1 2'])).toEqual([]);
  expect(findingsOfUnrecognised(judged(record), ['0x1 2', '0x1 9'])).toEqual([
    'transfer 0x1 1 waits for no operator',
    'transfer 0x1 9 waits for an operator, and is not there',
  ]);
});
