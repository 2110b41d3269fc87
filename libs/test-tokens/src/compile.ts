import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import solc from 'solc';
import { type Artifact, type ContractName, CONTRACTS, CONTRACTS_FOLDER } from './artifacts';

const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  // The oldest that the three chains' current rules and the compiler agree on.
  evmVersion: 'paris',
  // Without the hash of the sources: a changed comment doesn't change the code.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
};

/** solc comes without types. */
interface Compiler {
  compile(input: string, callbacks: { import: typeof importOf }): string;
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { abi: object[]; evm: { deployedBytecode: { object: string } } }>>;
}

/**
 * Compiles all of contracts/.
 * @throws Error with the compiler's own words, at a warning too
 */
export function compiledArtifacts(): Record<ContractName, Artifact> {
  const files = readdirSync(CONTRACTS_FOLDER).filter((file) => file.endsWith('.sol'));
  const sources = Object.fromEntries(files.map((file) => [file, { content: sourceOf(join(CONTRACTS_FOLDER, file)) }]));
  const input = { language: 'Solidity', sources, settings: SETTINGS };
  const answer = (solc as Compiler).compile(JSON.stringify(input), { import: importOf });
  const { errors = [], contracts = {} } = JSON.parse(answer) as Output;
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const byName = Object.assign({}, ...Object.values(contracts)) as NonNullable<Output['contracts']>[string];
  const artifacts = CONTRACTS.map((name): [ContractName, Artifact] => {
    const compiled = byName[name];
    if (compiled === undefined) throw new Error(`contracts/ has no contract ${name}`);
    return [name, { abi: compiled.abi, deployedCode: `0x${compiled.evm.deployedBytecode.object}` }];
  });
  return Object.fromEntries(artifacts) as Record<ContractName, Artifact>;
}

const sourceOf = (path: string) => readFileSync(path, 'utf8');

function importOf(path: string): { contents: string } | { error: string } {
  if (!path.startsWith('@openzeppelin/contracts/')) return { error: `${path} is neither ours nor OpenZeppelin's` };
  return { contents: sourceOf(join(ROOT, 'node_modules', path)) };
}
