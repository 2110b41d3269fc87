/** A merchant for every sequence. */
import type { TestStack } from '@stablecoin/testing/stack';
import { Client } from '../client';
import { createMerchant } from '../merchants';
import { FeeSchedule } from './amounts';

/** What merchants of the model are charged; every third pays nothing. */
const FEES: readonly (FeeSchedule | null)[] = [null, { flat: '0.5', basisPoints: 100 }, { flat: '0', basisPoints: 33 }];

export interface NewMerchant {
  client: Client;
  merchantId: string;
  feeSchedule: FeeSchedule | null;
}

export class Merchants {
  constructor(private readonly stack: TestStack) {}

  /** The fee schedule belongs to the index, so that a sequence meets the same one again. */
  async next(index: number): Promise<NewMerchant> {
    const feeSchedule = FEES[index % FEES.length] ?? null;
    const { merchant_id, api_key } = await createMerchant(feeFlags(feeSchedule), this.stack, 'Model');
    return { client: new Client(this.stack.base_url, api_key), merchantId: merchant_id, feeSchedule };
  }
}

function feeFlags(fee: FeeSchedule | null): string[] {
  return fee ? ['--payout-fee-flat', fee.flat, '--payout-fee-basis-points', String(fee.basisPoints)] : [];
}
