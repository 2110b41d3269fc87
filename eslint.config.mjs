// Lint, and the walls between the parts: who may import whom is a failing check here, not a wish.
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** What each type of project may stand on. Left out means forbidden: there is no rule for everybody. */
const MAY_DEPEND_ON = {
  'type:value': ['type:value'],
  'type:domain': ['type:value'],
  'type:contracts': ['type:value', 'type:contracts'],
  // Counts and traces what the others do, and knows nothing of it.
  'type:telemetry': [],
  'type:platform': ['type:value', 'type:contracts', 'type:telemetry', 'type:platform', 'type:testing'],
  // Of the command line only the error that tells an operator why not.
  'type:store': [
    ...['type:value', 'type:domain', 'type:contracts', 'type:telemetry', 'type:platform', 'type:store'],
    'scope:command-line',
  ],
  'type:service': [
    ...['type:value', 'type:domain', 'type:contracts', 'type:telemetry', 'type:platform', 'type:store', 'type:testing'],
  ],
  'type:e2e': ['type:value', 'type:testing', 'type:tooling'],
  'type:testing': ['type:value', 'type:tooling', 'type:testing'],
  // What runs the service on one machine, prepares its databases and speaks to a person: no rule of the business.
  'type:tooling': ['type:tooling'],
  // Programs over all of it: the operator's commands, a developer's, and the trials.
  'type:program': [
    ...['type:value', 'type:domain', 'type:contracts', 'type:telemetry', 'type:platform', 'type:store', 'type:testing'],
    'type:tooling',
  ],
};

/** The ledger's decider, and each store's tables, belong to one service: no other service reaches past its contract. */
const NOT_ITS_OWN = {
  'scope:gateway': ['type:domain', 'type:store'],
  'scope:customer': ['type:domain', 'store:ledger'],
  'scope:swap-pricing': ['type:domain', 'type:store'],
  'scope:payout': ['type:domain', 'type:store'],
  'scope:wallet-ledger': ['store:customer'],
};

/** What metrics and traces are made with: one library imports it, so that all names and labels stand in its catalogue. */
const TELEMETRY = ['prom-client', '@opentelemetry/*'];
const FRAMEWORKS = ['@nestjs/*', '@prisma/*', 'prisma', 'nats', 'pg', 'rxjs', 'fastify'];

const depConstraints = [
  ...Object.entries(MAY_DEPEND_ON).map(([sourceTag, onlyDependOnLibsWithTags]) => ({
    sourceTag,
    onlyDependOnLibsWithTags,
    bannedExternalImports: [
      ...(['type:value', 'type:domain', 'type:contracts'].includes(sourceTag) ? FRAMEWORKS : []),
      ...(sourceTag === 'type:store' ? ['@nestjs/*'] : []),
      ...(sourceTag === 'type:telemetry' ? [] : TELEMETRY),
    ],
  })),
  ...Object.entries(NOT_ITS_OWN).map(([sourceTag, notDependOnLibsWithTags]) => ({
    sourceTag,
    notDependOnLibsWithTags,
  })),
  // A merchant or an auditor reads the verification in one sitting: it needs nothing but Node.
  { sourceTag: 'scope:event-chain', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'scope:event-proofs', onlyDependOnLibsWithTags: [] },
];

export default tseslint.config(
  { ignores: ['**/node_modules', '**/dist', '**/generated', '.nx', '.data', 'coverage'] },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    extends: [tseslint.configs.recommended],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { allow: [], depConstraints }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'decimal.js', message: 'Amounts are Money: only libs/money knows decimal.js.' }] },
      ],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  { files: ['libs/money/src/**/*.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['tools/**/*.mjs', 'libs/testing/**/*.mjs', '*.js', '*.mjs'],
    languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
    rules: { eqeqeq: 'error', 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
  },
);
