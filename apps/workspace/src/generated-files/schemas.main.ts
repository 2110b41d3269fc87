import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { eventSchemas, SCHEMAS } from './event-schemas';
import { formatted } from './formatted';

const HELP = `
npm run schemas

Writes libs/ledger-domain/schemas from the types in libs/ledger-domain/src/events.ts. Commit what it writes.
`;

async function main(argv: string[]): Promise<void> {
  if (parseFlags(argv, {}, HELP) === undefined) return;
  mkdirSync(join(ROOT, SCHEMAS), { recursive: true });
  for (const [file, schema] of Object.entries(eventSchemas())) {
    const path = join(ROOT, SCHEMAS, file);
    writeFileSync(path, await formatted(path, JSON.stringify(schema)));
    say(`${SCHEMAS}/${file}`);
  }
}

void runCommand(main);
