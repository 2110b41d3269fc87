import { readFileSync } from 'node:fs';
import { median } from '@stablecoin/benchmarking/measure';
import { Figures } from '@stablecoin/benchmarking/report';

const MEGABYTE_KIB = 1_024;

/** Resident memory of each process, once a second. */
export class ResidentMemory {
  private readonly samples = new Map<string, number[]>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pids: Record<string, number>) {
    this.timer = setInterval(() => this.look(), 1_000);
  }

  /** The median of the second and of the last quarter: the first one is where caches and heaps fill. */
  stop(): Figures {
    clearInterval(this.timer);
    return Object.fromEntries(
      [...this.samples].flatMap(([name, values]) => {
        const quarter = Math.floor(values.length / 4);
        if (quarter === 0) return [];
        const early = median(values.slice(quarter, 2 * quarter));
        const late = median(values.slice(-quarter));
        const key = name.replaceAll('-', '_');
        return [
          [`${key}_mb`, late],
          [`${key}_memory_growth`, late / early],
        ];
      }),
    );
  }

  private look(): void {
    for (const [name, pid] of Object.entries(this.pids)) {
      const mb = residentMb(pid);
      if (mb === undefined) continue;
      const values = this.samples.get(name) ?? [];
      values.push(mb);
      this.samples.set(name, values);
    }
  }
}

/** Undefined when the process has ended. */
export function residentMb(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) / MEGABYTE_KIB : undefined;
  } catch {
    return undefined;
  }
}
