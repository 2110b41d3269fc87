/**
 * The lists that an operator supplies, as entries to be matched.
 *
 * | format             | a file of                                                                 | entries                      |
 * |--------------------|---------------------------------------------------------------------------|------------------------------|
 * | addresses          | one address per line; empty lines and those that begin with # are none     | addresses                    |
 * | opensanctions-csv  | OpenSanctions' `targets.simple.csv`                                        | names and aliases; addresses |
 * | opensanctions-json | OpenSanctions' `entities.ftm.json`: one entity of FollowTheMoney per line  | the same                     |
 *
 * Names are those of people and organisations, addresses those of entities of the schema CryptoWallet. Entities of other
 * schemas (vessels, houses, the sanctions themselves) are passed over, and in JSON people and organisations that are named
 * only for their relation to a target. The CSV has no others.
 */
import { linesOf, ListLine, ListRecord, ListUnreadable, partsOf, recordsOf } from './list-text';
import { addressKey, KeyKind, nameKey } from './screening-key';

export const LIST_FORMATS = ['addresses', 'opensanctions-csv', 'opensanctions-json'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

export interface ListEntry {
  kind: KeyKind;
  key: Buffer;
  /** By which the list's publisher knows it; an address where the list has nothing else. */
  id: string;
  /** The name or address as the list has it. */
  text: string;
}

/** LegalEntity of FollowTheMoney and what extends it, of which there are publications. */
const OF_PARTIES: ReadonlySet<string> = new Set(['Person', 'Organization', 'Company', 'LegalEntity', 'PublicBody']);
const OF_WALLETS = 'CryptoWallet';
/** From the shortest of Bitcoin to the longest that FollowTheMoney takes. */
const ADDRESS = /^[\x21-\x7e]{25,128}$/;
const ID_CHARACTERS_MAX = 255;
const TEXT_CHARACTERS_MAX = 500;

/** @throws ListUnreadable naming the line, at the first one that is not of the format; for a list without an entry */
export async function* readList(format: ListFormat, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ListEntry> {
  let isEmpty = true;
  for await (const entry of entriesOf(format, chunks)) {
    isEmpty = false;
    yield entry;
  }
  if (isEmpty) throw new ListUnreadable(1, `there is no entry in this file: is its format ${format}?`);
}

function entriesOf(format: ListFormat, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ListEntry> {
  switch (format) {
    case 'addresses':
      return fromAddresses(chunks);
    case 'opensanctions-csv':
      return fromTargets(chunks);
    case 'opensanctions-json':
      return fromEntities(chunks);
  }
}

async function* fromAddresses(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ListEntry> {
  for await (const { number, text } of linesOf(chunks)) {
    const address = text.trim();
    if (address === '' || address.startsWith('#')) continue;
    if (!ADDRESS.test(address)) throw new ListUnreadable(number, 'is no address');
    yield addressEntry(address, address);
  }
}

const TARGET_COLUMNS = ['id', 'schema', 'name', 'aliases', 'identifiers'] as const;
type TargetColumn = (typeof TARGET_COLUMNS)[number];

async function* fromTargets(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ListEntry> {
  let places: Record<TargetColumn, number> | undefined;
  let width = 0;
  for await (const record of recordsOf(chunks)) {
    if (!places) {
      places = placesIn(record);
      width = record.fields.length;
      continue;
    }
    if (record.fields.length !== width)
      throw new ListUnreadable(record.number, `has ${record.fields.length} fields, and the first line ${width}`);
    const { id, schema, name, aliases, identifiers } = places;
    const field = (place: number): string => record.fields[place] ?? '';
    const parts = (place: number): string[] => partsOf({ number: record.number, text: field(place) });
    const entityId = idIn(record.number, field(id));
    if (OF_PARTIES.has(field(schema))) yield* nameEntries(entityId, [field(name), ...parts(aliases)]);
    else if (field(schema) === OF_WALLETS) yield* addressEntries(entityId, [field(name), ...parts(identifiers)]);
  }
}

function placesIn({ number, fields }: ListRecord): Record<TargetColumn, number> {
  const places = TARGET_COLUMNS.map((column): [TargetColumn, number] => [column, fields.indexOf(column)]);
  const missing = places.flatMap(([column, place]) => (place < 0 ? [column] : []));
  if (missing.length > 0) throw new ListUnreadable(number, `names no column ${missing.join(', ')}`);
  return Object.fromEntries(places) as Record<TargetColumn, number>;
}

interface Entity {
  id?: unknown;
  schema?: unknown;
  target?: unknown;
  properties?: Readonly<Record<string, unknown>> | null;
}

async function* fromEntities(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ListEntry> {
  for await (const line of linesOf(chunks)) {
    if (line.text.trim() === '') continue;
    const { id, schema, target, properties } = entityIn(line);
    if (typeof schema !== 'string' || typeof properties !== 'object' || properties === null)
      throw new ListUnreadable(line.number, 'is no entity: it has no schema, or no properties');
    const texts = (property: string): string[] => textsIn(line, property, properties[property]);
    const entityId = idIn(line.number, id);
    if (OF_PARTIES.has(schema) && target !== false)
      yield* nameEntries(entityId, [...texts('name'), ...texts('alias'), ...texts('previousName')]);
    else if (schema === OF_WALLETS) yield* addressEntries(entityId, texts('publicKey'));
  }
}

function entityIn({ number, text }: ListLine): Entity {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new ListUnreadable(number, 'is no JSON object');
}

function textsIn({ number }: ListLine, property: string, values: unknown): string[] {
  if (values === undefined) return [];
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return values;
  throw new ListUnreadable(number, `has a property ${property} that is no list of texts`);
}

function idIn(line: number, id: unknown): string {
  if (typeof id === 'string' && id !== '' && id.length <= ID_CHARACTERS_MAX) return id;
  throw new ListUnreadable(line, 'is of an entity without an id');
}

function* nameEntries(id: string, names: readonly string[]): Generator<ListEntry> {
  for (const name of new Set(names)) {
    const key = nameKey(name);
    if (key) yield { kind: 'name', key, id, text: name.slice(0, TEXT_CHARACTERS_MAX) };
  }
}

/** A wallet is at times called by a name, which is no address. */
function* addressEntries(id: string, texts: readonly string[]): Generator<ListEntry> {
  for (const text of new Set(texts)) if (ADDRESS.test(text)) yield addressEntry(id, text);
}

const addressEntry = (id: string, address: string): ListEntry => ({
  ...{ kind: 'address', key: addressKey(address), id, text: address },
});
