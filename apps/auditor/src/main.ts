import { createAuditor } from './auditor';
import { EXIT } from './report/report';

// The reader of a pipe may stop reading at any time: the rest of the output is then dropped.
process.stdout.on('error', () => undefined);

void createAuditor(process.env, process.stdout, process.stderr)
  .run(process.argv.slice(2))
  .then((code) => (process.exitCode = code));

// Of a program that has started it: once that one is gone, what it finds reaches no one.
if (process.connected) {
  process.once('disconnect', () => process.exit(EXIT.failure));
  // Nor does waiting for that hold up the end.
  process.channel?.unref();
}
