/** A weakness whose text is not in the built code any more would be planted nowhere, and the trial of it would prove nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { edited } from '@stablecoin/testing/planting';
import { type Weakness, WEAKNESSES } from './weaknesses';

const PLANTED = Object.entries<Weakness>(WEAKNESSES).filter(([, { edits }]) => edits !== undefined);

it.each(PLANTED)('%s fits the code that is built', (_, { edits = [] }) => {
  for (const edit of edits)
    expect(edited(readFileSync(join(ROOT, 'dist', edit.file), 'utf8'), edit)).toContain(edit.to);
});
