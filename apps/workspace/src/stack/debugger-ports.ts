import { OperatorError } from '@stablecoin/command-line/operator-error';
import type { StackServiceName } from '@stablecoin/local-stack/environment';
import { isFree } from '@stablecoin/local-stack/ports';

/** Node's default, to which editors connect (.vscode/launch.json). */
const FIRST_PORT = 9229;
const HOST = '127.0.0.1';

/** The debugger ports of services, which a restarted service keeps. */
export class DebuggerPorts {
  private constructor(private readonly ports: ReadonlyMap<StackServiceName, number>) {}

  /** The first service is on 9229, the next one on 9230, … @throws OperatorError when one of the ports is taken */
  static async of(services: readonly StackServiceName[]): Promise<DebuggerPorts> {
    const ports = new Map(services.map((service, index) => [service, FIRST_PORT + index]));
    for (const [service, port] of ports) {
      if (!(await isFree(port, HOST)))
        throw new OperatorError(`Port ${port}, for a debugger of ${service}, is taken: end the program that holds it.`);
    }
    return new DebuggerPorts(ports);
  }

  get nodeFlags(): Partial<Record<StackServiceName, string[]>> {
    return Object.fromEntries([...this.ports].map(([service, port]) => [service, [`--inspect=${HOST}:${port}`]]));
  }

  /** Lines for people. */
  get lines(): string[] {
    return [...this.ports].map(([service, port]) => `${service} is open for a debugger: --inspect=${HOST}:${port}`);
  }
}
