import { lastError } from './last-error';

const failed = (message: string, submittedAt: number) => ({ error: new Error(message), submittedAt });
const NEVER = { error: null, submittedAt: 0 };

it.each<[string, Parameters<typeof lastError>, string | undefined]>([
  ['none was begun', [NEVER, NEVER], undefined],
  ['the only one has failed', [NEVER, failed('one', 5)], 'one'],
  ['both have failed', [failed('one', 5), failed('two', 7)], 'two'],
  ['both have failed, the first one last', [failed('one', 9), failed('two', 7)], 'one'],
  ['the last one goes on or is done', [failed('one', 5), { error: null, submittedAt: 7 }], undefined],
])('where %s', (_case, acts, message) => expect(lastError(...acts)?.message).toBe(message));
