import { AskedBy, MerchantMode, RequestedBy } from '@stablecoin/ledger-domain/events';
import { BACKOFFICE } from '@stablecoin/messaging/caller-check';
import { ProvenCaller, ProvenRequest } from '@stablecoin/messaging/request-context';
import { orderOf } from './ordered-terms';

/** What the log keeps of who asked for a command. */
export function askedBy({ service, request, evidence }: ProvenCaller): AskedBy {
  return {
    service,
    ...(request && { mode: request.mode as MerchantMode }),
    ...(evidence && { evidence: evidence.text, signature: evidence.signature }),
    ...(request?.by === BACKOFFICE && service !== BACKOFFICE && { requested_by: memberRequest(request) }),
  };
}

/** A member's, on which another service acts. */
function memberRequest(request: ProvenRequest): RequestedBy {
  const order = orderOf(request);
  return { service: request.by, ...(order && { evidence: order.text, signature: order.signature }) };
}
