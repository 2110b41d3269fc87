import { ScreenMovement, screenMovement } from '@stablecoin/contracts/customer/screen-movement';
import { ScreeningView } from '@stablecoin/contracts/customer/screening-view';
import { ScreeningDesk } from '@stablecoin/customer-store/screening/screening-desk';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';

@Handles(screenMovement)
export class ScreenMovementHandler {
  constructor(private readonly desk: ScreeningDesk) {}

  async execute({
    id,
    movement,
    merchant_id,
    customer_id,
    address,
    name,
    moved,
  }: ScreenMovement): Promise<ScreeningView> {
    const party = { ...(address && { address }), ...(name && { name }) };
    const screened = { id, movement, merchant_id, customer_id: customer_id ?? null, party, moved: moved ?? false };
    const view = await asRefusal(() => this.desk.screen(screened));
    instruments.screening_answers_total.inc({ movement, decision: view.decision });
    return view;
  }
}
