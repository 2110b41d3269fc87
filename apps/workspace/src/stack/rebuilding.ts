import { errorMessage } from '@stablecoin/command-line/error-code';
import { say, step } from '@stablecoin/command-line/terminal';
import { ImportGraph } from '@stablecoin/images/imports';
import { STACK_SERVICES, type StackServiceName } from '@stablecoin/local-stack/environment';
import { buildTools } from './build-tools';
import { builtFileOf, compiled } from './source-compiler';

/** Waits for an editor that writes several files, or one file in several steps. */
const SETTLE_MS = 50;

type Programs = Record<StackServiceName, ReadonlySet<string>>;

/**
 * Makes the services run changed sources. One rebuild at a time: compile the changed files, write the build, find the
 * services whose program loads a changed file, restart them. If a step fails, it shows the failure and restarts no
 * service, and the files count as changed until a rebuild succeeds.
 */
export class Rebuilding {
  private readonly sources = new Set<string>();
  private readonly graph = new ImportGraph();
  /** The files of each service's program as of its last restart. */
  private programs: Programs | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly restart: (services: readonly StackServiceName[]) => Promise<void>) {}

  /** Reads what each service imports, so that the first change doesn't wait for it. */
  prepare(): void {
    this.programs ??= this.readPrograms();
  }

  changed(source: string): void {
    this.sources.add(source);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.running = this.running.then(() => this.rebuild());
    }, SETTLE_MS);
  }

  /** Begins no further rebuild; resolves when the present one has ended. */
  async finished(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
  }

  private async rebuild(): Promise<void> {
    const sources = [...this.sources];
    if (sources.length === 0) return;
    try {
      const services = await this.build(sources);
      for (const source of sources) this.sources.delete(source);
      await this.run(sources, services);
    } catch (error) {
      say(`\n${errorMessage(error)}\n  Nothing was restarted.`);
    }
  }

  /** Writes the build; resolves to the services whose program loaded one of the files before or loads one now. */
  private async build(sources: readonly string[]): Promise<StackServiceName[]> {
    const files = sources.map(builtFileOf);
    const before = (this.programs ??= this.readPrograms());
    for (const output of await Promise.all(sources.map(compiled))) output.write();
    for (const file of files) this.graph.forget(file);
    buildTools().markBuilt();
    const after = this.readPrograms();
    this.programs = after;
    const loads = (programs: Programs, service: StackServiceName) => files.some((file) => programs[service].has(file));
    return STACK_SERVICES.filter((service) => loads(before, service) || loads(after, service));
  }

  private async run(sources: readonly string[], services: readonly StackServiceName[]): Promise<void> {
    const what = sources.length === 1 ? (sources[0] ?? '') : `${sources.length} files`;
    if (services.length === 0) {
      say(`  ${what} changed, which no service loads`);
      return;
    }
    await step(`${what} changed: restarting ${services.join(', ')}`, () => this.restart(services));
  }

  private readPrograms(): Programs {
    const filesOf = (service: StackServiceName) => this.graph.programOf([`dist/apps/${service}/src/main.js`]).files;
    return Object.fromEntries(STACK_SERVICES.map((service) => [service, new Set(filesOf(service))])) as Record<
      StackServiceName,
      Set<string>
    >;
  }
}
