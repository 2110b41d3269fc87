import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { ScreeningDesk } from '@stablecoin/customer-store/screening/screening-desk';
import { ScreeningLists } from '@stablecoin/customer-store/screening/screening-lists';

/** A few hundred take a fraction of a second: they are one transaction. */
const BATCH_SCREENINGS = 200;
const FORGOTTEN_AT_ONCE = 1_000;
/** A list is loaded once a day or so, by a command that tells no service. */
const LOOK_AGAIN_MS = 5_000;
const AFTER_FAILURE_MS = 10_000;

/**
 * Holds what moved before against each new list, some screenings at a time, and takes the entries of former lists away. Several
 * instances take turns: the one that has locked a list works on it.
 */
@Injectable()
export class ScreeningOfThePast implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ScreeningOfThePast.name);
  private readonly loop = new BackgroundLoop({
    pass: async () => ((await this.pass()) ? 0 : LOOK_AGAIN_MS),
    failed: (error) => {
      this.log.error({ msg: 'could not screen the past against a new list', err: error });
      return AFTER_FAILURE_MS;
    },
  });

  constructor(
    private readonly desk: ScreeningDesk,
    private readonly lists: ScreeningLists,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** @returns whether there is more to do */
  async pass(): Promise<boolean> {
    const { more, opened } = await this.desk.rescan(BATCH_SCREENINGS);
    if (opened > 0)
      this.log.warn(`a list that came later has entries of ${opened} movements of the past: see screening cases`);
    const forgotten = await this.lists.forgetFormer(FORGOTTEN_AT_ONCE);
    return more || forgotten === FORGOTTEN_AT_ONCE;
  }
}
