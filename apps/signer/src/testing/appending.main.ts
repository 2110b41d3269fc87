// Appends numbered entries to the journal in a folder and says each number once it is durable, until it is killed.
import { Logger } from '@nestjs/common';
import { Journal } from '../journal/journal';

async function main(directory = ''): Promise<void> {
  Logger.overrideLogger(false);
  let last = 0;
  const onEntry = (entry: unknown) => (last = (entry as { number: number }).number);
  const journal = await Journal.open({ directory, of: 'test', onEntry });
  process.stdout.write(`opened ${last}\n`);
  for (;;) {
    last += 1;
    await journal.append({ number: last, filler: 'x'.repeat(last % 300) });
    process.stdout.write(`${last}\n`);
  }
}

void main(process.argv[2]);
