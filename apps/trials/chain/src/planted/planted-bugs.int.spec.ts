/** A bug whose text is not in the built code any more would be planted nowhere, and the trial of it would prove nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { type Edit, edited } from '@stablecoin/testing/planting';
import { PLANTED_BUGS } from './planted-bugs';

it.each(Object.entries(PLANTED_BUGS))('%s fits the code that is built', (_, edits) => {
  for (const edit of edits as readonly Edit[])
    expect(edited(readFileSync(join(ROOT, 'dist', edit.file), 'utf8'), edit)).toContain(edit.to);
});
