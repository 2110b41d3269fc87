// Prints the measurements of the trial as tables for people or one line for programs.

import { figures } from '@stablecoin/command-line/table';
import type { ImageFigures } from '../dockerfile/image-contents';
import type { Ending } from '../running/container';
import type { RestartFigures } from './rolling-restart';

export interface ServiceFigures {
  service: string;
  start_ms: number;
  resident_mb: number | undefined;
  limit_mb: number;
}

export interface DeploymentFigures {
  services: ServiceFigures[];
  restart: RestartFigures;
  stopped: Ending[];
}

/** Without `deployment` if only the images were checked. */
export type Outcome = { images: ImageFigures[] } & Partial<DeploymentFigures>;

export function report(outcome: Outcome, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(outcome)}\n` : `\n${textOf(outcome)}\n`);
}

function textOf({ images, services, restart, stopped = [] }: Outcome): string {
  const parts = [
    figures(images, {
      image: (row) => row.image,
      MB: (row) => row.megabytes,
      'own kB': (row) => row.own_kilobytes,
      packages: (row) => row.packages,
    }),
  ];
  if (services !== undefined) {
    const ended = new Map(stopped.map(({ title, ms }) => [title, ms]));
    const columns = {
      service: (row: ServiceFigures) => row.service,
      'healthy after s': (row: ServiceFigures) => (row.start_ms / 1000).toFixed(1),
      'resident MB': (row: ServiceFigures) => row.resident_mb ?? '',
      'limit MB': (row: ServiceFigures) => row.limit_mb,
      'ended after s': (row: ServiceFigures) => ((ended.get(row.service) ?? 0) / 1000).toFixed(1),
    };
    parts.push(figures(services, columns));
  }
  if (restart !== undefined)
    parts.push(
      `Rolling restart: ${restart.requests} requests, ${restart.failed} failed, the slowest took ${restart.slowest_ms} ms.`,
    );
  return parts.join('\n\n');
}
