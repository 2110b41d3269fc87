import { processesOfStack } from '@stablecoin/local-stack/processes';
import { SERVICES } from '@stablecoin/local-stack/services';

/** The process of each service, the database and the broker, by name; of those that run. */
export function processesByName(dataDir: string): Map<string, number> {
  const named = processesOfStack(dataDir).map(({ pid, role, args }) => {
    const service = SERVICES.find((name) => args.some((argument) => argument.includes(`/apps/${name}/`)));
    return [role === 'service' ? (service ?? role) : role, pid] as const;
  });
  return new Map(named);
}

/** The names of those that ended since, whether or not they were started again. */
export const endedSince = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): string[] =>
  [...before].filter(([name, pid]) => now.get(name) !== pid).map(([name]) => name);
