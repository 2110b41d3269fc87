/** How many of this machine's processors a task keeps busy. */
export interface Demanding {
  processors: number;
}

/**
 * Runs tasks side by side as far as the processors suffice: they begin in order, each as soon as the running ones leave
 * it the processors that it needs. Resolves to the results in the order of the tasks. After a task rejects the others
 * still run; the first error is thrown when all have ended.
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
    // A task that needs more processors than there are runs alone.
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
