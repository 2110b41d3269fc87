import { RescanRecent } from '@stablecoin/contracts/chain/rescan-recent';
import { IsCaseReason } from '@stablecoin/contracts/customer/case-reason';

/** On the record with why. */
export class RescanBody extends RescanRecent {
  @IsCaseReason() reason: string;
}
