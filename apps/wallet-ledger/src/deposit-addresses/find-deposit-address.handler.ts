import { canonicalAddress } from '@stablecoin/addresses/canonical-address';
import { FindDepositAddress, findDepositAddress } from '@stablecoin/contracts/wallet/find-deposit-address';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';

/** An address of one EVM network is ours on all of them, whose keys are the same: what is sent to it there is for a person. */
@Handles(findDepositAddress)
export class FindDepositAddressHandler {
  constructor(private readonly database: LedgerReads) {}

  execute({ address }: FindDepositAddress): Promise<{ is_ours: boolean }> {
    return asRefusal(async () => {
      const [row] = await this.database.$queryRaw<{ is_ours: boolean }[]>`
        SELECT EXISTS (SELECT FROM deposit_addresses WHERE address = ${canonicalAddress(address)}) AS is_ours`;
      return { is_ours: row?.is_ours === true };
    });
  }
}
