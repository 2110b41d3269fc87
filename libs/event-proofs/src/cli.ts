/** The offline commands on their own: node dist/libs/event-proofs/src/cli.js verify-proof FILE --key PUBLIC_KEY */
import { runOfflineCommand } from './offline-commands';

const { code, out, err } = runOfflineCommand(process.argv.slice(2));
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
