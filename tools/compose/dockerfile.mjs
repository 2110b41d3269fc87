// A Dockerfile as a list of stages with their steps. Only what this project's Dockerfile uses is understood; anything else
// is refused with its line, so that nothing is skipped in silence.

import { Refusal } from '../stack/terminal.mjs';

/** [{name, from, steps: [{line, instruction, flags, rest}]}] in the order of the file. */
export function parseDockerfile(text) {
  const stages = [];
  for (const { line, content } of logicalLines(text)) {
    const step = parseStep(content, line);
    if (step.instruction === 'FROM') stages.push(stageOf(step));
    else if (stages.length === 0) throw new Refusal(`Dockerfile:${line}: ${step.instruction} before the first FROM.`);
    else stages.at(-1).steps.push(step);
  }
  return stages;
}

function logicalLines(text) {
  const lines = [];
  let open;
  text.split('\n').forEach((raw, index) => {
    if (/^\s*(#|$)/.test(raw)) return; // Comments may stand between the lines of one step, too.
    const continues = raw.trimEnd().endsWith('\\');
    const content = continues ? raw.trimEnd().slice(0, -1) : raw;
    if (open) open.content += ` ${content.trim()}`;
    else open = { line: index + 1, content: content.trim() };
    if (!continues) open = void lines.push(open);
  });
  return lines;
}

const FLAGS = { FROM: [], COPY: ['from'], RUN: ['mount'], ENV: [], WORKDIR: [], USER: [], CMD: [], ENTRYPOINT: [] };

function parseStep(content, line) {
  const [, word, tail] = /^(\S+)\s*([^]*)$/.exec(content);
  const instruction = word.toUpperCase();
  if (FLAGS[instruction] === undefined) throw new Refusal(`Dockerfile:${line}: ${instruction} is not understood here.`);
  const flags = {};
  let rest = tail;
  for (let match; (match = /^--([a-z-]+)=(\S+)\s+/.exec(rest)); rest = rest.slice(match[0].length)) {
    if (!FLAGS[instruction].includes(match[1]))
      throw new Refusal(`Dockerfile:${line}: --${match[1]} is not understood here.`);
    flags[match[1]] = match[2];
  }
  if (flags.mount !== undefined && !flags.mount.startsWith('type=cache,'))
    throw new Refusal(`Dockerfile:${line}: only cache mounts are understood here.`);
  return { line, instruction, flags, rest };
}

function stageOf({ rest, line }) {
  const [, from, name] = /^(\S+)\s+AS\s+(\S+)$/i.exec(rest) ?? [];
  if (name === undefined) throw new Refusal(`Dockerfile:${line}: give the stage a name, FROM … AS name.`);
  return { name, from, line, steps: [] };
}

/** `["a", "b"]` of CMD and ENTRYPOINT; a shell in between would swallow the signal to stop. */
export function commandOf({ rest, line }) {
  try {
    return JSON.parse(rest);
  } catch {
    throw new Refusal(`Dockerfile:${line}: write the command as a list, ["node", "main.js"].`);
  }
}

/** NAME=value pairs of ENV. */
export function variablesOf({ rest, line }) {
  const pairs = rest.split(/\s+/).map((pair) => /^([A-Z_a-z]\w*)=([^"'\\]*)$/.exec(pair));
  if (pairs.some((pair) => pair === null))
    throw new Refusal(`Dockerfile:${line}: write ENV as NAME=value, without quotes.`);
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
}
