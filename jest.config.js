// One configuration for every kind of test: unit (pure, *.spec.ts), int (real Postgres and NATS, *.int.spec.ts), e2e (black box
// over HTTP against the real processes, *.e2e.spec.ts) and, of those, console (people in a browser, each on a stack of its own).
const transform = { '^.+\\.[tj]s$': ['@swc/jest', { ...swcOptions() }] };
/** Packages that are ES modules only: Node's own require loads them, Jest's does when they are made CommonJS. */
const ES_MODULES = [
  ...['execa', 'get-port', '@sec-ant/readable-stream', '@sindresorhus/merge-streams', 'figures', 'get-stream'],
  ...['human-signals', 'is-plain-obj', 'is-stream', 'is-unicode-supported', 'npm-run-path', 'parse-ms', 'path-key'],
  ...['pretty-ms', 'strip-final-newline', 'unicorn-magic', 'yoctocolors'],
  ...['@redocly/openapi-core', 'change-case', 'index-to-position', 'parse-json', 'supports-color'],
];
const transformIgnorePatterns = [
  `/node_modules/(?!(?:.+/node_modules/)?(?:${ES_MODULES.join('|')})/)`,
  '<rootDir>/dist/',
];
/** The path aliases of tsconfig.base.json; with .js where a module is loaded late, as Node's own rules for `import()` ask. */
const moduleNameMapper = Object.fromEntries(
  Object.entries(require('./tsconfig.base.json').compilerOptions.paths).map(([alias, [target]]) => [
    `^${alias.replace('*', '(.*?)(?:\\.js)?')}$`,
    target.replace('./', '<rootDir>/').replace('*', '$1'),
  ]),
);
/** It exports nothing under the condition `require`, by which Jest resolves. */
moduleNameMapper['^unicorn-magic$'] = '<rootDir>/node_modules/unicorn-magic/node.js';
const shared = {
  rootDir: __dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testEnvironment: 'node',
  transform,
  transformIgnorePatterns,
  moduleNameMapper,
};

/** The options of .swcrc, less what only the build needs: Jest runs the specs. */
function swcOptions() {
  const options = JSON.parse(require('node:fs').readFileSync(require('node:path').join(__dirname, '.swcrc'), 'utf8'));
  delete options.exclude;
  delete options.$schema;
  return { ...options, swcrc: false, sourceMaps: 'inline' };
}

module.exports = {
  // Of the whole run: Jest reads none from a project. For a machine that is busy; what is promised sooner, its test measures.
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['\\.int\\.spec\\.ts$', '\\.e2e\\.spec\\.ts$'],
    },
    {
      ...shared,
      displayName: 'int',
      testMatch: ['**/*.int.spec.ts'],
      globalSetup: '<rootDir>/dist/libs/testing/src/jest/int-setup.js',
      globalTeardown: '<rootDir>/dist/libs/testing/src/jest/int-teardown.js',
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['**/*.e2e.spec.ts'],
      testPathIgnorePatterns: ['/console[^/]*\\.e2e\\.spec\\.ts$'],
      globalSetup: '<rootDir>/dist/libs/testing/src/jest/e2e-setup.js',
      globalTeardown: '<rootDir>/dist/libs/testing/src/jest/e2e-teardown.js',
    },
    {
      ...shared,
      displayName: 'console',
      testMatch: ['**/console*.e2e.spec.ts'],
    },
  ],
};
