/** One after the other: each database has one connection, and what is asked of several is not in a hurry. */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => PromiseLike<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
