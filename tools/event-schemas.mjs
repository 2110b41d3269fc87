// npm run schemas: writes libs/ledger-domain/schemas, a JSON schema per event type and version, from the types in
// libs/ledger-domain/src/events.ts. Only the version that a type says now is written; the files of older ones stay, since
// logs that were written by them do. tools/test/event-schemas.spec.mjs compares what is committed with what the types say.

import './stack/node-version.mjs';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import { ROOT } from './stack/paths.mjs';
import { parseFlags, runCommand } from './stack/terminal.mjs';

const HELP = `
npm run schemas

Writes libs/ledger-domain/schemas from the types in libs/ledger-domain/src/events.ts. Commit what it writes.
`;
export const SCHEMAS = 'libs/ledger-domain/schemas';
const TYPES = 'libs/ledger-domain/src/events.ts';

const text = (pattern) => ({ type: 'string', pattern });
/** What names mean beyond a string. Currencies and networks are left open, so that a new one changes no schema. */
const NAMED = {
  Uuid: text('^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  AmountText: text('^(0|[1-9]\\d{0,29})\\.\\d{8}$'),
  BalanceText: text('^-?(0|[1-9]\\d{0,29})\\.\\d{8}$'),
  Timestamp: text('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'),
  AccountId: text('^([0-9a-f-]{36}|[a-z-]+(:[a-z]+)?:[A-Z]+)$'),
  Currency: text('^[A-Z]{3,4}$'),
  Network: text('^[a-z0-9]+$'),
  // Which events there are is said by the other schemas.
  LedgerEvent: {
    type: 'object',
    properties: { type: { type: 'string' }, version: { type: 'integer', minimum: 1 } },
    required: ['type', 'version'],
  },
};

/** {file name: schema} by what the types say now. */
export function eventSchemas() {
  const source = ts.createSourceFile(TYPES, readFileSync(join(ROOT, TYPES), 'utf8'), ts.ScriptTarget.ES2022, true);
  const declared = new Map(
    source.statements
      .filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      .map((node) => [node.name.text, node]),
  );
  const convert = converter(source, declared);
  const schemas = {};
  for (const { typeName } of declared.get('LedgerEvent').type.types) {
    const body = convert.named(typeName.text);
    const version = body.properties.version.const;
    schemas[fileName(typeName.text, version)] = titled(`${typeName.text}, version ${version}`, body);
  }
  schemas['recorded-event.v1.json'] = titled('An event with its place in the log', convert.named('RecordedEvent'));
  return schemas;
}

const titled = (title, body) => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...body });
const fileName = (type, version) =>
  `${type.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.v${version}.json`;

/** Knows the few kinds of types that events are made of, and refuses any other. */
function converter(source, declared) {
  const named = (name) => {
    if (name in NAMED) return NAMED[name];
    const node = declared.get(name);
    if (!node) throw new Error(`${TYPES}: ${name} has no schema: give it one in tools/event-schemas.mjs`);
    return ts.isInterfaceDeclaration(node) ? objectOf(node.members) : schemaOf(node.type);
  };
  const schemaOf = (node) => {
    if (ts.isTypeReferenceNode(node)) return named(node.typeName.text);
    if (ts.isUnionTypeNode(node)) return unionOf(node.types.map(schemaOf));
    if (ts.isIntersectionTypeNode(node)) return node.types.map(schemaOf).reduce(merged);
    if (ts.isTypeLiteralNode(node)) return objectOf(node.members);
    if (ts.isLiteralTypeNode(node)) return { const: literalOf(node.literal) };
    if (node.kind === ts.SyntaxKind.StringKeyword) return { type: 'string' };
    if (node.kind === ts.SyntaxKind.NumberKeyword) return { type: 'integer', minimum: 0 };
    throw new Error(`${TYPES}: no schema for ${node.getText(source)}`);
  };
  const objectOf = (members) => ({
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member.name.text, schemaOf(member.type)])),
    required: members.filter(({ questionToken }) => !questionToken).map(({ name }) => name.text),
    additionalProperties: false,
  });
  return { named };
}

function unionOf(schemas) {
  if (schemas.every((schema) => 'const' in schema)) return { enum: schemas.map((schema) => schema.const) };
  return { anyOf: schemas };
}

function merged(one, other) {
  const properties = { ...one.properties, ...other.properties };
  return { ...one, properties, required: [...new Set([...one.required, ...other.required])] };
}

function literalOf(literal) {
  if (literal.kind === ts.SyntaxKind.NullKeyword) return null;
  return ts.isNumericLiteral(literal) ? Number(literal.text) : literal.text;
}

async function main(argv) {
  if ((await parseFlags(argv, {}, HELP)) === undefined) return;
  mkdirSync(join(ROOT, SCHEMAS), { recursive: true });
  for (const [file, schema] of Object.entries(eventSchemas())) {
    const path = join(ROOT, SCHEMAS, file);
    const options = { ...(await resolveConfig(path)), parser: 'json' };
    writeFileSync(path, await format(JSON.stringify(schema), options));
    process.stderr.write(`${SCHEMAS}/${file}\n`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) runCommand(main);
