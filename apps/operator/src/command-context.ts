import { Command } from 'commander';

/** What a command is run with: its environment, and how its result is printed. */
export interface CommandContext {
  /** The environment as it was given. */
  env: NodeJS.ProcessEnv;
  /**
   * The same, with what is missing in it filled in from where the program runs.
   * @throws OperatorError when nothing there says where the databases are
   */
  settings: () => Promise<NodeJS.ProcessEnv>;
  /** How one types a command here. */
  typed: (words: string) => string;
  /** Prints a result: one line of JSON, or with `table` and without `--json` text for people. */
  print: <Result>(result: Result, options?: { json?: boolean; table: (result: Result) => string }) => void;
  /** How far it is, or what is to be said beside the result: a line on stderr. */
  tell: (line: string) => void;
  /** Of a command whose result is printed, and is not what was asked for. */
  exitWith: (code: number) => void;
}

/** Adds one area of commands to the program. */
export type CommandGroup = (root: Command, context: CommandContext) => void;

/** A command that can be asked for JSON; most answer in JSON anyway. */
export function command(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'one line of JSON on stdout');
}
