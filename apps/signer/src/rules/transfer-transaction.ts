// A movement as the one transaction that carries it out, EIP-1559 only. Chain ids and token contracts come from libs/chains.

import { CHAINS, type EvmNetwork } from '@stablecoin/chains/chains';
import { ERC20 } from '@stablecoin/chains/erc20';
import { type TokenCurrency, tokenOf } from '@stablecoin/chains/tokens';
import type { TransactionSerializableEIP1559 } from 'viem';
import { encodeFunctionData, keccak256, serializeTransaction } from 'viem/utils';

export type Hex = `0x${string}`;

/** What a transaction moves: units of a token, or wei where there is no currency. */
export interface Transfer {
  readonly currency: TokenCurrency | null;
  readonly to: Hex;
  readonly amount: bigint;
}

export interface TransactionTerms {
  readonly network: EvmNetwork;
  readonly nonce: number;
  readonly gas: number;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly transfer: Transfer;
}

export interface Signature {
  readonly r: Hex;
  readonly s: Hex;
  readonly yParity: 0 | 1;
}

/** What is signed. */
export const digestOf = (terms: TransactionTerms): Hex => keccak256(serializeTransaction(transactionOf(terms)));

export function signedTransaction(terms: TransactionTerms, signature: Signature): { raw: Hex; hash: Hex } {
  const raw = serializeTransaction(transactionOf(terms), signature);
  return { raw, hash: keccak256(raw) };
}

function transactionOf({ transfer, network, ...terms }: TransactionTerms): TransactionSerializableEIP1559 {
  const { nonce, maxFeePerGas, maxPriorityFeePerGas } = terms;
  const { chainId } = CHAINS[network];
  const common = {
    type: 'eip1559',
    chainId,
    nonce,
    gas: BigInt(terms.gas),
    maxFeePerGas,
    maxPriorityFeePerGas,
  } as const;
  const { currency, to, amount } = transfer;
  if (currency === null) return { ...common, to, value: amount };
  const token = tokenOf(network, currency);
  if (token === undefined) throw new Error(`${currency} is no token of ${network}`);
  const data = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [to, amount] });
  return { ...common, to: token.address, value: 0n, data };
}
