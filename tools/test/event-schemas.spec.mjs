// The committed schemas of events are what the types say, and no version that was ever published is missing.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventSchemas, SCHEMAS } from '../event-schemas.mjs';
import { ROOT } from '../stack/paths.mjs';

const committed = readdirSync(join(ROOT, SCHEMAS));

test('the committed schema of each event is what its type says: run npm run schemas, and raise the version', () => {
  for (const [file, schema] of Object.entries(eventSchemas())) {
    assert.ok(committed.includes(file), `${SCHEMAS}/${file} is not committed`);
    assert.deepEqual(JSON.parse(readFileSync(join(ROOT, SCHEMAS, file), 'utf8')), schema, `${SCHEMAS}/${file}`);
  }
});

test('every version before the current one still has its schema', () => {
  for (const file of Object.keys(eventSchemas())) {
    const [, name, version] = /^(.+)\.v(\d+)\.json$/.exec(file);
    for (let older = 1; older < Number(version); older += 1) {
      assert.ok(committed.includes(`${name}.v${older}.json`), `${SCHEMAS}/${name}.v${older}.json is gone`);
    }
  }
});
