import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import {
  ANNOUNCED_SERVICES,
  AnnouncedService,
  INSTANCE_SIGN_MS,
  InstanceSign,
  instanceSubject,
  isInstanceSign,
} from '@stablecoin/contracts/wire/instance-signs';
import { Announcements } from '@stablecoin/messaging/announcements';

/** Two signs may be lost. */
const SILENT_AFTER_MS = 3 * INSTANCE_SIGN_MS;
/** One that ended as it should, and one that was lost, are shown for a while. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;
const OF_SERVICE_MAX = 100;

export interface HeardInstance extends InstanceSign {
  heard_at: string;
  /** Nothing was heard for longer than two signs take. */
  is_silent: boolean;
}

export interface HeardService {
  service: AnnouncedService;
  instances: HeardInstance[];
}

/** Which instances of which services are there, as they say themselves, since this one listens. */
@Injectable()
export class HeardInstances implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly heard = new Map<AnnouncedService, Map<string, InstanceSign & { at: number }>>();
  private stops: (() => void)[] = [];
  readonly since = new Date();

  constructor(private readonly announcements: Announcements) {}

  onApplicationBootstrap(): void {
    this.stops = ANNOUNCED_SERVICES.map((service) =>
      this.announcements.hear(instanceSubject(service), isInstanceSign, (sign) => this.note(service, sign)),
    );
  }

  beforeApplicationShutdown(): void {
    for (const stop of this.stops) stop();
  }

  list(now = Date.now()): HeardService[] {
    return ANNOUNCED_SERVICES.map((service) => ({
      service,
      instances: [...(this.heard.get(service)?.values() ?? [])]
        .filter(({ at }) => now - at < FORGOTTEN_AFTER_MS)
        .map(({ at, ...sign }) => ({
          ...sign,
          heard_at: new Date(at).toISOString(),
          is_silent: now - at > SILENT_AFTER_MS,
        })),
    }));
  }

  private note(service: AnnouncedService, sign: InstanceSign): void {
    const instances = this.heard.get(service) ?? new Map<string, InstanceSign & { at: number }>();
    this.heard.set(service, instances);
    // The one that was heard last is the last one.
    instances.delete(sign.instance);
    instances.set(sign.instance, { ...sign, at: Date.now() });
    const [oldest] = instances.keys();
    if (instances.size > OF_SERVICE_MAX && oldest !== undefined) instances.delete(oldest);
  }
}
