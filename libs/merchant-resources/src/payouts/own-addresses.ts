import { Injectable } from '@nestjs/common';
import { findDepositAddress } from '@stablecoin/contracts/wallet/find-deposit-address';
import { UNPAYABLE_ADDRESS } from '@stablecoin/contracts/wire/fields/address';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';

/** What would be paid there, which has no effect once it is objected to. */
interface Paying {
  objectTo(objection: Refusal): void;
}

/**
 * Refuses what would be paid to a deposit address of ours, any merchant's: it would cost a fee, and come in again as a deposit.
 * Not kept in memory: an address that is no one's today may be ours tomorrow.
 */
@Injectable()
export class OwnAddresses {
  constructor(private readonly bus: BusClient) {}

  /**
   * A command that is repeated still gets its stored result: the address may have become ours since.
   *
   * @throws Refusal `validation_failed` for the field
   */
  async refuse(command: Paying, field: string, address: string): Promise<void> {
    try {
      const { is_ours } = await this.bus.call(findDepositAddress, { address });
      if (!is_ours) return;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      command.objectTo(error);
      return;
    }
    command.objectTo(Refusal.ofField(field, UNPAYABLE_ADDRESS, 'must not be a deposit address of this service'));
  }
}
