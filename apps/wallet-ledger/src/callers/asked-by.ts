import { AskedBy, MerchantMode } from '@stablecoin/ledger-domain/events';
import { ProvenCaller } from '@stablecoin/messaging/request-context';

/** What the log keeps of who asked for a command. */
export function askedBy({ service, request, evidence }: ProvenCaller): AskedBy {
  return {
    service,
    ...(request && { mode: request.mode as MerchantMode }),
    ...(evidence && { evidence: evidence.text, signature: evidence.signature }),
  };
}
