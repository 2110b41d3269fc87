/** Counts the turns of the event loop from now on: what happened in different ones left others their turns in between. */
export function countedTurns(): { now: number; stop: () => void } {
  const turns = { now: 0, stop: () => clearImmediate(next) };
  const count = () => {
    turns.now += 1;
    next = setImmediate(count).unref();
  };
  let next = setImmediate(count).unref();
  return turns;
}
