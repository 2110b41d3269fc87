import { createAuditor } from './auditor';

// The reader of a pipe may stop reading at any time: the rest of the output is then dropped.
process.stdout.on('error', () => undefined);

void createAuditor(process.env, process.stdout, process.stderr)
  .run(process.argv.slice(2))
  .then((code) => (process.exitCode = code));
