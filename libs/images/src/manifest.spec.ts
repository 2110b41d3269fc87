import { type LockedPackage, manifestOf } from './manifest';

const project = { version: '1.0.0', dependencies: { a: '1.0.0' }, devDependencies: { d: '1.0.0' } };
const packages: Record<string, LockedPackage> = {
  '': {},
  'node_modules/a': {
    version: '1.0.0',
    dependencies: { b: '^2' },
    peerDependencies: { p: '*', o: '*' },
    peerDependenciesMeta: { o: { optional: true } },
  },
  'node_modules/a/node_modules/b': { version: '2.0.0', optionalDependencies: { missing: '*', x: '*' } },
  'node_modules/b': { version: '1.0.0' },
  'node_modules/d': { version: '1.0.0', dev: true },
  'node_modules/o': { version: '1.0.0' },
  'node_modules/p': { version: '1.0.0' },
  'node_modules/x': { version: '1.0.0', devOptional: true },
};
const checkout = { project, lock: { lockfileVersion: 3, packages } };

it('holds what is used and what that needs, in the places of the lock, and nothing else', () => {
  const { packageJson, packageLock } = manifestOf('app', ['a'], checkout);
  expect(packageJson.dependencies).toEqual({ a: '1.0.0' });
  expect(Object.keys(packageLock.packages)).toEqual([
    '',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/p',
    'node_modules/x',
  ]);
  expect(packageLock.packages['node_modules/x']).toEqual({ version: '1.0.0', optional: true });
});

it('refuses a development dependency, and a package that package.json does not name', () => {
  expect(() => manifestOf('app', ['d'], checkout)).toThrow('app imports d, but it is a development dependency');
  expect(() => manifestOf('app', ['z'], checkout)).toThrow('package.json does not name it');
});
