// npm run logs: shows the logs of the services of the stack in DATA_DIR as text: new lines of all services, or, with
// the id of a request, that request's lines of all services.

import { existsSync } from 'node:fs';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { dataDirFrom, dataPaths } from '@stablecoin/local-stack/paths';
import { readableOfService } from '@stablecoin/service-host/logging/readable';
import { FollowedLogs, type ServiceLine } from './followed-logs';
import { parsedLine } from './log-line';
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

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, { json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const folder = dataPaths(dataDirFrom(process.env)).logs;
  if (!existsSync(folder)) throw new OperatorError(`There are no logs in ${folder}: npm start writes them.`);
  const [requestId] = parsed.positionals;
  const show = parsed.values.json ? showJson : showText;
  return requestId === undefined ? follow(folder, show) : showRequest(folder, requestId, show);
}

type Show = (text: string, service?: string) => void;

const showJson: Show = (text) => {
  if (parsedLine(text) !== undefined) process.stdout.write(`${text}\n`);
};

const showText: Show = (text, service) => {
  process.stdout.write(`${readableOfService(text, { milliseconds: true }) ?? `[${service ?? '?'}] ${text}`}\n`);
};

async function showRequest(folder: string, requestId: string, show: Show): Promise<number> {
  const lines = await linesOfRequest(folder, requestId);
  if (lines.length === 0)
    throw new OperatorError(
      `No line in ${folder} is of the request ${requestId}: the logs of this start and of the one before are kept.`,
    );
  for (const line of lines) show(line);
  return 0;
}

async function follow(folder: string, show: Show): Promise<never> {
  say(`Following ${folder}; Ctrl-C ends`);
  const logs = new FollowedLogs(folder);
  const showAll = (lines: readonly ServiceLine[]) => {
    for (const { text, service } of lines) show(text, service);
  };
  showAll(logs.newLines().slice(-LINES_BEFORE));
  setInterval(() => {
    showAll(logs.newLines());
  }, FOLLOW_EVERY_MS);
  return new Promise<never>(() => undefined);
}

void runCommand(main);
