/** The command line as a merchant's engineer types it: a process of its own, with a configuration of its own. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { ROOT } from './merchants';

const PROGRAM = join(ROOT, 'dist/apps/merchant-cli/src/main.js');
const TIMEOUT_MS = 60_000;

export interface Ran {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

export class CommandLineProgram {
  readonly folder = mkdtempSync(join(tmpdir(), 'stablecoin-cli-'));
  readonly configuration = join(this.folder, 'config/stablecoin/config.json');
  readonly requestLog = join(this.folder, 'state/stablecoin/requests.log');

  /** @param env beside its own folders; nothing of this process's but the path */
  constructor(
    private readonly env: NodeJS.ProcessEnv = {},
    private readonly program: readonly string[] = [process.execPath, PROGRAM],
  ) {}

  async run(
    args: readonly string[],
    { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
  ): Promise<Ran> {
    const { exitCode, stdout, stderr } = await this.start(args, { input, env });
    return { exitCode, stdout, stderr };
  }

  /** What a success printed as JSON. */
  async json<Data>(args: readonly string[]): Promise<Data> {
    const ran = await this.run([...args, '--json']);
    expect({ args, ...ran }).toMatchObject({ exitCode: 0 });
    return JSON.parse(ran.stdout) as Data;
  }

  start(args: readonly string[], { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}) {
    const [file = '', ...before] = this.program;
    return execa(file, [...before, ...args], {
      ...{ input, reject: false, extendEnv: false, timeout: TIMEOUT_MS, cwd: this.folder },
      env: {
        ...{ PATH: process.env['PATH'], HOME: this.folder },
        ...{ XDG_CONFIG_HOME: join(this.folder, 'config'), XDG_STATE_HOME: join(this.folder, 'state') },
        ...this.env,
        ...env,
      },
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
