import { Injectable } from '@nestjs/common';
import { isEvmNetwork } from '@stablecoin/chains/chains';
import { Network } from '@stablecoin/money/currency';
import { PayoutDestination } from '@stablecoin/contracts/wallet/views';
import { PayoutRailName } from '@stablecoin/service-host/repeated-settings';
import { railFor } from '@stablecoin/service-host/payout-rails';
import { PayoutConfiguration } from '../payout.configuration';
import { EvmRail } from './evm-rail';
import { KnownStatus, PayoutRail } from './payout-rail';
import { SandboxRail } from './sandbox-rail';
import { sandboxOutcome } from './sandbox-rules';

/** The rails that there are, and which of them a payout takes. */
@Injectable()
export class PayoutRails {
  private readonly rails: Readonly<Record<PayoutRailName, PayoutRail>>;

  constructor(
    private readonly sandbox: SandboxRail,
    evm: EvmRail,
    private readonly configuration: PayoutConfiguration,
  ) {
    this.rails = { sandbox, evm };
  }

  /** @param route as it is stored */
  along(route: 'evm' | null): PayoutRail {
    return this.rails[route ?? 'sandbox'];
  }

  /** Of one that no rail takes. On a network that has a chain it has failed under its name, which no instance sends then. */
  async refuse(network: Network | null, reference: string): Promise<KnownStatus> {
    if (network !== null && isEvmNetwork(network)) return this.sandbox.refuse(reference);
    return { state: 'failed', railReference: null, nextLook: null };
  }

  /**
   * For a payout that no rail has; null where none takes it. What a test merchant writes in a recipient's name to make the
   * sandbox fail or hold a payout keeps it there; a live merchant's recipient of that name is a person.
   */
  choose(network: Network | null, isLive: boolean, destination: PayoutDestination): PayoutRailName | null {
    const rail = railFor(this.configuration, { network, isLive });
    const isForSandbox = !isLive && sandboxOutcome(destination) !== 'complete';
    return rail === 'evm' && isForSandbox ? 'sandbox' : rail;
  }
}
