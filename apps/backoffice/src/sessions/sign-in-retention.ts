import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { deleteInBatches, retentionLoop } from '@stablecoin/background-work/retention';
import { Invitations } from '@stablecoin/people-store/invitations';
import { Passkeys } from '@stablecoin/people-store/passkeys';
import { Sessions } from '@stablecoin/people-store/sessions';
import { databaseFailure } from '@stablecoin/persistence/database-error';

/** Forgets links and sessions some time after they have expired, challenges at once. Acts stay, and name them by their ids. */
@Injectable()
export class SignInRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(SignInRetention.name);
  private readonly loop = retentionLoop(
    (signal) => this.purge(signal),
    (error) => this.failed(error),
  );

  constructor(
    private readonly sessions: Sessions,
    private readonly invitations: Invitations,
    private readonly passkeys: Passkeys,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  async purge(signal?: AbortSignal): Promise<void> {
    await deleteInBatches((limit) => this.passkeys.forgetExpiredChallenges(limit), signal);
    await deleteInBatches((limit) => this.sessions.forgetExpired(limit), signal);
    await deleteInBatches((limit) => this.invitations.forgetExpiredLinks(limit), signal);
  }

  private failed(error: unknown): void {
    if (databaseFailure(error).kind === 'bug') this.log.error({ msg: 'could not forget old sign-ins', err: error });
  }
}
