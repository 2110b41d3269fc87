import { Writable } from 'node:stream';
import { addLogCommand } from './acts/log-command';
import { addChainCommands } from './chain/chain-commands';
import { addCustomerCommands } from './customers/customer-commands';
import { addDocumentCommands } from './documents/document-commands';
import { addFactCommands } from './facts/facts-commands';
import { addMerchantCommands } from './merchants/merchant-commands';
import { addPeopleCommands } from './people/people-commands';
import { addPolicyCommands } from './policies/policy-commands';
import { addShardCommands } from './shards/shard-commands';
import { addScreeningCommands } from './screening/screening-commands';
import { addSolvencyCommands } from './solvency/solvency-commands';
import { createOperator, Operator } from './operator';

/** Services of docker-compose.yml that offer only one area of commands, with the secrets for it. */
const OF_ONE_AREA: Readonly<Partial<Record<string, string>>> = {
  documents: 'compliance',
  facts: 'facts',
  shards: 'shards',
  chain: 'chain-operator',
};

/** The operator's commands where there are only images: on the databases, with the settings of the environment. */
export function deployedOperator(env: NodeJS.ProcessEnv, stdout: Writable, stderr: Writable): Operator {
  return createOperator({
    env,
    stdout,
    stderr,
    groups: [
      ...[addMerchantCommands, addCustomerCommands, addDocumentCommands, addFactCommands, addLogCommand],
      ...[addPolicyCommands, addScreeningCommands, addShardCommands],
      ...[addChainCommands, addPeopleCommands, addSolvencyCommands],
    ],
    // A container's user is no person.
    localUser: () => undefined,
    settings: () => Promise.resolve(env),
    typed,
  });
}

function typed(words: string): string {
  const [area = '', ...rest] = words.split(' ');
  const service = OF_ONE_AREA[area];
  return `docker compose run --rm ${service === undefined ? `operator ${words}` : [service, ...rest].join(' ')}`;
}
