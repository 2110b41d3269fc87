import { userInfo } from 'node:os';
import { Writable } from 'node:stream';
import { commandEnvironment } from '@stablecoin/local-stack/command-environment';
import { addLogCommand } from './acts/log-command';
import { addBackupCommands } from './backup/backup-commands';
import { addChainCommands } from './chain/chain-commands';
import { addCustomerCommands } from './customers/customer-commands';
import { addDocumentCommands } from './documents/document-commands';
import { addFactCommands } from './facts/facts-commands';
import { addMerchantCommands } from './merchants/merchant-commands';
import { addMigrateCommand } from './migrations/migrate-command';
import { addLinksCommand, addPeopleCommands } from './people/people-commands';
import { addPolicyCommands } from './policies/policy-commands';
import { addShardCommands } from './shards/shard-commands';
import { addScreeningCommands } from './screening/screening-commands';
import { addSolvencyCommands } from './solvency/solvency-commands';
import { createOperator, Operator } from './operator';
import { addSecretsCommand } from './secrets/secrets-command';

/** The operator's commands in a checkout: the local stack supplies the settings that the environment leaves out. */
export function checkoutOperator(env: NodeJS.ProcessEnv, stdout: Writable, stderr: Writable): Operator {
  let settings: Promise<NodeJS.ProcessEnv> | undefined;
  return createOperator({
    env,
    stdout,
    stderr,
    groups: [
      ...[addMerchantCommands, addCustomerCommands, addDocumentCommands, addFactCommands, addLogCommand],
      ...[
        addPolicyCommands,
        addScreeningCommands,
        addShardCommands,
        addChainCommands,
        addPeopleCommands,
        addLinksCommand,
        addSolvencyCommands,
      ],
      ...[addBackupCommands, addMigrateCommand, addSecretsCommand],
    ],
    localUser,
    settings: () => (settings ??= commandEnvironment(env)),
    typed,
  });
}

/** Its own script has the words of the area. */
const typed = (words: string): string =>
  `npm run ${words.startsWith('chain ') ? '' : 'operator -- '}${words.replace(/^chain /, 'chain -- ')}`;

/** Not every user of a machine has a name. */
function localUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
