import { GetPolicy, getPolicy } from '@stablecoin/contracts/wallet/get-policy';
import { PolicyView } from '@stablecoin/contracts/wallet/policy-view';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { policiesOf } from '@stablecoin/ledger-store/projections/payout-policy.projection';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { policyView } from './policy-view';

@Handles(getPolicy)
export class GetPolicyHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute({ merchant_id }: GetPolicy): Promise<PolicyView> {
    return asRefusal(async () => {
      const [found] = await policiesOf(await this.databases.forMerchant(merchant_id), [merchant_id]);
      if (!found) throw new Refusal('not_found');
      return policyView(found);
    });
  }
}
