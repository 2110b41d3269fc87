/** Where a command reads and writes. Results go to `out`, everything else to `note`. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  /** Text that ends in a line feed, on stdout. */
  out: (text: string) => void;
  /** A line on stderr. */
  note: (line: string) => void;
}

export const processTerminal = (): Terminal => ({
  env: process.env,
  stdin: process.stdin,
  out: (text) => void process.stdout.write(text),
  note: (line) => void process.stderr.write(`${line}\n`),
});

/** One JSON value on stdout. */
export const outJson = ({ out }: Terminal, value: unknown): void => out(`${JSON.stringify(value, null, 2)}\n`);
