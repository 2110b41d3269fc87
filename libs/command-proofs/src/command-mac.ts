/**
 * Who asks the ledger for a command, and for whom. The asking service's MAC covers the subject, the deadline, the body and
 * what goes with it, so that a message can't be changed, sent to another shard or sent again later: after its deadline it is
 * refused, and before that its command id makes it take effect once.
 *
 * The request proof is the second MAC, by the gateway or, of its members' requests, by the backoffice: it says that a merchant of this
 * mode has a request under way, and for what. Services between gateway and ledger pass it on and can't make one, so it carries what
 * they were asked for: the ledger holds what they ask for against that. Where the gateway asks the ledger itself, the first MAC
 * covers the body.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CallerKeys } from './caller-keys';

export interface AskedCommand {
  service: string;
  subject: string;
  /** Epoch milliseconds. */
  deadline: number;
  body: unknown;
  evidence?: SignedText | undefined;
}

/** A statement of the asking service, by its own signature: see evidence.ts. */
export interface SignedText {
  text: string;
  /** Base64. */
  signature: string;
}

export interface RequestProof {
  /** Who takes the request, and has made the proof: the gateway, where it names no one. */
  by?: string;
  merchant_id: string;
  mode: string;
  /** Epoch milliseconds. */
  deadline: number;
  /** Of the message with which the gateway asks. A gateway of a version before left it out. */
  subject?: string;
  /** What it asks for, as JSON, where another service than the ledger is asked. */
  body?: string;
  /** Base64. */
  mac: string;
}

const COMMAND_DOMAIN = 'stablecoin-command/1';
const REQUEST_DOMAIN = 'stablecoin-request/2';
const UNBOUND_REQUEST_DOMAIN = 'stablecoin-request/1';

export const commandMac = (key: Buffer, command: AskedCommand): string => mac(key, commandText(command));

export const isCommandMac = (keys: CallerKeys, command: AskedCommand, given: string): boolean =>
  isMac(keys, command.service, commandText(command), given);

export function requestProof(key: Buffer, request: Omit<RequestProof, 'mac'>): RequestProof {
  return { ...request, mac: mac(key, requestText(request)) };
}

/** @param service who takes the request */
export const isRequestProof = (keys: CallerKeys, service: string, proof: RequestProof): boolean =>
  isMac(keys, service, requestText(proof), proof.mac);

/** The body as JSON prints it: parsed and printed again, it is the same text. */
function commandText({ service, subject, deadline, body, evidence }: AskedCommand): string {
  const { text = '', signature = '' } = evidence ?? {};
  return [COMMAND_DOMAIN, service, subject, deadline, JSON.stringify(body), text, signature].join('\n');
}

const requestText = ({ merchant_id, mode, deadline, subject, body = '' }: Omit<RequestProof, 'mac'>): string =>
  subject === undefined
    ? [UNBOUND_REQUEST_DOMAIN, merchant_id, mode, deadline].join('\n')
    : [REQUEST_DOMAIN, merchant_id, mode, deadline, subject, body].join('\n');

const mac = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64');

function isMac(keys: CallerKeys, service: string, text: string, given: string): boolean {
  const claimed = Buffer.from(given, 'base64');
  return (keys.get(service) ?? []).some((key) => {
    const expected = createHmac('sha256', key).update(text).digest();
    return claimed.length === expected.length && timingSafeEqual(claimed, expected);
  });
}
