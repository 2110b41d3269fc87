import { Command, CommandOptions } from 'commander';

/** The context of a command: its environment, and the functions that print its results. */
export interface CommandContext {
  /** The environment as it was given. */
  env: NodeJS.ProcessEnv;
  /**
   * The environment, completed with the settings of the place where the program runs.
   * @throws OperatorError when no database is known there
   */
  settings: () => Promise<NodeJS.ProcessEnv>;
  /** How a person types this command here. */
  typed: (words: string) => string;
  /** The login of the person on this machine; undefined where the program runs as no person, as in a container. */
  localUser: () => string | undefined;
  /** Prints a result: one line of JSON, or with `table` and without `--json` text for people. */
  print: <Result>(result: Result, options?: { json?: boolean; table: (result: Result) => string }) => void;
  /** Prints progress or a remark beside the result: a line on stderr. */
  tell: (line: string) => void;
  /** Sets the exit code of a command that prints a result but did not succeed. */
  exitWith: (code: number) => void;
}

/** Adds one area of commands to the program. */
export type CommandGroup = (root: Command, context: CommandContext) => void;

/** A command that can be asked for JSON; most answer in JSON anyway. */
export function command(parent: Command, name: string, description: string, options?: CommandOptions): Command {
  return parent.command(name, options).description(description).option('--json', 'one line of JSON on stdout');
}
