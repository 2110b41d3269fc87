// npm run compose:check: docker-compose.yml and the Dockerfile, checked where there is no Docker. The file against the
// compose specification and our own rules → each image's contents, by carrying out the Dockerfile → everything started from
// them as the file says, on a real Postgres and a real NATS → a merchant's journey, the broker's walls, a rolling restart
// under load → everything asked to end. What only Docker can show is not shown here: the build of the images itself, and
// what the kernel enforces (limits, capabilities, read-only file systems, networks).

import './stack/node-version.mjs';

const HELP = `
npm run compose:check [-- options]

Checks docker-compose.yml and the Dockerfile without Docker, and measures each image's contents, start and memory.

  --only-file   only what can be said of the file by itself: the specification's schema, variables, our rules
  --only-images the file, and the contents of the images
  --keep        leave the folder with the images and the logs, and say where it is
  --json        one JSON line on stdout: {"images":[…],"services":[…],"restart":{…},"stopped":[…]}
  --help
`;
const FLAGS = {
  'only-file': { type: 'boolean' },
  'only-images': { type: 'boolean' },
  keep: { type: 'boolean' },
  json: { type: 'boolean' },
};
/** What an operator's .env would say. The lead is shorter than the default: our load balancer looks five times a second. */
const VARIABLES = {
  CHECKPOINT_ORIGIN: 'compose.example.com',
  RATE_LIMIT_PER_SECOND: '10000',
  RATE_LIMIT_BURST: '10000',
  DRAIN_LEAD_MS: '2000',
};

async function main(argv) {
  const { parseFlags } = await import('./stack/terminal.mjs');
  const parsed = await parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const { ensureReady } = await import('./stack/setup.mjs');
  await ensureReady({ quiet: true });
  const { checkDeployment, checkFile, checkImages, inTemporaryFolder } = await import('./compose/check.mjs');
  const { report } = await import('./compose/report.mjs');
  const { values } = parsed;
  const model = await checkFile(VARIABLES);
  if (values['only-file']) return 0;
  return inTemporaryFolder(values.keep, async (folder) => {
    const checked = await checkImages(model, folder);
    const outcome = values['only-images'] ? checked.result : { ...checked.result, ...(await checkDeployment(checked)) };
    report(outcome, values.json);
    return 0;
  });
}

import('./stack/terminal.mjs').then(({ runCommand }) => runCommand(main)).then(() => process.exit());
