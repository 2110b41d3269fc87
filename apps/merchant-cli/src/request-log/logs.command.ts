import { setTimeout as delay } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { table } from '../output/table';
import { outJson, Terminal } from '../output/terminal';
import { connectionOf } from '../profiles/connection';
import { untilInterrupted } from '../until-interrupted';
import { LoggedRequest, loggedRequests, requestLogFile, RequestLogTail } from './request-log';

const POLL_MS = 300;
const COLUMNS = ['at', 'method', 'path', 'status', 'code', 'duration_ms', 'attempt', 'request_id'];

export function addLogsCommand(program: Command, terminal: Terminal): void {
  program
    .command('logs')
    .summary('Show the requests that you made with this command')
    .description(
      'Shows the requests that this user made with stablecoin, newest last. They are kept on this machine only, at most 2 MiB, ' +
        'without keys, bodies and ids: requests of your other programs are not among them. A request_id is what the operator ' +
        'finds a request by. What happened to your money is in: stablecoin events list, stablecoin transactions list.',
    )
    .option('--limit <number>', 'how many', wholeNumber, 20)
    .option('--follow', 'go on with those that come, until Ctrl-C')
    .option('--profile <name>', 'another profile than the current one')
    .option('--json', 'one JSON array; with --follow a line of JSON for each')
    .addHelpText('after', '\nExample:\n  stablecoin logs --limit 5')
    .action((options: LogsOptions) => showLogs(terminal, options));
}

interface LogsOptions {
  limit: number;
  follow?: true;
  profile?: string;
  json?: true;
}

async function showLogs(terminal: Terminal, { limit, follow, profile, json }: LogsOptions): Promise<void> {
  const { profile: name } = connectionOf(terminal.env, profile);
  const isOwn = (request: LoggedRequest) => request.profile === name;
  const tail = new RequestLogTail(requestLogFile(terminal.env));
  const past = loggedRequests(terminal.env).filter(isOwn).slice(-limit);
  const show = (requests: LoggedRequest[]) => {
    const lines = json ? requests.map((request) => JSON.stringify(request)) : rowsOf(requests);
    if (lines.length > 0) terminal.out(`${lines.join('\n')}\n`);
  };
  if (!json) terminal.out(`${table(past, COLUMNS)}\n`);
  else if (follow) show(past);
  else outJson(terminal, past);
  if (!follow) return;
  await untilInterrupted(async (signal) => {
    while (!signal.aborted) {
      show(tail.next().filter(isOwn));
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  });
}

const rowsOf = (requests: LoggedRequest[]): string[] =>
  requests.map(({ at, method, path, status, code, duration_ms, request_id }) =>
    [at, method, path, status ?? '-', code ?? '-', `${duration_ms} ms`, request_id].join('  '),
  );

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('A whole number from 1 to 99999.');
  return Number(text);
}
