// Who may say what on the bus, read from the code: the operations that a program handles (`@Handles`) are what its user may
// subscribe to, every other operation that it names is one it calls, and the consumers' and the relay's JetStream subjects
// follow from libs/messaging/src/ledger-stream.ts. Written to deploy/nats/permissions.conf by npm run docs and compared in
// npm test: who adds a call to an operation adds the permission with it, and who removes one takes it back.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { programOf } from './image/imports.mjs';
import { ROOT } from './stack/paths.mjs';

const CONTRACTS = '@stablecoin/contracts/';
/** Each program that speaks on the bus, which is also the name of its user. */
export const BUS_USERS = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout', 'auditor'];
const RELAY = 'wallet-ledger';
/** Longer than any request may take (see REQUEST_DEADLINE_MS and bus-client.ts). */
const REPLY_TTL = '1m';

const built = (path) => createRequire(import.meta.url)(join(ROOT, 'dist', path));
export const variableOf = (user) => `${user.replaceAll('-', '_').toUpperCase()}_NATS_PASSWORD`;
const inboxOf = (user) => `_INBOX_${user}.>`;

/** {user, publish, subscribe, answers} of each program, sorted. */
function busPermissions() {
  return BUS_USERS.map((user) => {
    const uses = sourcesOf(user).flatMap(usesIn);
    const subjects = (kind) => uses.filter((use) => use.kind === kind).map(({ subject }) => subject);
    const facts = user === RELAY ? relaySubjects() : [];
    const handled = new Set(subjects('handles'));
    const called = subjects('calls').filter((subject) => !handled.has(subject));
    return {
      user,
      publish: unique([...called, ...subjects('consumes').flatMap(consumerSubjects), ...facts]),
      subscribe: unique([...handled, inboxOf(user)]),
      answers: handled.size > 0,
    };
  });
}

const unique = (list) => [...new Set(list)].sort();

/** The program's own sources; what it shares with others names no operation for itself. */
function sourcesOf(app) {
  const own = (file) => file.startsWith(`dist/apps/${app}/`) && file.endsWith('.js');
  const { files } = programOf([`dist/apps/${app}/src/main.js`]);
  return files.filter(own).map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
}

function usesIn(file) {
  if (!existsSync(join(ROOT, file))) return [];
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const operations = operationsImportedBy(source);
  const uses = [];
  const visit = (node) => {
    const subject = ts.isIdentifier(node) ? operations.get(node.text) : undefined;
    if (subject !== undefined) uses.push({ kind: isHandled(node) ? 'handles' : 'calls', subject });
    const durable = durableNamedBy(node);
    if (durable !== undefined) uses.push({ kind: 'consumes', subject: durable });
    if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** The subject of each operation by the name under which a file imports it. */
function operationsImportedBy(source) {
  const operations = new Map();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !statement.moduleSpecifier.text.startsWith(CONTRACTS)) continue;
    const [owner, ...rest] = statement.moduleSpecifier.text.slice(CONTRACTS.length).split('/');
    const contract = built(`libs/contracts/${owner}/src/${rest.join('/')}.js`);
    const bindings = statement.importClause?.namedBindings;
    for (const { name, propertyName } of bindings !== undefined && ts.isNamedImports(bindings)
      ? bindings.elements
      : []) {
      const exported = contract[(propertyName ?? name).text];
      if (isOperation(exported)) operations.set(name.text, subjectOf(exported));
    }
  }
  return operations;
}

const isOperation = (value) => typeof value?.subject === 'string' && typeof value.request === 'function';
const subjectOf = ({ subject, answeredBy }) => (answeredBy === 'shard' ? `${subject}.*` : subject);
const isHandled = ({ parent }) => ts.isCallExpression(parent) && parent.expression.getText() === 'Handles';

/** `readonly durable = 'payout'` names a consumer of facts. */
function durableNamedBy(node) {
  if (!ts.isPropertyDeclaration(node) || node.name.getText() !== 'durable') return undefined;
  return node.initializer !== undefined && ts.isStringLiteral(node.initializer) ? node.initializer.text : undefined;
}

/** Asks for its own consumer, makes and changes it, takes from it and acknowledges; nobody else's. */
function consumerSubjects(durable) {
  const { LEDGER_STREAM: stream } = built('libs/contracts/wallet/src/facts.js');
  return [
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.ledger.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

/** Makes the stream, fills it with facts and with the checkpoints that it signs, and looks up how far the facts reach. */
function relaySubjects() {
  const { LEDGER_STREAM: stream, MOVEMENTS, factSubjects } = built('libs/contracts/wallet/src/facts.js');
  const { checkpointSubject } = built('libs/contracts/wallet/src/checkpoints.js');
  const api = ['STREAM.INFO', 'STREAM.CREATE', 'STREAM.MSG.GET'].map((call) => `$JS.API.${call}.${stream}`);
  return [...api, ...MOVEMENTS.map(factSubjects), checkpointSubject('*')];
}

const ANSWERS = `        # It answers to the inbox that a request names, once, and to no other.
        allow_responses { max: 1, expires: "${REPLY_TTL}" }
`;

function userBlock({ user, publish, subscribe, answers }) {
  const list = (subjects) => subjects.map((subject) => `          "${subject}"`).join('\n');
  return `    {
      user: "${user}"
      password: $${variableOf(user)}
      permissions {
        publish { allow: [
${list(publish)}
        ] }
        subscribe { allow: [
${list(subscribe)}
        ] }
${answers ? ANSWERS : ''}      }
    }`;
}

export const permissionsText =
  () => `# Written by "npm run docs" from the operations that each program handles and calls: never by hand.
# What is not named here is refused, by the broker: a program that was taken over speaks for no other.

# One line per user, a secret of the compose file. Included here, because a file's variables end with it.
include "../../run/secrets/nats_passwords"

authorization {
  users: [
${busPermissions().map(userBlock).join('\n')}
  ]
}
`;
