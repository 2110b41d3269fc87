/** The services of a trial as processes, started again at once whenever one ends. */
import { join } from 'node:path';
import { nodeCommand, type ServiceProcess } from '@stablecoin/local-stack/service-process';
import { SupervisedService } from '@stablecoin/local-stack/supervised-service';
import { eventually } from '@stablecoin/testing/eventually';
import { mainIn } from '@stablecoin/testing/planting';

export const TRIAL_SERVICES = ['customer', 'wallet-ledger', 'signer', 'chain', 'payout'] as const;
export type TrialService = (typeof TRIAL_SERVICES)[number];

const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;
const RESTART = { pausesMs: [0, 0, 0, 0, 1_000, 2_000, 5_000], steadyAfterMs: 3_000, beforeFirstReady: false };

export interface ServicesRequest {
  environments: Record<TrialService, NodeJS.ProcessEnv>;
  logs: string;
}

export class TrialServices {
  /** Ends that neither a step nor the trial brought about. */
  readonly unaskedEnds: string[] = [];
  private readonly all: Map<TrialService, SupervisedService>;

  private constructor({ environments, logs }: ServicesRequest) {
    this.all = new Map(
      TRIAL_SERVICES.map((name) => {
        const supervised = new SupervisedService({
          launch: () => ({
            title: name,
            command: nodeCommand(mainIn(environments[name], name)),
            env: environments[name],
            output: { log: join(logs, `${name}.log`) },
            detached: true,
          }),
          restart: RESTART,
          onUnexpectedExit: ({ reason, killed }) => {
            if (!killed) this.unaskedEnds.push(`${name} ended by itself (${reason})`);
          },
        });
        return [name, supervised];
      }),
    );
  }

  static async start(request: ServicesRequest): Promise<TrialServices> {
    const services = new TrialServices(request);
    try {
      await Promise.all([...services.all.values()].map((service) => service.untilFirstReady(READY_TIMEOUT_MS)));
      return services;
    } catch (error) {
      await services.stop();
      throw error;
    }
  }

  /** Resolves when it has ended. Nothing is done to one that does not run just now. */
  async kill(name: TrialService): Promise<boolean> {
    const { process } = this.named(name);
    if (!process.kill()) return false;
    await process.ended;
    return true;
  }

  processOf(name: TrialService): ServiceProcess {
    return this.named(name).process;
  }

  async untilAllServe(): Promise<void> {
    for (const [name, service] of this.all)
      await eventually(`${name} serves`, () => service.process.isReady, { timeoutMs: READY_TIMEOUT_MS });
  }

  async stop(): Promise<void> {
    for (const name of TRIAL_SERVICES.toReversed()) await this.named(name).stop({ timeoutMs: STOP_TIMEOUT_MS });
  }

  private named(name: TrialService): SupervisedService {
    const service = this.all.get(name);
    if (!service) throw new Error(`${name} was never started`);
    return service;
  }
}
