import { randomUUID } from 'node:crypto';
import { findResult } from './command-log';
import { Sql } from './sql';

const command = { merchant_id: randomUUID(), command_id: randomUUID(), input_hash: 'a' };
const storing = (row: object): Sql => ({ $queryRaw: async <Rows>() => [row] as Rows, $executeRaw: async () => 0 });

describe('the stored result of a command', () => {
  it.each([
    ['with another input', { input_hash: 'b' }],
    ["under another merchant's id", { merchant_id: randomUUID() }],
  ])('is refused to a command that comes %s', async (_how, over) => {
    const stored = storing({ ...command, result: '"theirs"' });
    await expect(findResult(stored, command)).resolves.toEqual({ result: 'theirs' });
    await expect(findResult(stored, { ...command, ...over })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });
});
