/** Of the processors of this machine, how many a task keeps busy. */
export interface Demanding {
  processors: number;
}

/**
 * Runs tasks side by side as far as the processors suffice: each begins in its turn, as soon as those that run leave it what
 * it needs. Resolves to the results in the order of the tasks. A task that rejects doesn't keep the others from running; the
 * first such error is thrown when all have ended.
 */
export async function runSideBySide<Task extends Demanding, Result>(
  tasks: readonly Task[],
  processors: number,
  run: (task: Task, index: number) => Promise<Result>,
): Promise<Result[]> {
  let free = processors;
  const running = new Set<Promise<unknown>>();
  const outcomes: Promise<Result>[] = [];
  for (const [index, task] of tasks.entries()) {
    // More than there are: alone.
    const needed = Math.min(task.processors, processors);
    while (free < needed) await Promise.race(running);
    free -= needed;
    const outcome = run(task, index);
    const ended = outcome
      .catch(() => undefined)
      .finally(() => {
        free += needed;
        running.delete(ended);
      });
    running.add(ended);
    outcomes.push(outcome);
  }
  await Promise.all(running);
  return Promise.all(outcomes);
}
