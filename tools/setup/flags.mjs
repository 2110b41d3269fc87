import { parseArgs } from 'node:util';
import { OperatorError } from './terminal.mjs';

/** {values, positionals}; undefined when the help was asked for and printed. */
export function parseFlags(args, options, help) {
  try {
    const parsed = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (!parsed.values.help) return parsed;
    process.stdout.write(`${help.trim()}\n`);
    return undefined;
  } catch (error) {
    throw new OperatorError(`${error.message.split('. ')[0]}. Try --help.`);
  }
}
