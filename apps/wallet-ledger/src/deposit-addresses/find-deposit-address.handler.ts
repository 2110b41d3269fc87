import { canonicalAddress } from '@stablecoin/addresses/canonical-address';
import { FindDepositAddress, findDepositAddress } from '@stablecoin/contracts/wallet/find-deposit-address';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { Reads } from '@stablecoin/persistence/sql';
import { LedgerDatabases } from '../databases/ledger-databases';

/**
 * An address of one EVM network is ours on all of them, whose keys are the same: what is sent to it there is for a person. Of a
 * database that is lost the addresses are not known meanwhile: that a payout to one costs a fee, and comes in again as a deposit, is
 * better than that no merchant's payout is sent.
 */
@Handles(findDepositAddress)
export class FindDepositAddressHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute({ address }: FindDepositAddress): Promise<{ is_ours: boolean }> {
    return asRefusal(async () => {
      const asked = this.databases.answering.map(({ reads }) => isIn(reads, canonicalAddress(address)));
      return { is_ours: (await Promise.all(asked)).includes(true) };
    });
  }
}

async function isIn(reads: Reads, address: string): Promise<boolean> {
  const [row] = await reads.$queryRaw<{ is_ours: boolean }[]>`
    SELECT EXISTS (SELECT FROM deposit_addresses WHERE address = ${address}) AS is_ours`;
  return row?.is_ours === true;
}
