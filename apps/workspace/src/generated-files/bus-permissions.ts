// Who may say what on the bus, read from the code: the operations that a program handles (`@Handles`) are what its user may
// subscribe to, every other operation that it names is one it calls, and the consumers' and the relay's JetStream subjects
// follow from libs/messaging/src/ledger-stream.ts. Written to deploy/nats/permissions.conf by npm run docs and compared in
// npm test: a change that adds a call to an operation adds the permission with it, and one that removes a call takes it back.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '@stablecoin/command-line/root';
import { API_KEY_CHANGED } from '@stablecoin/contracts/customer/api-key-changed';
import { CHECKPOINT_SUBJECTS } from '@stablecoin/contracts/wallet/checkpoints';
import { factSubjects, LEDGER_STREAM, MOVEMENTS } from '@stablecoin/contracts/wallet/facts';
import { listPublishedPositions } from '@stablecoin/contracts/wallet/list-published-positions';
import { readFacts } from '@stablecoin/contracts/wallet/read-facts';
import { TRANSACTIONS_CHANGED } from '@stablecoin/contracts/wallet/transactions-changed';
import { ANNOUNCED_SERVICES, instanceSubject } from '@stablecoin/contracts/wire/instance-signs';
import { programOf } from '@stablecoin/images/imports';
import { BUS_USERS, type BusUser, natsPasswordVariable } from '@stablecoin/local-stack/bus-users';
import { lostAnswersSubject } from '@stablecoin/messaging/lost-answers';
import { checkoutModule } from './checkout-module';

const CONTRACTS = '@stablecoin/contracts/';
const RELAY: BusUser = 'wallet-ledger';
/** What one service says to every instance of another, without an answer. */
const ANNOUNCEMENTS: readonly { subject: string; by: BusUser; heardBy: readonly BusUser[] }[] = [
  { subject: API_KEY_CHANGED, by: 'customer', heardBy: ['gateway'] },
  { subject: TRANSACTIONS_CHANGED, by: 'wallet-ledger', heardBy: ['backoffice'] },
  ...ANNOUNCED_SERVICES.map((service) => ({
    ...{ subject: instanceSubject(service), by: service, heardBy: ['backoffice'] as const },
  })),
];
/** Longer than any request may take (see REQUEST_DEADLINE_MS and bus-client.ts). */
const REPLY_TTL = '1m';

/** What a source file does with an operation or a stream. */
export interface Use {
  kind: 'handles' | 'calls' | 'consumes';
  /** Of an operation; the durable name of a consumer. */
  subject: string;
  /** Of an operation: the services that may ask for it, where it names them. */
  callers?: readonly string[] | undefined;
}

interface Operations {
  user: BusUser;
  uses: readonly Use[];
  handled: ReadonlySet<string>;
  called: readonly string[];
}

interface Permissions {
  user: BusUser;
  publish: string[];
  subscribe: string[];
  /** It answers requests, to the inbox that each names. */
  answers: boolean;
}

const inboxOf = (user: BusUser) => `_INBOX_${user}`;
const unique = (list: readonly string[]) => [...new Set(list)].sort();

function operationsOf(user: BusUser): Operations {
  const uses = usesOf(user);
  const subjects = (kind: Use['kind']) => uses.filter((use) => use.kind === kind).map(({ subject }) => subject);
  const handled = new Set(subjects('handles'));
  return { user, uses, handled, called: subjects('calls').filter((subject) => !handled.has(subject)) };
}

/** What the program of a user does with operations and streams, file by file. */
export function usesByFile(user: BusUser): Map<string, Use[]> {
  return new Map(sourcesOf(user).map((file) => [file, usesIn(file)]));
}

const usesOf = (user: BusUser): Use[] => [...usesByFile(user).values()].flat();

function permissionsOf(
  { user, uses, handled, called }: Operations,
  _: number,
  all: readonly Operations[],
): Permissions {
  const consumed = uses.filter(({ kind }) => kind === 'consumes').map(({ subject }) => subject);
  const callers = all.filter((other) => other.called.some((subject) => handled.has(subject)));
  return {
    user,
    publish: unique([
      ...called,
      ...consumed.flatMap(consumerSubjects),
      ...(user === RELAY ? relaySubjects() : []),
      ...callers.map((caller) => lostAnswersSubject(inboxOf(caller.user))),
      ...ANNOUNCEMENTS.filter(({ by }) => by === user).map(({ subject }) => subject),
    ]),
    subscribe: unique([
      ...handled,
      `${inboxOf(user)}.>`,
      ...ANNOUNCEMENTS.filter(({ heardBy }) => heardBy.includes(user)).map(({ subject }) => subject),
    ]),
    answers: handled.size > 0,
  };
}

/** Libraries that ask for operations on behalf of the programs that stand on them. */
export const ASKING_LIBRARIES: readonly string[] = ['merchant-resources'];

/** The program's own sources, and those of libraries that ask for it, as far as it imports them. */
function sourcesOf(app: BusUser): string[] {
  const folders = [`dist/apps/${app}/`, ...ASKING_LIBRARIES.map((library) => `dist/libs/${library}/`)];
  const { files } = programOf([`dist/apps/${app}/src/main.js`]);
  return files
    .filter((file) => folders.some((folder) => file.startsWith(folder)) && file.endsWith('.js'))
    .map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
}

/** A consumer reads from the log what the stream no longer keeps: libs/facts/src/missed-facts.ts. */
const CALLS_OF_CONSUMERS = [listPublishedPositions, readFacts].map(({ subject }): Use => ({ kind: 'calls', subject }));

/** @param file below the root of the checkout */
export function usesIn(file: string): Use[] {
  if (!existsSync(join(ROOT, file))) return [];
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const operations = operationsImportedBy(source);
  const uses: Use[] = [];
  const visit = (node: ts.Node): void => {
    const operation = ts.isIdentifier(node) ? operations.get(node.text) : undefined;
    if (operation !== undefined) {
      const { callers } = operation;
      uses.push({ kind: isHandled(node) ? 'handles' : 'calls', subject: subjectOf(operation), callers });
    }
    const durable = durableNamedBy(node);
    if (durable !== undefined) uses.push({ kind: 'consumes', subject: durable }, ...CALLS_OF_CONSUMERS);
    if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** Each operation by the name under which a file imports it. */
function operationsImportedBy(source: ts.SourceFile): Map<string, NamedOperation> {
  const operations = new Map<string, NamedOperation>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const specifier = statement.moduleSpecifier.text;
    if (!specifier.startsWith(CONTRACTS)) continue;
    const contract = contractOf(specifier);
    const bindings = statement.importClause?.namedBindings;
    for (const { name, propertyName } of bindings !== undefined && ts.isNamedImports(bindings)
      ? bindings.elements
      : []) {
      const exported = contract[(propertyName ?? name).text];
      if (isOperation(exported)) operations.set(name.text, exported);
    }
  }
  return operations;
}

/** What a specifier like @stablecoin/contracts/wallet/hold-payout exports. */
function contractOf(specifier: string): Record<string, unknown> {
  const [owner, ...rest] = specifier.slice(CONTRACTS.length).split('/');
  return checkoutModule(`libs/contracts/${owner}/src/${rest.join('/')}`);
}

interface NamedOperation {
  subject: string;
  request: unknown;
  answeredBy?: unknown;
  callers?: readonly string[];
}

function isOperation(value: unknown): value is NamedOperation {
  if (typeof value !== 'object' || value === null || !('subject' in value) || !('request' in value)) return false;
  return typeof value.subject === 'string' && typeof value.request === 'function';
}

const subjectOf = ({ subject, answeredBy }: NamedOperation) => (answeredBy === 'shard' ? `${subject}.*` : subject);
const isHandled = ({ parent }: ts.Node) => ts.isCallExpression(parent) && parent.expression.getText() === 'Handles';

/** `readonly durable = 'payout'` names a consumer of facts. */
function durableNamedBy(node: ts.Node): string | undefined {
  if (!ts.isPropertyDeclaration(node) || node.name.getText() !== 'durable') return undefined;
  return node.initializer !== undefined && ts.isStringLiteral(node.initializer) ? node.initializer.text : undefined;
}

/** Asks for the stream's extent and for its own consumer, makes and changes it, takes from it and acknowledges; no other program's. */
const consumerSubjects = (durable: string): string[] => [
  `$JS.API.STREAM.INFO.${LEDGER_STREAM}`,
  `$JS.API.CONSUMER.INFO.${LEDGER_STREAM}.${durable}`,
  `$JS.API.CONSUMER.CREATE.${LEDGER_STREAM}.${durable}`,
  `$JS.API.CONSUMER.CREATE.${LEDGER_STREAM}.${durable}.ledger.>`,
  `$JS.API.CONSUMER.MSG.NEXT.${LEDGER_STREAM}.${durable}`,
  `$JS.ACK.${LEDGER_STREAM}.${durable}.>`,
];

/** Makes the stream, fills it with facts and with the checkpoints that it signs, and looks up how far the facts reach. */
function relaySubjects(): string[] {
  const api = ['STREAM.INFO', 'STREAM.CREATE', 'STREAM.MSG.GET'].map((call) => `$JS.API.${call}.${LEDGER_STREAM}`);
  return [...api, ...MOVEMENTS.map(factSubjects), CHECKPOINT_SUBJECTS];
}

const ANSWERS = `        # It answers to the inbox that a request names, once, and to no other.
        allow_responses { max: 1, expires: "${REPLY_TTL}" }
`;

/** The broker takes an empty list for none, which would allow everything. */
const NOTHING = `        publish { deny: ">" }`;

function userBlock({ user, publish, subscribe, answers }: Permissions): string {
  const list = (subjects: readonly string[]) => subjects.map((subject) => `          "${subject}"`).join('\n');
  const published = publish.length === 0 ? NOTHING : `        publish { allow: [\n${list(publish)}\n        ] }`;
  return `    {
      user: "${user}"
      password: $${natsPasswordVariable(user)}
      permissions {
${published}
        subscribe { allow: [
${list(subscribe)}
        ] }
${answers ? ANSWERS : ''}      }
    }`;
}

/** The text of deploy/nats/permissions.conf. */
export const permissionsText = (): string =>
  `# Written by "npm run docs" from the operations that each program handles and calls: never by hand.
# What is not named here is refused, by the broker: a program that was taken over speaks for no other.

# One line per user, a secret of the compose file. Included here, because a file's variables end with it.
include "../../run/secrets/nats_passwords"

authorization {
  users: [
${BUS_USERS.map(operationsOf).map(permissionsOf).map(userBlock).join('\n')}
  ]
}
`;
