/**
 * The name of a chain's deposit, from which the ids of its commands are derived (docs/adr/0037): one of a transfer that comes again is
 * another one, and so is one that an operator credits. With its name stated, the ledger sees that a deposit's command has an id of its own,
 * and not that of a command to come, by which that one would be refused (docs/adr/0085).
 */
import { CHAINS, EVM_NETWORKS } from '@stablecoin/chains/chains';
import { TOKENS } from '@stablecoin/chains/tokens';
import type { DepositEvidence } from './evidence';

export type DepositStep = 'record' | 'confirm' | 'fail' | 'reverse';

/** What the id of a command is derived from. @param name of the deposit */
export const depositCommandName = (step: DepositStep, name: string): string => `${step}-${name}`;

/** Chain, transaction, token, place and round, and the decisions by which operators credited it. */
const NAME = /^deposit:\d+:([^:]+):0x[0-9a-f]{40}:(\d+):\d+(:[0-9a-f-]{36})*$/;

/** A further round takes the replacement of a block that was final. */
const UNSTATED_ROUNDS = 16;

type Transfer = Pick<DepositEvidence, 'network' | 'crypto_transaction_id' | 'ordinal' | 'deposit_name'>;

/** The names that a deposit can have by what is stated of it: none, if what is stated is the name of another. */
export function depositNames(stated: Transfer): string[] {
  const { deposit_name: name } = stated;
  if (name === undefined) return unstatedNames(stated);
  const [, transaction, ordinal] = (typeof name === 'string' && NAME.exec(name)) || [];
  return transaction === stated.crypto_transaction_id && ordinal === String(stated.ordinal) ? [name] : [];
}

/** A chain service of a version before states no name. One that an operator credited waits for a service of this version. */
function unstatedNames({ network, crypto_transaction_id: transaction, ordinal }: Transfer): string[] {
  const chain = EVM_NETWORKS.find((one) => one === network);
  if (!chain) return [];
  return TOKENS.filter((token) => token.network === chain).flatMap(({ address }) =>
    Array.from({ length: UNSTATED_ROUNDS }, (_, round) =>
      ['deposit', CHAINS[chain].chainId, transaction, address.toLowerCase(), ordinal, round].join(':'),
    ),
  );
}
