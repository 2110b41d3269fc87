// The committed schemas of events are what the types say, and no version that was ever published is missing.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { eventSchemas, SCHEMAS } from './event-schemas';

const committed = readdirSync(join(ROOT, SCHEMAS));
const schemas = Object.entries(eventSchemas());

it.each(schemas)('%s is what its type says: else run npm run schemas, and raise the version', (file, schema) => {
  expect(committed).toContain(file);
  expect(JSON.parse(readFileSync(join(ROOT, SCHEMAS, file), 'utf8'))).toEqual(schema);
});

it.each(schemas)('%s: every version before it still has its schema', (file) => {
  const [, name = '', version] = /^(.+)\.v(\d+)\.json$/.exec(file) ?? [];
  const older = Array.from({ length: Number(version) - 1 }, (_, index) => `${name}.v${index + 1}.json`);
  expect(committed).toEqual(expect.arrayContaining(older));
});
