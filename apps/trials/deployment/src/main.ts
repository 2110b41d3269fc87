// npm run compose:check: checks docker-compose.yml and the Dockerfile without Docker. It checks the file against the
// compose specification and our own rules → executes the Dockerfile and checks each image's contents → starts all of it
// as the file says, with the images' Node, on two real Postgres, a real NATS and a chain of its own → moves a shard to the
// second Postgres, runs the journey of a merchant on it, a live merchant's deposit and payout over the chain, the broker's
// refusals and a rolling restart under load → ends everything. Only Docker can show the build of the images itself and the
// limits that the kernel enforces (resources, capabilities, read-only file systems, networks).

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { checkDeployment, checkFile, checkImages } from './trial/deployment-trial';
import { CHAIN_VARIABLES } from './trial/money-on-a-chain';
import { report } from './trial/report';

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
} as const;
/** An operator's .env. The lead is shorter than the default, because our load balancer looks ten times a second. */
const VARIABLES = {
  CHECKPOINT_ORIGIN: 'compose.example.com',
  // Of the operator's shell: who types the commands.
  USER: 'ada',
  RATE_LIMIT_PER_SECOND: '10000',
  RATE_LIMIT_BURST: '10000',
  DRAIN_LEAD_MS: '2000',
  ...CHAIN_VARIABLES,
};

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const { keep = false, json = false, 'only-file': onlyFile, 'only-images': onlyImages } = parsed.values;
  const model = await checkFile(VARIABLES);
  if (onlyFile) return 0;
  return inTemporaryFolder(keep, async (folder) => {
    const { deployment, images } = await checkImages(model, folder);
    report({ images, ...(onlyImages ? {} : await checkDeployment(deployment)) }, json);
    return 0;
  });
}

/** Runs `work` with a folder that is removed afterwards, also after an error, unless `keep` is set. */
async function inTemporaryFolder<Result>(keep: boolean, work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-trial-'));
  chmodSync(folder, 0o711); // Started by root, Postgres and the services run as other users and have to pass through.
  try {
    return await work(folder);
  } finally {
    if (keep) say(`  Kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

void runCommand(main).then(() => process.exit());
