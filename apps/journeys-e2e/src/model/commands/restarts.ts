import fc from 'fast-check';
import { Model } from '../model';
import { Step } from '../step';
import { World } from '../world';

type Signal = 'SIGKILL' | 'SIGTERM';

/** Ends a service; the stack starts it again, and callers repeat the requests that they send meanwhile. */
class Restart extends Step {
  readonly words: string;

  constructor(
    private readonly service: string,
    private readonly signal: Signal,
  ) {
    super();
    this.words = `${signal === 'SIGKILL' ? 'kill' : 'stop'} the service ${service}`;
  }

  protected isPossible(): boolean {
    return true;
  }

  async perform(_model: Model, world: World): Promise<void> {
    await world.strike?.(this.service, this.signal);
    world.end(this.signal);
  }
}

const service = fc.constantFrom('gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout');
const signal = fc.constantFrom<Signal>('SIGKILL', 'SIGKILL', 'SIGTERM');

export const restarts = fc.tuple(service, signal).map((drawn) => new Restart(...drawn));
