// npm run logs: what the services of the stack in DATA_DIR log, as text: all of it as it comes, or, with the id of a request,
// that request on its way through all services.

import { existsSync } from 'node:fs';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { parseFlags, say } from '@stablecoin/command-line/terminal';
import { dataDirFrom, dataPaths } from '@stablecoin/local-stack/paths';
import { readableOfService } from '@stablecoin/service-host/logging/readable';
import { FollowedLogs } from './followed-logs';
import { linesOfRequest } from './request-lines';

const HELP = `
npm run logs [-- REQUEST_ID] [--json]

Shows what the services of the stack in DATA_DIR (default .data) log, as it comes, until Ctrl-C. With the id of a request
(request_id of an answer, or of a line) every line of that request, of all services in the order of time, also of the start
before. The stack may be stopped.

  --json   the lines as they are: one JSON object each
  --help
`;
const FOLLOW_EVERY_MS = 250;
const LINES_BEFORE = 20;

export async function logs(argv: string[]): Promise<number> {
  const parsed = await parseFlags(argv, { json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const folder = dataPaths(dataDirFrom(process.env)).logs;
  if (!existsSync(folder)) throw new OperatorError(`There are no logs in ${folder}: npm start writes them.`);
  const show = (line: string) => {
    process.stdout.write(`${parsed.values.json ? line : textOf(line)}\n`);
  };
  const [requestId] = parsed.positionals;
  return requestId === undefined ? follow(folder, show) : showRequest(folder, requestId, show);
}

const textOf = (line: string) => readableOfService(line, { milliseconds: true }) ?? line;

async function showRequest(folder: string, requestId: string, show: (line: string) => void): Promise<number> {
  const lines = await linesOfRequest(folder, requestId);
  if (lines.length === 0)
    throw new OperatorError(
      `No line in ${folder} is of the request ${requestId}: the logs of this start and of the one before are kept.`,
    );
  lines.forEach(show);
  return 0;
}

async function follow(folder: string, show: (line: string) => void): Promise<never> {
  say(`Following ${folder}; Ctrl-C ends`);
  const logs = new FollowedLogs(folder, LINES_BEFORE);
  const look = () => {
    logs.newLines().forEach(show);
  };
  look();
  setInterval(look, FOLLOW_EVERY_MS);
  return new Promise<never>(() => undefined);
}
