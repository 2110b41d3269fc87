/** docs/FORGERIES.md: the table, as it is tried. */
import { type Expectation, expectationText } from '../judging/expectation';
import { WEAKNESSES } from '../planted/weaknesses';
import { type Aim, AIMS } from '../table/forgery';
import { type Forger, FORGERS } from '../table/forgeries';

const BECOMES = ['refused', 'found', 'noticed'] as const satisfies readonly Expectation['becomes'][];
const AIM_NAMES = Object.keys(AIMS) as Aim[];

const HEADER = `# Who could forge what

Who it is × what he wants. \`npm run trial -- forgery\` tries every line on a real stack: a Postgres, a broker with each user's
permissions, the services as processes. What happens while they run is tried first; then they are stopped, and each forgery at rest takes
place on a copy of their databases as it was left. A line that does not end as it says here makes the trial end with 1. This page
is written by \`npm run docs\` from the table (\`apps/trials/forgery/src/table\`), where a forgery is a line.

- **refused**: it does not take place. The error is part of the line.
- **found**: it takes place, and \`audit verify\` ends with 1, names the place and says in one sentence what to do.
- **noticed**: nothing prevents it. The line says who notices it and when, and the trial shows what shows it.
`;

export const forgeriesPage = (): string => [HEADER, overview(), ...FORGERS.map(section), planted()].join('\n');

function overview(): string {
  const rows = FORGERS.map((forger) => [`\`${forger.name}\``, ...AIM_NAMES.map((aim) => counted(forger, aim))]);
  const header = ['', ...AIM_NAMES.map((aim) => `**${aim}**: ${AIMS[aim]}`)];
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n') + '\n';
}

function counted({ row }: Forger, aim: Aim): string {
  const counts = BECOMES.map((becomes) => ({
    becomes,
    count: row[aim].filter(({ expected }) => expected.becomes === becomes).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ becomes, count }) => `${count} ${becomes}`)
    .join(', ');
}

function section({ name, has, row }: Forger): string {
  const lines = AIM_NAMES.flatMap((aim) => [
    `- **${aim}**`,
    ...row[aim].map(({ what, expected }) => `  - ${what}: ${expectationText(expected)}`),
  ]);
  return `## ${name}\n\nHe has ${has}.\n\n${lines.join('\n')}\n`;
}

function planted(): string {
  const lines = Object.entries(WEAKNESSES).map(
    ([name, { what, shows }]) => `- \`${name}\`: ${what}. Shows in ${shows.join(', ')}.`,
  );
  return `## What it would find

A trial that can't fail proves nothing. With \`--plant\` a rule is switched off in the running programs, in the database or at the
broker, and the trial has to find it in the cells that are named here (\`npm run trial -- forgery --plant each\`):

${lines.join('\n')}
`;
}
