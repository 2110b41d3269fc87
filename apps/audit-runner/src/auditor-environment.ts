/** What the auditor's program needs: the ledger to read, whom to ask beside it, and nothing of people. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'],
  ...[
    'AUDIT_DATABASE_URL',
    'AUDIT_DATABASES',
    'AUDIT_WITNESSES',
    'AUDIT_LOGINS',
    'COMMAND_EVIDENCE_KEYS',
    'LEDGER_SHARDS',
  ],
];

export function auditorEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = PASSED_ON.flatMap((name) => [name, `${name}_FILE`]);
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
