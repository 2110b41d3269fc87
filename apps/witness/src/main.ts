import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { ConfigurationError, loadConfiguration } from '@stablecoin/service-host/setting';
import { WitnessBook } from '@stablecoin/witness/witness-book';
import { WitnessConfiguration } from './witness.configuration';
import { WitnessServer } from './witness-server';

const HELP = `
npm run witness                                            serves: docs/CONFIGURATION.md lists its settings
npm run witness -- begin-anew --origin ORIGIN --reason TEXT  after a ledger's database was restored to an earlier moment: the
                                                           log may begin anew; what was seen stays in the file

Exit codes: 0 done, 2 wrong usage.
`;

const tell = (event: object) =>
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);

async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { origin: { type: 'string' }, reason: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [command] = positionals;
  if (values.help) {
    process.stdout.write(HELP.trimStart());
    return 0;
  }
  const configuration = loadConfiguration(WitnessConfiguration, process.env);
  if (command === undefined) return serve(configuration);
  const { origin, reason } = values;
  if (command !== 'begin-anew' || !origin || !reason) throw new ConfigurationError(HELP.trim());
  const book = new WitnessBook({ directory: configuration.directory });
  if (!(await book.origins()).includes(origin)) throw new ConfigurationError(`This witness has seen no log ${origin}.`);
  await book.beginAnew(origin, reason);
  tell({ msg: 'a log begins anew', origin, reason });
  return 0;
}

async function serve(configuration: WitnessConfiguration): Promise<number> {
  const server = new WitnessServer({ ...configuration, tell });
  const url = await server.listen(configuration.host, configuration.port);
  tell({ msg: 'ready', url, verifier_key: server.cosigner.verifierKey });
  process.send?.({ url });
  await new Promise((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve));
  await server.close();
  return 0;
}

void main(process.argv.slice(2))
  .catch((error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  })
  .then((code) => (process.exitCode = code));
