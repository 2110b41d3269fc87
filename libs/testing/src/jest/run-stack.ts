import type { ThrowAwayStack } from '@stablecoin/local-stack/throw-away-stack';

type Project = 'int' | 'e2e';
/** Jest loads set-up and teardown apart from each other: what one leaves for the other is on the global object. */
const kept = globalThis as { stacksOfTheRun?: Partial<Record<Project, ThrowAwayStack>> };

/** The stack of a run, for its teardown. */
export function keepStack(project: Project, stack: ThrowAwayStack): ThrowAwayStack {
  kept.stacksOfTheRun = { ...kept.stacksOfTheRun, [project]: stack };
  return stack;
}

export async function stopStack(project: Project): Promise<void> {
  await kept.stacksOfTheRun?.[project]?.stop();
}
