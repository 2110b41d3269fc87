import { ChangePolicy, changePolicy } from '@stablecoin/contracts/wallet/change-policy';
import { policyOf, PolicyTerms } from '@stablecoin/contracts/wallet/policy-terms';
import { PolicyView } from '@stablecoin/contracts/wallet/policy-view';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerShards } from '../shards/ledger-shards';
import { policyView } from './policy-view';

@Handles(changePolicy)
export class ChangePolicyHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly evidence: CommandEvidence,
  ) {}

  execute(request: ChangePolicy): Promise<CommandReply<PolicyView>> {
    const { merchant_id, changed_by, reason } = request;
    refuseEmptyLimits(request.policy);
    const policy = policyOf(request.policy);
    const stated_version = this.evidence.ofPolicy(request, policy);
    return this.shards.writer().submit({
      request,
      command: { kind: 'ChangePolicy', merchant_id, policy, changed_by, reason, stated_version },
      result: (ledger) => {
        const changed = ledger.policy(merchant_id);
        if (!changed) throw new Error(`the policy of ${merchant_id} is not where it was just written`);
        return policyView(changed);
      },
    });
  }
}

/** A limit of nothing would only let its currency go out. */
function refuseEmptyLimits({ limits }: PolicyTerms): void {
  const empty = limits.findIndex(({ amount, count }) => !amount && (count === undefined || count === null));
  if (empty < 0) return;
  throw Refusal.ofField(`policy.limits[${empty}]`, 'required', 'must have an amount or a count');
}
