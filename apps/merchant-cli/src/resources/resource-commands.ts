/**
 * A command for each method of each resource, made of the SDK's own description of the interface: its flags are the fields of the
 * query or the body, and a method that the SDK gains is a command with no line changed here.
 */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import type { Page, PageCall } from 'stablecoin-sdk';
import { callOperation, OperationDescription, OperationInput, OPERATIONS } from 'stablecoin-sdk/operations';
import { UsageError } from '../failures';
import { fieldLines, table } from '../output/table';
import { outJson, Terminal } from '../output/terminal';
import { clientOf, connectionOf } from '../profiles/connection';
import { requestLogger } from '../request-log/request-log';
import { columnsOf } from './columns';
import { exampleOf } from './command-example';
import { fieldsWithoutFlag, Flag, flagHelp, flagsOf } from './flags';
import { kebabCase } from './kebab-case';
import { GivenFlags, paramsOf } from './request-params';

interface GeneralOptions {
  profile?: string;
  json?: true;
  data?: string;
  all?: true;
  idempotencyKey?: string;
}

const ABOUT: Readonly<Record<string, string>> = {
  audit: 'Past balances, explanations and proofs',
  sandbox: 'What happens outside, brought about with a test key',
  assets: 'The assets that the service knows',
};
/** As an id, they would name another resource. */
const NO_IDS = new Set(['', '.', '..']);

export function addResourceCommands(program: Command, terminal: Terminal): void {
  for (const resource of new Set(OPERATIONS.map((operation) => operation.resource))) {
    const about = ABOUT[resource] ?? `Work with ${kebabCase(resource).replaceAll('-', ' ')}`;
    const command = program.command(kebabCase(resource)).summary(about).description(`${about}.`);
    for (const operation of OPERATIONS.filter((each) => each.resource === resource)) {
      addOperation(command, operation, terminal);
    }
  }
}

function addOperation(parent: Command, operation: OperationDescription, terminal: Terminal): void {
  const { method, summary, description, httpMethod, path, pathParameters, file, params } = operation;
  const command = parent
    .command(kebabCase(method))
    .summary(summary)
    .description([`${summary}.`, ...needsOf(description), `${httpMethod} ${path}`].join('\n\n'));
  for (const parameter of pathParameters) command.argument(`<${kebabCase(parameter.name)}>`, parameter.description);
  if (file !== undefined) command.argument(`<${file.name}>`, file.description);
  const flags = params === undefined ? [] : flagsOf(params.typeName);
  const options = flags.map((flag) => optionOf(flag));
  for (const option of options) command.addOption(option);
  addGeneralOptions(command, operation);
  command.addHelpText('after', `\nExample:\n  ${exampleOf(operation, flags)}`);
  command.action(async () => {
    const values = command.opts<Record<string, unknown>>();
    const given: GivenFlags = new Map(
      options.flatMap((option, index) => {
        const texts = values[option.attributeName()] as string[] | undefined;
        return texts === undefined ? [] : [[flags[index]?.name ?? '', texts] as const];
      }),
    );
    await run(terminal, operation, { flags, given, ids: command.processedArgs as string[], options: command.opts() });
  });
}

/** A description names other operations as the document does: here by their commands. */
function needsOf(description: string | undefined): string[] {
  const named = new Map(
    OPERATIONS.map((each) => [each.operationId, `${kebabCase(each.resource)} ${kebabCase(each.method)}`]),
  );
  return description === undefined
    ? []
    : [description.replaceAll(/(?<=`)\w+(?=`)/g, (name) => named.get(name) ?? name)];
}

function optionOf(flag: Flag): Option {
  const value = flag.kind === 'boolean' ? '[true|false]' : `<${flag.kind === 'text' ? 'value' : 'number'}>`;
  const option = new Option(`--${flag.name} ${value}`, flagHelp(flag));
  // All that were given; which count is the flag's own matter.
  return option.preset('true').argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
}

function addGeneralOptions(
  command: Command,
  { params, answer, takesIdempotencyKey, httpMethod }: OperationDescription,
): void {
  if (params !== undefined && httpMethod !== 'GET') {
    const only = fieldsWithoutFlag(params.typeName).map(({ name }) => name);
    const needed = only.length === 0 ? '' : `; only here: ${only.join(', ')}`;
    command.option('--data <json>', `the body as JSON, as @file, or - for stdin; flags go before it${needed}`);
  }
  if (answer === 'page') command.option('--all', 'all pages, from --page on');
  if (takesIdempotencyKey) {
    command.option(
      '--idempotency-key <key>',
      'such as the number of your order: whatever is sent with it takes effect once; drawn unless given',
    );
  }
  command.option('--profile <name>', 'another profile than the current one');
  command.option('--json', answer === 'page' || answer === 'list' ? 'one JSON array' : 'one JSON value');
}

async function run(
  terminal: Terminal,
  operation: OperationDescription,
  given: { flags: readonly Flag[]; given: GivenFlags; ids: readonly string[]; options: GeneralOptions },
): Promise<void> {
  const { profile, json, all, idempotencyKey } = given.options;
  const input = await inputOf(terminal, operation, given);
  const connection = connectionOf(terminal.env, profile);
  const client = clientOf(connection, requestLogger(terminal.env, connection));
  const call = callOperation(client, operation, input, { idempotencyKey });
  if (operation.answer === 'page') return showPages(terminal, operation, call as PageCall<object>, { json, all });
  const { data, replayed } = await call.withAnswer();
  if (replayed) terminal.note('This had been done before with the same key: the stored answer.');
  show(terminal, operation, data, json === true);
}

async function inputOf(
  terminal: Terminal,
  { pathParameters, file, params }: OperationDescription,
  { flags, given, ids, options }: Parameters<typeof run>[2],
): Promise<OperationInput> {
  const named = pathParameters.map(({ name }, index): [string, string] => [name, ids[index] ?? '']);
  for (const [name, id] of named) if (NO_IDS.has(id)) throw new UsageError(`"${id}" is no ${kebabCase(name)}.`);
  return {
    pathParameters: Object.fromEntries(named),
    ...(file !== undefined && { file: contentOf(ids[pathParameters.length] ?? '') }),
    ...(params !== undefined && {
      params: await paramsOf(terminal, { typeName: params.typeName, flags, given, data: options.data }),
    }),
  };
}

function contentOf(path: string): File {
  try {
    return new File([readFileSync(path)], basename(path));
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
}

async function showPages(
  terminal: Terminal,
  operation: OperationDescription,
  call: PageCall<object>,
  { json, all }: { json?: true; all?: true },
): Promise<void> {
  if (all) {
    const rows: object[] = [];
    for await (const row of call) rows.push(row);
    show(terminal, operation, rows, json === true);
    return;
  }
  const { data, pagination }: Page<object> = await call;
  show(terminal, operation, data, json === true);
  const { page, totalPages, total } = pagination;
  if (page < totalPages) terminal.note(`Page ${page} of ${totalPages}, ${total} in all: --page ${page + 1}, or --all`);
}

function show(terminal: Terminal, { resource, answer }: OperationDescription, data: unknown, json: boolean): void {
  if (json) outJson(terminal, data ?? null);
  else if (answer === 'nothing') terminal.note('Done.');
  else if (!Array.isArray(data)) terminal.out(`${fieldLines(data)}\n`);
  else if (data.length === 0) terminal.note('There is none.');
  else terminal.out(`${table(data, columnsOf(resource, data))}\n`);
}
