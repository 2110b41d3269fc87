// The table of contents of the bus: each operation with the file that handles it and the programs that call it. Written to
// docs/SUBJECTS.md by npm run docs, from the same reading of the code as the broker's permissions.

import { BUS_USERS } from '@stablecoin/local-stack/bus-users';
import { type Use, usesByFile } from './bus-permissions';

interface Row {
  handler?: string;
  readonly callers: Set<string>;
  /** Those that the operation names. */
  named?: readonly string[] | undefined;
}

const INTRODUCTION = `# Operations on the bus

Written by \`npm run docs\` from \`@Handles\` and from the calls in each program. A subject that ends in \`.*\` is answered by the
owner of the shard that is its last token; every other subject by any instance of its service. Callers in bold are known to the ledger by a
key of their own, and it answers no others (ADR 42); elsewhere the broker's permissions decide.
`;

export function subjectsPage(): string {
  const rows = new Map<string, Row>();
  const rowOf = (subject: string): Row => {
    const row = rows.get(subject) ?? { callers: new Set<string>() };
    rows.set(subject, row);
    return row;
  };
  for (const program of BUS_USERS) {
    const files = [...usesByFile(program)];
    // A program calls none of its own operations, wherever it names them.
    const handled = new Set(files.flatMap(([, uses]) => subjectsOf(uses, 'handles')));
    for (const [file, uses] of files) {
      for (const subject of subjectsOf(uses, 'handles')) rowOf(subject).handler = file;
      for (const subject of subjectsOf(uses, 'calls')) if (!handled.has(subject)) rowOf(subject).callers.add(program);
      for (const { subject, callers } of uses) if (callers) rowOf(subject).named = callers;
    }
  }
  const lines = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([subject, row]) => `| \`${subject}\` | ${linkTo(row.handler)} | ${callersOf(subject, row)} |`);
  return [INTRODUCTION, '| subject | handler | called by |', '|---|---|---|', ...lines, ''].join('\n');
}

const subjectsOf = (uses: readonly Use[], kind: Use['kind']): string[] =>
  uses.filter((use) => use.kind === kind).map(({ subject }) => subject);

/** @throws Error where other programs call an operation than the ones that it names */
function callersOf(subject: string, { callers, named }: Row): string {
  const calling = [...callers];
  if (!named) return calling.join(', ');
  if (calling.length !== named.length || calling.some((program) => !named.includes(program)))
    throw new Error(`${subject} names ${named.join(', ')} as its callers, and ${calling.join(', ')} call it`);
  return calling.map((program) => `**${program}**`).join(', ');
}

/** @throws Error for an operation that is called and that no program handles */
function linkTo(file: string | undefined): string {
  if (file === undefined) throw new Error('an operation is called that no program handles');
  return `[${file.split('/').at(-1) ?? file}](../${file})`;
}
