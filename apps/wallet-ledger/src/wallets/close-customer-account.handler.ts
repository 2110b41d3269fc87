import { CloseCustomerAccount, closeCustomerAccount } from '@stablecoin/contracts/wallet/close-customer-account';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { LedgerShards } from '../shards/ledger-shards';

@Handles(closeCustomerAccount)
export class CloseCustomerAccountHandler {
  constructor(private readonly shards: LedgerShards) {}

  execute(request: CloseCustomerAccount): Promise<CommandReply<{ customer_id: string }>> {
    const { merchant_id, customer_id } = request;
    return this.shards.writer().submit({
      request,
      command: { kind: 'CloseCustomer', merchant_id, customer_id },
      result: () => ({ customer_id }),
    });
  }
}
