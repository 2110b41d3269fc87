// The table of contents of the bus: each operation with the file that handles it and the programs that call it. Written to
// docs/SUBJECTS.md by npm run docs, from the same reading of the code as the broker's permissions.

import { BUS_USERS } from '@stablecoin/local-stack/bus-users';
import { type Use, usesByFile } from './bus-permissions';

interface Row {
  handler?: string;
  readonly callers: Set<string>;
}

const INTRODUCTION = `# Operations on the bus

Written by \`npm run docs\` from \`@Handles\` and from the calls in each program. A subject that ends in \`.*\` is answered by the
owner of the shard that is its last token; every other subject by any instance of its service.
`;

export function subjectsPage(): string {
  const rows = new Map<string, Row>();
  const rowOf = (subject: string): Row => {
    const row = rows.get(subject) ?? { callers: new Set<string>() };
    rows.set(subject, row);
    return row;
  };
  for (const program of BUS_USERS) {
    for (const [file, uses] of usesByFile(program)) {
      const handled = new Set(subjectsOf(uses, 'handles'));
      for (const subject of handled) rowOf(subject).handler = file;
      for (const subject of subjectsOf(uses, 'calls')) if (!handled.has(subject)) rowOf(subject).callers.add(program);
    }
  }
  const lines = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([subject, { handler, callers }]) => `| \`${subject}\` | ${linkTo(handler)} | ${[...callers].join(', ')} |`);
  return [INTRODUCTION, '| subject | handler | called by |', '|---|---|---|', ...lines, ''].join('\n');
}

const subjectsOf = (uses: readonly Use[], kind: Use['kind']): string[] =>
  uses.filter((use) => use.kind === kind).map(({ subject }) => subject);

/** @throws Error for an operation that is called and that no program handles */
function linkTo(file: string | undefined): string {
  if (file === undefined) throw new Error('an operation is called that no program handles');
  return `[${file.split('/').at(-1) ?? file}](../${file})`;
}
