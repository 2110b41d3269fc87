// How much may leave, as the signer's own settings say it. What is not named has a cap of zero.

import { EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import { TOKENS, type TokenCurrency } from '@stablecoin/chains/tokens';
import { toUnits } from '@stablecoin/chains/units';

export interface Cap {
  readonly perTransaction: bigint;
  /** Over 24 hours that roll on. */
  readonly perDay: bigint;
}

export type TokenName = `${EvmNetwork}:${TokenCurrency}`;

export interface SpendingCaps {
  /** In units of the token. */
  readonly payouts: ReadonlyMap<TokenName, Cap>;
  /** In wei of native coin, sent to deposit addresses. */
  readonly gas: ReadonlyMap<EvmNetwork, Cap>;
  /** In wei: what fees may come to at the most, the limit of gas times the fee per gas. */
  readonly fees: ReadonlyMap<EvmNetwork, Cap>;
  /** In wei. */
  readonly feePerGas: ReadonlyMap<EvmNetwork, bigint>;
}

/** Ether and its like have 18 decimals on every network; fees per gas are quoted in a billionth of it, gwei. */
const NATIVE_DECIMALS = 18;
const GWEI_DECIMALS = 9;

/** `erc20:USDT=10000/250000, …`: an amount per transaction, and one per 24 hours. */
export function readPayoutCaps(text: string): Map<TokenName, Cap> {
  return readEntries(text, 'erc20:USDT=10000/250000', (name, value) => {
    const token = TOKENS.find(({ network, currency }) => name === `${network}:${currency}`);
    return token && [tokenName(token.network, token.currency), capIn(value, token.decimals)];
  });
}

/** `erc20=0.01/0.5, …`: native coin per transaction, and per 24 hours. */
export function readNativeCaps(text: string): Map<EvmNetwork, Cap> {
  return readEntries(text, 'erc20=0.01/0.5', (name, value) => {
    const network = networkNamed(name);
    return network && [network, capIn(value, NATIVE_DECIMALS)];
  });
}

/** `erc20=200, …`: gwei per gas. */
export function readFeesPerGas(text: string): Map<EvmNetwork, bigint> {
  return readEntries(text, 'erc20=200', (name, value) => {
    const network = networkNamed(name);
    return network && [network, toUnits({ decimals: GWEI_DECIMALS }, value)];
  });
}

export const tokenName = (network: EvmNetwork, currency: TokenCurrency): TokenName => `${network}:${currency}`;

const networkNamed = (name: string): EvmNetwork | undefined => EVM_NETWORKS.find((network) => network === name);

/** @throws Error that says what was expected */
function readEntries<Name, Value>(
  text: string,
  example: string,
  read: (name: string, value: string) => [Name, Value] | undefined,
): Map<Name, Value> {
  const entries = new Map<Name, Value>();
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = /^\s*([\w:]+)=([\d./]+)\s*$/.exec(part) ?? [];
    const entry = orUndefined(() => read(name, value));
    if (entry === undefined || entries.has(entry[0]))
      throw new Error(`entries like ${example}, each once, separated by commas`);
    entries.set(...entry);
  }
  return entries;
}

function capIn(value: string, decimals: number): Cap {
  const [perTransaction = '', perDay = '', ...rest] = value.split('/');
  const cap = { perTransaction: toUnits({ decimals }, perTransaction), perDay: toUnits({ decimals }, perDay) };
  if (rest.length > 0 || cap.perTransaction > cap.perDay) throw new RangeError('A transaction is part of its day');
  return cap;
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
