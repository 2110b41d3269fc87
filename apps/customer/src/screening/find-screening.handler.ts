import { FindScreening, findScreening } from '@stablecoin/contracts/customer/find-screening';
import { ScreeningView } from '@stablecoin/contracts/customer/screening-view';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ScreeningDesk } from '@stablecoin/customer-store/screening/screening-desk';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';

@Handles(findScreening)
export class FindScreeningHandler {
  constructor(private readonly desk: ScreeningDesk) {}

  async execute({ merchant_id, id }: FindScreening): Promise<ScreeningView> {
    const view = await asRefusal(() => this.desk.find(merchant_id, id));
    if (!view) throw new Refusal('not_found');
    return view;
  }
}
