import { canonicalAddress } from '@stablecoin/addresses/canonical-address';
import { FindDepositAddress, findDepositAddress } from '@stablecoin/contracts/wallet/find-deposit-address';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { groupedRequests } from '@stablecoin/persistence/grouped-requests';
import { Reads } from '@stablecoin/persistence/sql';
import { LedgerDatabases } from '../databases/ledger-databases';

/**
 * An address of one EVM network is ours on all of them, whose keys are the same: what is sent to it there is for a person. Of a
 * database that is lost the addresses are not known meanwhile: that a payout to one costs a fee, and comes in again as a deposit, is
 * better than that no merchant's payout is sent.
 */
@Handles(findDepositAddress)
export class FindDepositAddressHandler {
  /** Each payout to a chain asks: those of one moment share a statement. */
  private readonly lookUps = new WeakMap<Reads, (address: string) => Promise<boolean>>();

  constructor(private readonly databases: LedgerDatabases) {}

  execute({ address }: FindDepositAddress): Promise<{ is_ours: boolean }> {
    return asRefusal(async () => {
      const asked = this.databases.answering.map(({ reads }) => this.lookUpIn(reads)(canonicalAddress(address)));
      return { is_ours: (await Promise.all(asked)).includes(true) };
    });
  }

  private lookUpIn(reads: Reads): (address: string) => Promise<boolean> {
    const known = this.lookUps.get(reads);
    if (known) return known;
    const lookUp = groupedRequests((addresses: readonly string[]) => areIn(reads, addresses));
    this.lookUps.set(reads, lookUp);
    return lookUp;
  }
}

async function areIn(reads: Reads, addresses: readonly string[]): Promise<boolean[]> {
  const rows = await reads.$queryRaw<{ address: string }[]>`
    SELECT address FROM deposit_addresses WHERE address = ANY (${arrayColumn(addresses)}::text[])`;
  const ours = new Set(rows.map(({ address }) => address));
  return addresses.map((address) => ours.has(address));
}
