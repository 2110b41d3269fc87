/** What the console's own source says of its screens. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './merchants';

const ROUTE = /const (\w+) = createRoute\(\{\s+getParentRoute: \(\) => (\w+),\s+(path|id): '([^']+)',/g;

/** The address of each route of the console, as its router puts them together. */
export function consoleRoutes(): string[] {
  const source = readFileSync(join(ROOT, 'apps/console/src/router.tsx'), 'utf8');
  const written = [...source.matchAll(ROUTE)].map(([, name = '', parent = '', kind, text = '']) => ({
    ...{ name, parent, text: kind === 'path' ? text : '' },
  }));
  if (written.length !== source.split('= createRoute(').length - 1)
    throw new Error('router.tsx has a route that is written in another way');
  const addressOf = (name: string): string => {
    const route = written.find((one) => one.name === name);
    return route === undefined ? '' : `${addressOf(route.parent)}${route.text}`;
  };
  return written.flatMap(({ name, text }) => (text === '' ? [] : [addressOf(name)]));
}
