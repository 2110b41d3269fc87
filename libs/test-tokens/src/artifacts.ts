// The tokens of local chains and tests, compiled. Their sources and what the compiler made of them stand in contracts/.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';

export const CONTRACTS_FOLDER = join(ROOT, 'libs', 'test-tokens', 'contracts');

export const CONTRACTS = [
  'PlainToken',
  'UsdtLikeToken',
  'UsdcLikeToken',
  'UnmovedToken',
  'ShortToken',
  'BatchSender',
] as const;
export type ContractName = (typeof CONTRACTS)[number];

/** None has a constructor that stores anything: the deployed code can be written to any address. */
export interface Artifact {
  abi: readonly object[];
  /** What stands at its address. */
  deployedCode: `0x${string}`;
}

export const artifactFile = (name: ContractName) => join(CONTRACTS_FOLDER, `${name}.json`);

const read = new Map<ContractName, Artifact>();

/** The committed artifact of a contract. */
export function artifactOf(name: ContractName): Artifact {
  const known = read.get(name) ?? (JSON.parse(readFileSync(artifactFile(name), 'utf8')) as Artifact);
  read.set(name, known);
  return known;
}
