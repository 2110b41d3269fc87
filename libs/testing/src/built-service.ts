import { type ChildProcess, spawn } from 'node:child_process';
import { mainIn } from './planting';

/**
 * A service's own program, as it is deployed, for the specs of that service: it can be killed, and everything that it
 * prints is kept, of which `ServiceProcess` keeps the end. Its environment is what the spec gives it, and nothing else.
 */
export class BuiltService {
  /** All that it has printed until now. */
  output = '';
  operationsUrl = '';
  /** Of a service that people or merchants reach. */
  url = '';
  /** Resolves to the exit code, if it has one, when the process has ended and all of its output is here. */
  readonly ended: Promise<number | null>;
  private readonly isServing: Promise<boolean>;

  private constructor(
    private readonly name: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.ended = new Promise((resolve) => child.once('close', resolve));
    const announced = new Promise<boolean>((resolve) => {
      child.once('message', ({ url, operations_url }: { url?: string; operations_url?: string }) => {
        this.url = url ?? '';
        this.operationsUrl = operations_url ?? '';
        resolve(true);
      });
    });
    this.isServing = Promise.race([announced, this.ended.then(() => false)]);
  }

  /** Started, whatever comes of it. */
  static launch(name: string, env: NodeJS.ProcessEnv): BuiltService {
    const child = spawn(process.execPath, [mainIn(env, name)], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    return new BuiltService(name, child);
  }

  /** Ready. @throws Error with what it printed where it ended instead */
  static async start(name: string, env: NodeJS.ProcessEnv): Promise<BuiltService> {
    const service = BuiltService.launch(name, env);
    await service.untilReady();
    return service;
  }

  /** @throws Error with what it printed where it ended instead */
  async untilReady(): Promise<void> {
    if (!(await this.isServing)) throw new Error(`${this.name} ended: ${this.output}`);
  }

  /** Nothing where it has ended already. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }

  /** What it has logged. */
  get lines(): Record<string, unknown>[] {
    const lines = this.output.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** @param labels as they are printed, such as `network="erc20",of="USDT"` */
  async metric(name: string, labels: string): Promise<number> {
    const text = await (await fetch(`${this.operationsUrl}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name}{${labels}}`));
    return Number(line?.split(' ').at(-1));
  }
}
