// Lint, and the walls between the parts: who may import whom is a failing check here, not a wish.
const nx = require('@nx/eslint-plugin');
const tseslint = require('typescript-eslint');

/** What each type of project may stand on. Left out means forbidden: there is no rule for everybody. */
const MAY_DEPEND_ON = {
  'type:value': ['type:value'],
  'type:domain': ['type:value'],
  'type:contracts': ['type:value', 'type:contracts'],
  // Counts and traces what the others do, and knows nothing of it.
  'type:telemetry': [],
  // What a merchant installs: nothing of ours, and nothing but Node.
  'type:sdk': [],
  // Installed by merchants as well, on the SDK alone.
  'type:merchant-program': ['type:sdk'],
  'type:platform': ['type:value', 'type:contracts', 'type:telemetry', 'type:platform'],
  // Of the command line only the error that tells an operator why not.
  'type:store': [
    ...['type:value', 'type:domain', 'type:contracts', 'type:telemetry', 'type:platform', 'type:store'],
    'scope:command-line',
  ],
  'type:service': ['type:value', 'type:domain', 'type:contracts', 'type:telemetry', 'type:platform', 'type:store'],
  // For browsers: nothing that needs Node, and no rule of the business.
  'type:console': ['type:value'],
  'type:e2e': ['type:value', 'type:testing', 'type:tooling', 'type:sdk'],
  'type:testing': ['type:value', 'type:tooling', 'type:testing', 'type:sdk'],
  // What runs the service on one machine, prepares its databases and speaks to a person: no rule of the business, but the
  // facts of the outside world that its stand-ins have to have right (chain ids, tokens, how addresses are derived).
  'type:tooling': ['type:value', 'type:tooling', 'type:sdk'],
  // What an operator runs in production, over everything but the domain and the tests.
  'type:operator': ['type:value', 'type:contracts', 'type:telemetry', 'type:platform', 'type:store', 'type:tooling'],
  // Programs over all of it: a developer's commands, and the trials.
  'type:program': [
    ...['type:value', 'type:domain', 'type:contracts', 'type:telemetry', 'type:platform', 'type:store', 'type:testing'],
    'type:tooling',
    'type:sdk',
  ],
};

/** The ledger's decider, and each store's tables, belong to one service: no other service reaches past its contract. */
const NOT_ITS_OWN = {
  'scope:gateway': ['type:domain', 'type:store'],
  'scope:customer': ['type:domain', 'store:ledger', 'store:people'],
  'scope:swap-pricing': ['type:domain', 'type:store'],
  'scope:payout': ['type:domain', 'type:store'],
  'scope:signer': ['type:domain', 'type:store'],
  'scope:chain': ['type:domain', 'type:store'],
  'scope:wallet-ledger': ['store:customer', 'store:people'],
  'scope:audit-runner': ['type:domain', 'store:ledger', 'store:customer'],
  'scope:backoffice': ['type:domain', 'store:ledger', 'store:customer'],
};

/** Specs, their fixtures and benchmarks: the only files of a product that may import what is made for tests. */
const TEST_FILES = ['**/*.spec.ts', '**/testing/**/*.ts', '**/benchmarks/**/*.ts', 'apps/journeys-e2e/**/*.ts'];

/** What metrics and traces are made with: one library imports it, so that all names and labels stand in its catalogue. */
const TELEMETRY = ['prom-client', '@opentelemetry/*'];
const FRAMEWORKS = ['@nestjs/*', '@prisma/*', 'prisma', 'nats', 'pg', 'rxjs', 'fastify'];

const constraints = (alsoTestLibraries) => [
  ...Object.entries(MAY_DEPEND_ON).map(([sourceTag, onlyDependOnLibsWithTags]) => ({
    sourceTag,
    onlyDependOnLibsWithTags: [...onlyDependOnLibsWithTags, ...(alsoTestLibraries ? ['type:testing'] : [])],
    bannedExternalImports: [
      ...(['type:value', 'type:domain', 'type:contracts', 'type:console'].includes(sourceTag) ? FRAMEWORKS : []),
      ...(sourceTag === 'type:store' ? ['@nestjs/*'] : []),
      ...(sourceTag === 'type:telemetry' ? [] : TELEMETRY),
    ],
  })),
  ...Object.entries(NOT_ITS_OWN).map(([sourceTag, tags]) => ({
    sourceTag,
    notDependOnLibsWithTags: tags.filter((tag) => !(alsoTestLibraries && tag === 'type:testing')),
  })),
  // A merchant or an auditor reads the verification in one sitting: it needs nothing but Node.
  ...['scope:event-chain', 'scope:event-proofs'].map((sourceTag) => ({
    sourceTag,
    onlyDependOnLibsWithTags: alsoTestLibraries ? ['type:testing'] : [],
  })),
];
const boundaries = (alsoTestLibraries) => [
  'error',
  {
    allow: [],
    depConstraints: constraints(alsoTestLibraries),
    // Its metrics are always loaded, OpenTelemetry only while traces are on.
    checkDynamicDependenciesExceptions: ['@stablecoin/telemetry/**'],
  },
];

module.exports = tseslint.config(
  { ignores: ['**/node_modules', '**/dist', '**/generated', '.nx', '.data', 'coverage'] },
  {
    files: ['apps/**/*.ts', 'apps/console/**/*.tsx', 'libs/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(false),
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // A contract is a class, for its validators, and a shape, for its callers: literals and spreads of it are what they send.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      // `open<Value>(sealed)`: who reads stored JSON names its type at the call.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // Nest's modules are classes without members.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'decimal.js', message: 'Amounts are Money: only libs/money knows decimal.js.' }] },
      ],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: TEST_FILES,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(true),
      // Jest's matchers, and the rows and answers that a spec looks at, are typed `any`; stand-ins are asynchronous because
      // what they stand for is; what `beforeAll` sets is not there when `beforeAll` failed.
      ...Object.fromEntries(
        [
          'no-unsafe-assignment',
          'no-unsafe-argument',
          'no-unsafe-call',
          'no-unsafe-member-access',
          'no-unsafe-return',
          'no-unnecessary-condition',
          'no-non-null-assertion',
          'no-implied-eval',
          'no-dynamic-delete',
          'prefer-promise-reject-errors',
          'no-base-to-string',
          'no-deprecated',
          'no-unsafe-enum-comparison',
          'no-unsafe-enum-assignment',
          'no-unnecessary-type-conversion',
          'no-confusing-void-expression',
          'no-meaningless-void-operator',
          'no-invalid-void-type',
          'restrict-template-expressions',
          'use-unknown-in-catch-callback-variable',
          'require-await',
          'unbound-method',
        ].map((rule) => [`@typescript-eslint/${rule}`, 'off']),
      ),
    },
  },
  { files: ['libs/money/src/**/*.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['tools/**/*.mjs'],
    languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
    rules: { eqeqeq: 'error', 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
  },
);
