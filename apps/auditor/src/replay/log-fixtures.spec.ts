/** Events outlive versions: every log that a version wrote stays intact, has a schema, and is read by this version. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Ajv2020, { ValidateFunction } from 'ajv/dist/2020';
import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { CURRENT_VERSIONS, StoredEvent } from '@stablecoin/ledger-domain/upcast';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { fixtureLog, fixtureNames, newFixture, writeFixtureLog, writtenToday } from '../testing/log-fixtures';
import { readEvent } from '@stablecoin/ledger-log/log/event-shape';
import { AskerRules } from '@stablecoin/ledger-log/log/asker-rules';
import { LogInspector } from '@stablecoin/ledger-log/log/log-inspector';

const SCHEMAS = resolve(__dirname, '../../../../libs/ledger-domain/schemas');
const ajv = new Ajv2020({ allErrors: true, strict: true });
const schemas = new Map<string, ValidateFunction>(
  readdirSync(SCHEMAS).map((file) => [
    file,
    ajv.compile(JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8')) as object),
  ]),
);

if (newFixture) writeFixtureLog(newFixture, writtenToday());

type Stored = Omit<RecordedEvent, 'event'> & { event: StoredEvent };

/** The faults of an event by the schema of the version that wrote it. */
function against(recorded: Stored): string[] {
  const { type, version } = recorded.event;
  const kebab = type.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  return [
    ['recorded-event.v1.json', recorded] as const,
    [`${kebab}.v${version}.json`, recorded.event] as const,
  ].flatMap(([file, value]) => {
    const validate = schemas.get(file);
    if (!validate) return [`${file} is not there`];
    return validate(value) ? [] : [`${file}: ${ajv.errorsText(validate.errors)}`];
  });
}

const storedIn = (row: EventRow) => JSON.parse(row.body) as Stored;

describe.each(fixtureNames())('the log that version %s wrote', (name) => {
  const rows = fixtureLog(name);

  it('is intact, shard by shard', () => {
    for (const shard of new Set(rows.map((row) => row.shard))) {
      const own = rows.filter((row) => row.shard === shard);
      const inspector = new LogInspector(shard, new AskerRules(undefined, { checked: 0, unchecked: 0 }));
      own.forEach((row) => inspector.follow(row));
      inspector.finish({ position: own.length, hash: own.at(-1)?.hash ?? Buffer.alloc(0) });
      expect(inspector.fault).toBeUndefined();
    }
  });

  it('conforms to the schemas', () => {
    expect(rows.flatMap((row) => against(storedIn(row)))).toEqual([]);
  });

  it('is checked alike by auditor and schemas: both refuse a field lost, malformed or added', () => {
    const seen = new Set<string>();
    for (const row of rows) {
      const stored = storedIn(row);
      const kind = `${stored.event.type} ${'opens' in stored.event} ${'judged' in stored.event}`;
      if (seen.has(kind)) continue;
      seen.add(kind);
      for (const [what, changed] of variantsOf(stored)) {
        const refused = typeof readEvent(canonicalText(changed as unknown as CanonicalValue)) === 'string';
        expect(`${kind}: ${what}: ${refused}`).toBe(`${kind}: ${what}: ${against(changed).length > 0}`);
      }
    }
  });
});

/** Variants of an event: each field left out, each of another type, one field added; version and type stay. */
function variantsOf(stored: Stored): [string, Stored][] {
  const paths = [
    ...Object.keys(stored).map((key) => [key]),
    ...Object.keys(stored.event).map((key) => ['event', key]),
    ...Object.keys((stored.event['opens'] as object | undefined) ?? {}).map((key) => ['event', 'opens', key]),
  ].filter((path) => !['type', 'version', 'event'].includes(path.at(-1) as string));
  const changed = (path: readonly string[], change: (parent: Record<string, unknown>, key: string) => void) => {
    const copy = structuredClone(stored) as unknown as Record<string, unknown>;
    const parent = path.slice(0, -1).reduce((inner, key) => inner[key] as Record<string, unknown>, copy);
    change(parent, path.at(-1) as string);
    return copy as unknown as Stored;
  };
  return [
    ['as it is', stored],
    ...paths.flatMap((path): [string, Stored][] => [
      [`without ${path.join('.')}`, changed(path, (parent, key) => Reflect.deleteProperty(parent, key))],
      [`${path.join('.')} an array`, changed(path, (parent, key) => (parent[key] = []))],
    ]),
    ...[['more'], ['event', 'more'], ...('opens' in stored.event ? [['event', 'opens', 'more']] : [])].map(
      (path): [string, Stored] => [`with ${path.join('.')}`, changed(path, (parent, key) => (parent[key] = 'x'))],
    ),
  ];
}

describe('the newest fixture', () => {
  it('is the log that this version writes: for an intended change, add a fixture under a new name', () => {
    const newest = fixtureLog(fixtureNames().at(-1) as string);
    expect(writtenToday().map(({ body }) => body)).toEqual(newest.map(({ body }) => body));
  });

  it('has every event type and every movement', () => {
    const newest = fixtureLog(fixtureNames().at(-1) as string).map(storedIn);
    expect(new Set(newest.map(({ event }) => event.type))).toEqual(new Set(Object.keys(CURRENT_VERSIONS)));
    expect(new Set(newest.map(({ movement }) => movement)).size).toBe(19);
  });
});
