// npm run compose:check: docker-compose.yml and the Dockerfile, checked where there is no Docker. The file against the
// compose specification and our own rules → each image's contents, by carrying out the Dockerfile → everything started from
// them with the images' Node as the file says, on a real Postgres and a real NATS → a merchant's journey, what the broker
// refuses, a rolling restart under load → everything asked to end. What only Docker can show is not shown here: the build of
// the images itself, and what the kernel enforces (limits, capabilities, read-only file systems, networks).

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { checkDeployment, checkFile, checkImages } from './trial/deployment-trial';
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
/** As an operator's .env gives them. The lead is shorter than the default: our load balancer looks ten times a second. */
const VARIABLES = {
  CHECKPOINT_ORIGIN: 'compose.example.com',
  RATE_LIMIT_PER_SECOND: '10000',
  RATE_LIMIT_BURST: '10000',
  DRAIN_LEAD_MS: '2000',
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

/** Runs `work` with a folder that is removed afterwards, whatever happens, unless it is to be kept. */
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
