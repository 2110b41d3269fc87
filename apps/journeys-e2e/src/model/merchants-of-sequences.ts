/** A merchant for every sequence. */
import { eventually } from '@stablecoin/testing/eventually';
import type { TestStack } from '@stablecoin/testing/stack';
import { Client } from '../client';
import { addKey, createMerchant, setPolicy } from '../merchants';
import { FeeSchedule } from './amounts';
import { POLICIES, Policy } from './policy';

/** What merchants of the model are charged; every third pays nothing. */
const FEES: readonly (FeeSchedule | null)[] = [null, { flat: '0.5', basisPoints: 100 }, { flat: '0', basisPoints: 33 }];

const SET_WITHIN = { timeoutMs: 30_000, pollMs: 500 };

export interface NewMerchant {
  client: Client;
  merchantId: string;
  feeSchedule: FeeSchedule | null;
  policy: Policy | null;
  /** A key that approves what the client's own key has created. */
  approver: Client | undefined;
}

export class Merchants {
  constructor(private readonly stack: TestStack) {}

  /** Fee schedule and policy belong to the index, so that a sequence meets the same ones again. */
  async next(index: number): Promise<NewMerchant> {
    const feeSchedule = FEES[index % FEES.length] ?? null;
    const { merchant_id, api_key } = await createMerchant(feeFlags(feeSchedule), this.stack, 'Model');
    const policy = POLICIES[index % POLICIES.length] ?? null;
    // The ledger may be away just then, as services are restarted: the operator says so, and the policy is set again.
    if (policy) {
      const set = () => setPolicy(merchant_id, policy, this.stack).then(() => true);
      await eventually('the policy is set', set, SET_WITHIN);
    }
    const approver = policy?.approval ? (await addKey(merchant_id, 'read,approve', [], this.stack)).client : undefined;
    const client = new Client(this.stack.base_url, api_key);
    return { client, merchantId: merchant_id, feeSchedule, policy, approver };
  }
}

function feeFlags(fee: FeeSchedule | null): string[] {
  return fee ? ['--payout-fee-flat', fee.flat, '--payout-fee-basis-points', String(fee.basisPoints)] : [];
}
