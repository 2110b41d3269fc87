import { AskedBy, MerchantMode, RequestedBy } from '@stablecoin/ledger-domain/events';
import { BACKOFFICE } from '@stablecoin/messaging/caller-check';
import { ProvenCaller, ProvenRequest } from '@stablecoin/messaging/request-context';
import { orderOf } from './ordered-terms';

/** What the log keeps of who asked for a command. */
export function askedBy({ service, request, evidence }: ProvenCaller): AskedBy {
  // In the order of canonical text: see BatchDecider.
  return {
    evidence: evidence?.text,
    mode: request?.mode as MerchantMode | undefined,
    requested_by: request?.by === BACKOFFICE && service !== BACKOFFICE ? memberRequest(request) : undefined,
    service,
    signature: evidence?.signature,
  };
}

/** A member's, on which another service acts. */
function memberRequest(request: ProvenRequest): RequestedBy {
  const order = orderOf(request);
  return { service: request.by, ...(order && { evidence: order.text, signature: order.signature }) };
}
