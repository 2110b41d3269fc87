import { currentRequest, withRequestContext } from '@stablecoin/messaging/request-context';
import { databaseFailure } from './database-error';
import { groupedRequests } from './grouped-requests';

/** Statements that are under way until they are ended. */
function held(fails: (item: number) => boolean = () => false) {
  const statements: { items: number[]; deadline: number; end: () => void }[] = [];
  const work = groupedRequests(async (items: readonly number[]) => {
    const deadline = currentRequest()?.deadline ?? 0;
    await new Promise<void>((end) => statements.push({ items: [...items], deadline, end }));
    if (items.some(fails)) throw Object.assign(new Error('a bad item'), { code: 'P2002' });
    return items.map((item) => item * 10);
  });
  const began = () => statements.map(({ items }) => items);
  return { statements, work, began };
}

const turns = async (count = 3) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};
const by = <Result>(deadline: number, work: () => Promise<Result>) =>
  withRequestContext({ requestId: 'spec', deadline }, work);
const soon = () => Date.now() + 1_000;

it('makes one statement of the calls of one turn, and gives each its own result', async () => {
  const { statements, work, began } = held();
  const results = Promise.all([1, 2, 3].map(work));
  await turns();
  expect(began()).toEqual([[1, 2, 3]]);
  statements[0]?.end();
  expect(await results).toEqual([10, 20, 30]);
});

it('has two statements under way, and makes the next one of all calls that have come meanwhile', async () => {
  const { statements, work, began } = held();
  const results: Promise<number>[] = [];
  for (const item of [1, 2, 3, 4, 5]) {
    results.push(work(item));
    await turns();
  }
  expect(began()).toEqual([[1], [2]]);
  statements[1]?.end();
  await turns();
  expect(began()).toEqual([[1], [2], [3, 4, 5]]);
  [0, 2].forEach((index) => statements[index]?.end());
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50]);
  const last = work(6);
  await turns();
  statements[3]?.end();
  expect(await last).toBe(60);
});

it('goes by the latest deadline of its calls, and leaves out a call whose own has passed', async () => {
  const { statements, work } = held();
  const first = [work(1), (await turns(), work(2))];
  await turns();
  const late = by(Date.now() + 5, () => work(3)).catch((error: unknown) => databaseFailure(error).kind);
  const [earlier, latest] = [soon(), soon() + 1_000];
  const others = Promise.all([by(latest, () => work(4)), by(earlier, () => work(5))]);
  await new Promise((passed) => setTimeout(passed, 10));
  statements.forEach(({ end }) => end());
  await Promise.all(first);
  await turns();
  expect(statements[2]).toMatchObject({ items: [4, 5], deadline: latest });
  statements[2]?.end();
  expect(await others).toEqual([40, 50]);
  expect(await late).toBe('unknown');
});

it('begins nothing for calls whose deadlines have all passed, and goes on with the next one', async () => {
  const { statements, work, began } = held();
  await expect(by(Date.now(), () => work(1)).catch((error: unknown) => databaseFailure(error).kind)).resolves.toBe(
    'unknown',
  );
  const next = [work(2), (await turns(), work(3))];
  await turns();
  expect(began()).toEqual([[2], [3]]);
  statements.forEach(({ end }) => end());
  expect(await Promise.all(next)).toEqual([20, 30]);
});

it('lets one bad item hold up only itself', async () => {
  const { statements, work } = held((item) => item === 2);
  const outcomes = Promise.allSettled([1, 2, 3].map(work));
  await turns();
  statements[0]?.end();
  await turns();
  statements.forEach(({ end }) => end());
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
