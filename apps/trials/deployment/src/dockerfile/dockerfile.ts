// Parses a Dockerfile into stages with their steps. It understands only the forms that this project's Dockerfile uses
// and refuses any other with its line, so that nothing is skipped in silence.

import { OperatorError } from '@stablecoin/command-line/operator-error';

/** The instructions, each with the flags that are understood. */
const FLAGS = {
  FROM: [],
  COPY: ['from'],
  RUN: ['mount'],
  ENV: [],
  WORKDIR: [],
  USER: [],
  CMD: [],
  ENTRYPOINT: [],
} as const;
type Keyword = keyof typeof FLAGS;
export type Instruction = Exclude<Keyword, 'FROM'>;

interface Line {
  /** The number of its first line. */
  line: number;
  content: string;
}

interface Parsed {
  line: number;
  instruction: Keyword;
  flags: Partial<Record<string, string>>;
  rest: string;
}

export interface Step extends Parsed {
  instruction: Instruction;
}

export interface Stage {
  name: string;
  /** An image, or the name of an earlier stage. */
  from: string;
  line: number;
  steps: Step[];
}

/** The stages in the order of the file. */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of logicalLines(text)) {
    const parsed = parse(line);
    const stage = stages.at(-1);
    if (isStep(parsed)) {
      if (stage === undefined) throw refusal(line.line, `${parsed.instruction} before the first FROM.`);
      stage.steps.push(parsed);
    } else stages.push(stageOf(parsed));
  }
  return stages;
}

/** Without comments, which may stand between the lines of one step, too; continued lines are one. */
function logicalLines(text: string): Line[] {
  const lines: Line[] = [];
  let open: Line | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    const continues = raw.trimEnd().endsWith('\\');
    const content = (continues ? raw.trimEnd().slice(0, -1) : raw).trim();
    if (open === undefined) lines.push((open = { line: index + 1, content }));
    else open.content += ` ${content}`;
    if (!continues) open = undefined;
  }
  return lines;
}

function parse({ line, content }: Line): Parsed {
  const [, word = '', tail = ''] = /^(\S+)\s*([^]*)$/.exec(content) ?? [];
  const instruction = word.toUpperCase();
  if (!isKeyword(instruction)) throw refusal(line, `${instruction} is not understood here.`);
  const known: readonly string[] = FLAGS[instruction];
  const flags: Partial<Record<string, string>> = {};
  let rest = tail;
  for (let match; (match = /^--([a-z-]+)=(\S+)\s+/.exec(rest)); rest = rest.slice(match[0].length)) {
    const [, flag = '', value] = match;
    if (!known.includes(flag)) throw refusal(line, `--${flag} is not understood here.`);
    flags[flag] = value;
  }
  if (flags['mount'] !== undefined && !flags['mount'].startsWith('type=cache,'))
    throw refusal(line, 'only cache mounts are understood here.');
  return { line, instruction, flags, rest };
}

const isKeyword = (word: string): word is Keyword => Object.hasOwn(FLAGS, word);
const isStep = (parsed: Parsed): parsed is Step => parsed.instruction !== 'FROM';

function stageOf({ rest, line }: Parsed): Stage {
  const [, from, name] = /^(\S+)\s+AS\s+(\S+)$/i.exec(rest) ?? [];
  if (from === undefined || name === undefined) throw refusal(line, 'give the stage a name, FROM … AS name.');
  return { name, from, line, steps: [] };
}

/** `["a", "b"]` of CMD and ENTRYPOINT; a shell in between would swallow the signal to stop. */
export function commandOf({ rest, line }: Pick<Parsed, 'rest' | 'line'>): string[] {
  try {
    return JSON.parse(rest) as string[];
  } catch {
    throw refusal(line, 'write the command as a list, ["node", "main.js"].');
  }
}

/** NAME=value pairs of ENV. */
export function variablesOf({ rest, line }: Pick<Parsed, 'rest' | 'line'>): Record<string, string> {
  const pairs = rest.split(/\s+/).map((pair): [string, string] => {
    const [, name, value] = /^([A-Z_a-z]\w*)=([^"'\\]*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw refusal(line, 'write ENV as NAME=value, without quotes.');
    return [name, value];
  });
  return Object.fromEntries(pairs);
}

const refusal = (line: number, problem: string) => new OperatorError(`Dockerfile:${line}: ${problem}`);
