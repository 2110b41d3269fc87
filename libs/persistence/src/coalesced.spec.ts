import { coalesced } from './coalesced';

function recording(fails: (item: number) => boolean = () => false) {
  const statements: number[][] = [];
  const work = coalesced(async (items: readonly number[]) => {
    statements.push([...items]);
    if (items.some(fails)) throw new Error('a bad item');
    return items.map((item) => item * 10);
  });
  return { statements, work };
}

it('makes one statement of calls made together, and gives each its own result', async () => {
  const { statements, work } = recording();
  expect(await Promise.all([1, 2, 3].map(work))).toEqual([10, 20, 30]);
  expect(await work(4)).toBe(40);
  expect(statements).toEqual([[1, 2, 3], [4]]);
});

it('runs a call that is made twice twice: results are not kept', async () => {
  const { statements, work } = recording();
  await Promise.all([work(1), work(1)]);
  await work(1);
  expect(statements).toEqual([[1, 1], [1]]);
});

it('lets one bad item hold up only itself', async () => {
  const { work } = recording((item) => item === 2);
  const outcomes = await Promise.allSettled([1, 2, 3].map(work));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
