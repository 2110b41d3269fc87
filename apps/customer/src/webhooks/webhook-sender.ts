import { LookupAddress } from 'node:dns';
import { IncomingMessage, OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DeliveryError } from '@stablecoin/contracts/customer/webhook-views';
import { CustomerConfiguration } from '../customer.configuration';
import { HostAddresses } from './host-addresses';
import { isLoopbackAddress, isPublicAddress } from './reachable-address';

const HEADER_BYTES_MAX = 16 * 1024;
/** Of an answer's body, which is not used; an answer that is longer, or slower, is cut off with its connection. */
const BODY_BYTES_MAX = 16 * 1024;
const BODY_MS = 1_000;

export interface OutgoingMessage {
  url: string;
  /** May go to this machine. */
  sandbox: boolean;
  headers: OutgoingHttpHeaders;
  body: string;
}

/** How an attempt ended. Without an error the receiver accepted it: the status is 2xx. */
export interface Outcome {
  response_status: number | null;
  error: DeliveryError | null;
}

/**
 * One attempt: look up the host's addresses → all of them must be allowed → connect to these only, even if the name
 * resolves to others by then → post → read the status. Redirects are not followed: their status is not 2xx. From the
 * look-up to the end of the answer it takes `WEBHOOK_TIMEOUT_MS` at most.
 */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly hosts: HostAddresses,
    private readonly configuration: CustomerConfiguration,
  ) {}

  /** @throws when `stop` ended it before its outcome was known */
  async send(message: OutgoingMessage, stop: AbortSignal): Promise<Outcome> {
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, this.configuration.webhookTimeoutMs);
    stop.addEventListener('abort', end, { once: true });
    try {
      const outcome = await this.attempt(message, ending.signal);
      if (outcome.error === 'timeout') stop.throwIfAborted();
      return outcome;
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
    }
  }

  private async attempt(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome> {
    const url = new URL(message.url);
    const addresses = await orNothing(this.hosts.of(url.hostname), signal);
    if (!addresses) return failed('timeout');
    if (addresses.length === 0) return failed('host_not_found');
    if (!addresses.every(({ address }) => this.isAllowed(address, message.sandbox))) return failed('private_address');
    try {
      const response_status = await post(url, addresses, message, signal);
      const isTaken = response_status >= 200 && response_status < 300;
      return { response_status, error: isTaken ? null : 'refused_by_receiver' };
    } catch {
      return failed(signal.aborted ? 'timeout' : 'connection_failed');
    }
  }

  private isAllowed(address: string, sandbox: boolean): boolean {
    if (isLoopbackAddress(address)) return sandbox && this.configuration.webhookAllowLoopback;
    return isPublicAddress(address);
  }
}

/** Resolves with the answer's status: when its body is over, was too long, or takes too long. */
function post(
  url: URL,
  addresses: LookupAddress[],
  { headers, body }: OutgoingMessage,
  signal: AbortSignal,
): Promise<number> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: onlyThese(addresses),
      maxHeaderSize: HEADER_BYTES_MAX,
      signal,
    });
    request.on('error', reject);
    request.once('response', (response) => {
      // The outcome is known now: the error of a connection that is cut off afterwards changes nothing.
      request.off('error', reject).on('error', () => undefined);
      response.once('close', () => resolve(response.statusCode as number));
      discard(response);
    });
    request.end(body);
  });
}

/** Reads a short body to its end, so that the receiver sees an orderly end; a long or slow one is cut off. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), BODY_MS);
  response.once('close', () => clearTimeout(timer));
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) response.destroy();
  });
}

/** A look-up with a fixed answer, so that the connection goes to the addresses that were checked. */
function onlyThese(addresses: LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses as [LookupAddress];
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

async function orNothing<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  const nothing = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([work, nothing]);
}

const failed = (error: DeliveryError): Outcome => ({ response_status: null, error });
