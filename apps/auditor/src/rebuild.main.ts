import { runRebuilder } from './rebuilder';

void runRebuilder(process.argv.slice(2), process.env, process.stdout, process.stderr).then(
  (code) => (process.exitCode = code),
);
