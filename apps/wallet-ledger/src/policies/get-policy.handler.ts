import { GetPolicy, getPolicy } from '@stablecoin/contracts/wallet/get-policy';
import { PolicyView } from '@stablecoin/contracts/wallet/policy-view';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { policiesOf } from '@stablecoin/ledger-store/projections/payout-policy.projection';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { policyView } from './policy-view';

@Handles(getPolicy)
export class GetPolicyHandler {
  constructor(private readonly database: LedgerReads) {}

  execute({ merchant_id }: GetPolicy): Promise<PolicyView> {
    return asRefusal(async () => {
      const [found] = await policiesOf(this.database, [merchant_id]);
      if (!found) throw new Refusal('not_found');
      return policyView(found);
    });
  }
}
