import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { ignoreRules } from './docker-ignore';

describe('.dockerignore', () => {
  it('applies the last pattern that matches', () => {
    const allows = ignoreRules('*\n!apps\n**/*.spec.ts\n!apps/keep.spec.ts');
    const paths = ['README.md', 'apps/a/b.ts', 'apps/a/b.spec.ts', 'apps/keep.spec.ts'];
    expect(paths.filter(allows)).toEqual(['apps/a/b.ts', 'apps/keep.spec.ts']);
  });

  const ours = ignoreRules(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));

  it.each(['apps/gateway/src/main.ts', 'prisma/swap/schema.prisma', 'package.json'])('lets %s through', (path) =>
    expect(ours(path)).toBe(true),
  );

  it.each(['.env', 'deploy/secrets/bus_key', '.git/config', '.data/secrets.json', 'apps/a/x.e2e.spec.ts', 'docs/x'])(
    'keeps %s out',
    (path) => expect(ours(path)).toBe(false),
  );
});
