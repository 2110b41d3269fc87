// login, logout, whoami, profiles: the keys of this user. A key is shown by its first and last letters only.

import type { Command } from 'commander';
import { StablecoinApiError } from 'stablecoin-sdk';
import { UsageError } from '../failures';
import { table, fieldLines } from '../output/table';
import { outJson, Terminal } from '../output/terminal';
import { configurationFile, DEFAULT_PROFILE, readConfiguration, writeConfiguration } from './configuration-file';
import { clientOf, Connection, connectionOf, DEFAULT_BASE_URL, maskedKey, ownProfile } from './connection';
import { readSecret } from './read-secret';

const KEY = /^[\x21-\x7e]{16,255}$/;
const PROFILE_NAME = /^[\w.-]{1,64}$/;

export function addProfileCommands(program: Command, terminal: Terminal): void {
  program
    .command('login')
    .summary('Check an API key and keep it')
    .description(
      'Checks an API key by a call and keeps it in your configuration, which only you may read. The key is asked for, or read ' +
        'from stdin. npm start of the service prints the key of its sandbox.',
    )
    .option(
      '--api-key <key>',
      'the key; other users of this machine can see it, and your shell remembers it: better stdin',
    )
    .option('--base-url <url>', 'where the service is, with its path', terminal.env['STABLECOIN_BASE_URL'])
    .option('--profile <name>', 'the name to keep it under', DEFAULT_PROFILE)
    .addHelpText('after', '\nExample:\n  stablecoin login --base-url https://stablecoin.example/api < key-file')
    .action((options: LoginOptions) => logIn(terminal, options));
  program
    .command('logout')
    .summary('Forget a key')
    .description(
      'Deletes a key from your configuration. The key itself goes on working: ask the operator to revoke it.',
    )
    .option('--profile <name>', 'which; the current one unless given')
    .addHelpText('after', '\nExample:\n  stablecoin logout --profile staging')
    .action(({ profile }: { profile?: string }) => logOut(terminal, profile));
  program
    .command('whoami')
    .summary('Show which key is used, and whether it works')
    .option('--profile <name>', 'another profile than the current one')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  stablecoin whoami')
    .action((options: { profile?: string; json?: true }) => whoAmI(terminal, options));
  const profiles = program.command('profiles').summary('The keys that are kept');
  profiles
    .command('list')
    .summary('List them')
    .option('--json', 'one JSON array')
    .addHelpText('after', '\nExample:\n  stablecoin profiles list')
    .action(({ json }: { json?: true }) => listProfiles(terminal, json === true));
  profiles
    .command('use <name>')
    .summary('Make one the current one')
    .addHelpText('after', '\nExample:\n  stablecoin profiles use staging')
    .action((name: string) => useProfile(terminal, name));
}

interface LoginOptions {
  apiKey?: string;
  baseUrl?: string;
  profile: string;
}

async function logIn(terminal: Terminal, { apiKey, baseUrl = DEFAULT_BASE_URL, profile }: LoginOptions): Promise<void> {
  if (!PROFILE_NAME.test(profile)) throw new UsageError('A profile has a name of letters, digits, ".", "_" and "-".');
  // Before the key is asked for: a file that can't be used is said first.
  const configuration = readConfiguration(terminal.env);
  if (apiKey !== undefined) {
    terminal.note('Warning: a key in a command can be seen by other users, and stays in the history of your shell.');
  }
  const key = apiKey ?? (await readSecret(terminal, 'API key (it is not shown):'));
  if (!KEY.test(key)) throw new UsageError('That is no API key: it is one word, such as sk_test_…');
  const connection: Connection = { profile, apiKey: key, baseUrl };
  warnOfPlainHttp(terminal, baseUrl);
  await checkKey(connection);
  const profiles = { ...configuration.profiles, [profile]: { api_key: key, base_url: baseUrl } };
  writeConfiguration(terminal.env, { ...configuration, current: profile, profiles });
  terminal.note(`Logged in to ${baseUrl} with ${maskedKey(key)}, as the profile ${profile}.`);
  terminal.note(`The key is in ${configurationFile(terminal.env)}`);
}

function warnOfPlainHttp({ note }: Terminal, baseUrl: string): void {
  if (!URL.canParse(baseUrl)) return;
  const { protocol, hostname } = new URL(baseUrl);
  const isThisMachine = /^(127\.[\d.]+|localhost|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isThisMachine) note('Warning: without https the key can be read on its way.');
}

/** A key without the scope `read` is a key as well. */
async function checkKey(connection: Connection): Promise<void> {
  try {
    await clientOf(connection).assets.list();
  } catch (error) {
    if (error instanceof StablecoinApiError && error.status === 403) return;
    throw error;
  }
}

function logOut(terminal: Terminal, named: string | undefined): void {
  const configuration = readConfiguration(terminal.env);
  const name = named ?? configuration.current;
  if (ownProfile(configuration, name) === undefined) throw new UsageError(`There is no profile ${name}.`);
  const { [name]: _forgotten, ...profiles } = configuration.profiles;
  const [first = DEFAULT_PROFILE] = Object.keys(profiles);
  const current = name === configuration.current ? first : configuration.current;
  writeConfiguration(terminal.env, { ...configuration, current, profiles });
  terminal.note(`The key of ${name} is forgotten here. It goes on working until the operator revokes it.`);
}

async function whoAmI(terminal: Terminal, { profile, json }: { profile?: string; json?: true }): Promise<void> {
  const connection = connectionOf(terminal.env, profile);
  await checkKey(connection);
  const { apiKey, baseUrl } = connection;
  const mode = /^sk_(test|live)_/.exec(apiKey)?.[1] ?? 'unknown';
  const shown = { profile: connection.profile, key: maskedKey(apiKey), mode, base_url: baseUrl };
  if (json) outJson(terminal, shown);
  else terminal.out(`${fieldLines(shown)}\n`);
}

function listProfiles(terminal: Terminal, json: boolean): void {
  const { current, profiles } = readConfiguration(terminal.env);
  const rows = Object.entries(profiles).map(([name, { api_key, base_url }]) => ({
    ...{ current: name === current, name, key: maskedKey(api_key), base_url },
  }));
  if (json) outJson(terminal, rows);
  else if (rows.length === 0) terminal.note('There is none: stablecoin login');
  else
    terminal.out(
      `${table(
        rows.map((row) => ({ ...row, current: row.current ? '*' : '' })),
        ['current', 'name', 'key', 'base_url'],
      )}\n`,
    );
}

function useProfile(terminal: Terminal, name: string): void {
  const configuration = readConfiguration(terminal.env);
  if (ownProfile(configuration, name) === undefined) {
    throw new UsageError(`There is no profile ${name}: stablecoin profiles list`);
  }
  writeConfiguration(terminal.env, { ...configuration, current: name });
  terminal.note(`${name} is the current profile.`);
}
