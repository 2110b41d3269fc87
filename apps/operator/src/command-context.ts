import { Command } from 'commander';

/** What a command is run with: its environment, and how its result is printed. */
export interface CommandContext {
  env: NodeJS.ProcessEnv;
  /** Prints a result: one line of JSON, or with `table` and without `--json` text for people. */
  print<Result>(result: Result, options?: { json?: boolean; table: (result: Result) => string }): void;
  /** How far it is: a line on stderr. */
  tell(line: string): void;
}

/** A command that can be asked for JSON; most answer in JSON anyway. */
export function command(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'one line of JSON on stdout');
}
