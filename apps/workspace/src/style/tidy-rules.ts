import { oldWordsIn } from './old-words';

export interface Finding {
  file: string;
  line: number;
  message: string;
}

interface Rule {
  pattern: RegExp;
  message: string;
}

const LINES_MAX = 600;
const COLUMNS_MAX = 140;
const SOURCE = /\.(tsx?|mjs|cjs|js|py|toml)$/;
const DOCUMENT = /\.md$/;
const SKIPPED_FILES = /(\.generated\.ts|\.table\.ts|-codes\.ts|stablecoin_sdk\/(types|resources|refusals)\.py)$/;
const FORBIDDEN_FOLDERS = new Set(['dtos', 'services', 'utils', 'common', 'shared', 'core']);

// Written in pieces where the pattern would otherwise match itself here.
const EVERYWHERE: readonly Rule[] = [
  {
    pattern: new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`),
    message: 'a leftover note: do it now, or write an issue',
  },
  { pattern: /\b(it|test|describe)\.only\(/, message: 'only some tests run: remove .only' },
  {
    pattern: /\b(it|test|describe)\.skip\(|\bx(it|describe)\(/,
    message: 'a test is switched off: repair or delete it',
  },
  { pattern: new RegExp('eslint-dis' + 'able'), message: 'a lint rule is switched off: satisfy it' },
  { pattern: new RegExp('@ts-(ig' + 'nore|nocheck)'), message: 'the type checker is switched off: satisfy it' },
];
const TYPESCRIPT: readonly Rule[] = [
  { pattern: /\bas any\b/, message: 'any hides mistakes: name the type' },
  { pattern: /\bconst (MAX|MIN)_[A-Z]/, message: 'a bound is named after what it bounds: X_MAX, X_MIN' },
];
const PYTHON: readonly Rule[] = [
  { pattern: /#\s*(type: ignore|noqa|pyright:)/, message: 'a check is switched off: satisfy it' },
  {
    pattern: /@(unittest\.)?(skip|expectedFailure)|\bskipTest\(/,
    message: 'a test is switched off: repair or delete it',
  },
];
const SERVICE_SOURCE: readonly Rule[] = [
  { pattern: /\bconsole\.(log|debug|info)\(/, message: 'services log through their logger' },
];

/** Whether a file is read at all. */
export const isTidied = (file: string): boolean =>
  (SOURCE.test(file) || DOCUMENT.test(file)) && !SKIPPED_FILES.test(file);

const isCommandLine = (file: string) =>
  /(^|\/)(cli|main)\.ts$/.test(file) &&
  !/apps\/(gateway|customer|wallet-ledger|swap-pricing|payout|chain)\/src\/main\.ts$/.test(file);
const isServiceSource = (file: string) =>
  /^(apps|libs)\/.*\/src\//.test(file) &&
  !file.endsWith('.spec.ts') &&
  !isCommandLine(file) &&
  !file.startsWith('apps/auditor/');

const rulesFor = (file: string): Rule[] => [
  ...EVERYWHERE,
  ...(/\.tsx?$/.test(file) ? TYPESCRIPT : []),
  ...(file.endsWith('.py') ? PYTHON : []),
  ...(isServiceSource(file) ? SERVICE_SOURCE : []),
];

/** The findings in one file; in a document only old words count. */
export function findingsIn(file: string, text: string): Finding[] {
  const lines = text.split('\n');
  const inLine = (line: string) => [...(DOCUMENT.test(file) ? [] : styleOf(file, line)), ...oldWordsIn(line)];
  const findings = lines.flatMap((line, index) => inLine(line).map((message) => ({ file, line: index + 1, message })));
  return DOCUMENT.test(file) ? findings : [...findings, ...ofWhole(file, lines.length)];
}

function styleOf(file: string, line: string): string[] {
  const broken = rulesFor(file).filter(({ pattern }) => pattern.test(line));
  const messages = broken.map(({ message }) => message);
  return line.length > COLUMNS_MAX ? [...messages, `${line.length} columns, at most ${COLUMNS_MAX}`] : messages;
}

function ofWhole(file: string, lines: number): Finding[] {
  const folder =
    /^(apps|libs)\//.test(file) &&
    file
      .split('/')
      .slice(0, -1)
      .find((name) => FORBIDDEN_FOLDERS.has(name));
  return [
    ...(lines > LINES_MAX
      ? [{ file, line: LINES_MAX, message: `${lines} lines, at most ${LINES_MAX}: split it` }]
      : []),
    ...(folder
      ? [{ file, line: 1, message: `a folder named ${folder} says nothing: name it after what it is about` }]
      : []),
  ];
}
