import { Network } from '@stablecoin/money/currency';
import { isOpen, placesNotLookedAt, StatedHolding } from './places-not-looked-at';

const BOOKED: Record<string, bigint> = { 'solana:USDC': 3n, 'trc20:USDT': -2n, 'erc20:USDT': 9n };
const places = (stated: StatedHolding[] = [], without: Network[] = []) =>
  placesNotLookedAt(
    ['erc20', 'bep20', 'polygon'],
    stated,
    new Set(without),
    (network, currency) => BOOKED[`${network}:${currency}`] ?? 0n,
  );
const openOnes = (...said: Parameters<typeof places>) =>
  places(...said)
    .filter(isOpen)
    .map(({ network, currency }) => `${network} ${currency}`);

it('are those through which something was booked; open where it is owed and where it is held is not stated', () => {
  expect(places().map(({ network, currency, booked }) => [network, currency, booked])).toEqual([
    ['solana', 'USDC', 3n],
    ['trc20', 'USDT', -2n],
  ]);
  expect(openOnes()).toEqual(['solana USDC']);
});

it.each<[string, StatedHolding[], Network[], string[]]>([
  ['a statement of it', [{ network: 'solana', currency: 'USDC', amount: 1n }], [], []],
  ['a statement that there is nothing', [{ network: 'solana', currency: 'USDC', amount: 0n }], [], []],
  ['a statement of another currency', [{ network: 'solana', currency: 'USDT', amount: 1n }], [], ['solana USDC']],
  ['that it is left out', [], ['solana'], []],
  ['that another one is left out', [], ['trc20'], ['solana USDC']],
])('closed by %s', (_, stated, without, open) => expect(openOnes(stated, without)).toEqual(open));
