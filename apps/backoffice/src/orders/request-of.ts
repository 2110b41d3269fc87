import { PayoutRequest } from '@stablecoin/merchant-resources/payouts/new-payouts';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { AskingMerchant } from '../reads/from-merchant';

/** What a person asks to be offered: nothing of it was taken before, so an objection refuses it. */
export const requestOf = ({ merchant_id }: Pick<AskingMerchant, 'merchant_id'>): PayoutRequest => ({
  ids: { merchant_id },
  repeatable: false,
  objectTo(objection) {
    throw objection instanceof Refusal ? objection : new Refusal(objection);
  },
});
