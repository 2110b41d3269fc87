// libs/ledger-domain/schemas, a JSON schema per event type and version, from the types in libs/ledger-domain/src/events.ts.
// Only the version that a type says now is made; the files of older ones stay, since logs that were written by them do.
// event-schemas.spec.ts compares what is committed with what the types say.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '@stablecoin/command-line/root';

export const SCHEMAS = 'libs/ledger-domain/schemas';
const TYPES = 'libs/ledger-domain/src/events.ts';

type Schema = Record<string, unknown>;
interface ObjectSchema extends Schema {
  properties: Record<string, Schema>;
  required: string[];
}
type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

const text = (pattern: string): Schema => ({ type: 'string', pattern });
/** What names mean beyond a string. Currencies and networks are left open, so that a new one changes no schema. */
const NAMED: Readonly<Record<string, Schema>> = {
  Uuid: text('^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  AmountText: text('^(0|[1-9]\\d{0,29})\\.\\d{8}$'),
  BalanceText: text('^-?(0|[1-9]\\d{0,29})\\.\\d{8}$'),
  Timestamp: text('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'),
  AccountId: text('^([0-9a-f-]{36}|[a-z-]+(:[a-z0-9]+)?:[A-Z]+)$'),
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
export function eventSchemas(): Record<string, Schema> {
  const source = ts.createSourceFile(TYPES, readFileSync(join(ROOT, TYPES), 'utf8'), ts.ScriptTarget.ES2022, true);
  const types = new EventTypes(source);
  const events = types.namesInUnion('LedgerEvent').map((name) => {
    const body = types.schemaOfName(name);
    const version = versionOf(name, body);
    return [fileName(name, version), titled(`${name}, version ${version}`, body)] as const;
  });
  const recorded = titled('An event with its place in the log', types.schemaOfName('RecordedEvent'));
  return { ...Object.fromEntries(events), 'recorded-event.v1.json': recorded };
}

const titled = (title: string, body: Schema): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  ...body,
});

const fileName = (type: string, version: number) =>
  `${type.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.v${version}.json`;

function versionOf(name: string, body: Schema): number {
  const version = asObject(name, body).properties['version']?.['const'];
  if (typeof version === 'number') return version;
  throw new Error(`${TYPES}: ${name} says no version`);
}

/** The few kinds of types that events are made of, as schemas; any other is refused. */
class EventTypes {
  private readonly declared: ReadonlyMap<string, Declaration>;

  constructor(private readonly source: ts.SourceFile) {
    const isDeclaration = (node: ts.Node): node is Declaration =>
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
    this.declared = new Map(source.statements.filter(isDeclaration).map((node) => [node.name.text, node]));
  }

  /** The names that `type <name> = A | B | …` joins. */
  namesInUnion(name: string): string[] {
    const node = this.declared.get(name);
    if (node === undefined || !ts.isTypeAliasDeclaration(node) || !ts.isUnionTypeNode(node.type))
      throw new Error(`${TYPES}: ${name} is to be a union of types with names`);
    return node.type.types.map((member) => member.getText(this.source));
  }

  schemaOfName(name: string): Schema {
    const known = NAMED[name];
    if (known !== undefined) return known;
    const node = this.declared.get(name);
    if (node === undefined) throw new Error(`${TYPES}: ${name} has no schema: give it one in event-schemas.ts`);
    return ts.isInterfaceDeclaration(node) ? this.objectOf(node.members) : this.schemaOf(node.type);
  }

  private schemaOf(node: ts.TypeNode): Schema {
    if (ts.isTypeReferenceNode(node)) return this.schemaOfName(node.typeName.getText(this.source));
    if (ts.isUnionTypeNode(node)) return unionOf(node.types.map((member) => this.schemaOf(member)));
    if (ts.isIntersectionTypeNode(node)) return this.intersectionOf(node);
    if (ts.isTypeLiteralNode(node)) return this.objectOf(node.members);
    if (ts.isLiteralTypeNode(node)) return { const: literalOf(node.literal) };
    if (node.kind === ts.SyntaxKind.StringKeyword) return { type: 'string' };
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.schemaOf(node.elementType) };
    if (node.kind === ts.SyntaxKind.NumberKeyword) return { type: 'integer', minimum: 0 };
    if (node.kind === ts.SyntaxKind.BooleanKeyword) return { type: 'boolean' };
    throw new Error(`${TYPES}: no schema for ${node.getText(this.source)}`);
  }

  private objectOf(members: ts.NodeArray<ts.TypeElement>): ObjectSchema {
    const properties = members.map((member) => {
      if (ts.isPropertySignature(member) && member.type !== undefined)
        return {
          name: member.name.getText(this.source),
          type: member.type,
          optional: member.questionToken !== undefined,
        };
      throw new Error(`${TYPES}: no schema for ${member.getText(this.source)}`);
    });
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map(({ name, type }) => [name, this.schemaOf(type)])),
      required: properties.filter(({ optional }) => !optional).map(({ name }) => name),
      additionalProperties: false,
    };
  }

  private intersectionOf(node: ts.IntersectionTypeNode): Schema {
    return node.types.map((member) => asObject(member.getText(this.source), this.schemaOf(member))).reduce(merged);
  }
}

function unionOf(schemas: readonly Schema[]): Schema {
  if (schemas.every((schema) => 'const' in schema)) return { enum: schemas.map((schema) => schema['const']) };
  return { anyOf: schemas };
}

function asObject(name: string, schema: Schema): ObjectSchema {
  if ('properties' in schema && 'required' in schema) return schema as ObjectSchema;
  throw new Error(`${TYPES}: ${name} is to be an object`);
}

function merged(one: ObjectSchema, other: ObjectSchema): ObjectSchema {
  const properties = { ...one.properties, ...other.properties };
  return { ...one, properties, required: [...new Set([...one.required, ...other.required])] };
}

function literalOf(literal: ts.LiteralTypeNode['literal']): string | number | null {
  if (literal.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isNumericLiteral(literal)) return Number(literal.text);
  if (ts.isStringLiteralLike(literal)) return literal.text;
  throw new Error(`${TYPES}: no schema for ${literal.getText()}`);
}
