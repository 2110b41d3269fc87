/**
 * Who may ask for what, for the operations that name their callers: the asking service is known by its MAC, and must be one
 * that the operation names. In this order:
 *
 * | refused        | because                                                                |
 * |----------------|------------------------------------------------------------------------|
 * | no_caller      | the message names no caller, and such messages are not accepted        |
 * | not_a_caller   | the operation does not name the service                                |
 * | wrong_mac      | the MAC is by no key of the service, or of another message             |
 * | wrong_proof    | what should prove a merchant's request is not by who takes requests,   |
 * |                | or is of a request that does not lead to this message                  |
 *
 * A refusal is counted, logged, and answered with `unavailable`, nothing done: the caller is configured wrongly, or is not
 * who it says.
 */
import { Logger } from '@nestjs/common';
import { CallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { isCommandMac, isRequestProof, RequestProof } from '@stablecoin/command-proofs/command-mac';
import { Operation } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { initializeSeries, instruments } from '@stablecoin/telemetry/metrics/instruments';
import { RequestEnvelope } from './envelope';
import { ProvenCaller } from './request-context';

const REFUSALS = ['no_caller', 'not_a_caller', 'wrong_mac', 'wrong_proof', 'no_evidence', 'wrong_evidence'] as const;
export type CallerRefusal = (typeof REFUSALS)[number];

/** Takes requests from merchants' keys, and proves it to whatever is asked because of them. */
export const GATEWAY = 'gateway';
/** The same of merchants' members. What leads to a command of the ledger then also needs what the member's passkey has signed. */
export const BACKOFFICE = 'backoffice';
const TAKE_REQUESTS: readonly string[] = [GATEWAY, BACKOFFICE];
/**
 * For how long after its deadline a request is still proved to have been made: an attempt at it that was abandoned is finished by the
 * next request that finds it. The gateway's own messages end with their deadline.
 */
export const PROOF_HELD_MS = 120_000;

export interface CallerRules {
  /** By which each service's MACs are known. */
  keys: CallerKeys;
  /** Whether a message that names no caller is answered: a service of a version that names none may have sent it. */
  acceptsUnsigned: boolean;
}

export class CallerCheck {
  private readonly log = new Logger(CallerCheck.name);

  constructor(private readonly rules: CallerRules) {
    initializeSeries('ledger_commands_unauthorized_total', { reason: REFUSALS });
  }

  /**
   * @returns undefined for a message that names no caller, where such messages are accepted
   * @throws Refusal `unavailable`
   */
  callerOf(
    { callers }: Pick<Operation<object, unknown>, 'callers'>,
    subject: string,
    envelope: RequestEnvelope,
  ): ProvenCaller | undefined {
    const { asked_by: claim, request_proof: proof, deadline, body } = envelope;
    if (!claim) {
      if (this.rules.acceptsUnsigned) return undefined;
      throw this.refused(subject, 'no_caller', undefined);
    }
    const { service, mac, evidence } = claim;
    if (!callers?.some((caller) => caller === service)) throw this.refused(subject, 'not_a_caller', service);
    if (!isCommandMac(this.rules.keys, { service, subject, deadline, body, evidence }, mac))
      throw this.refused(subject, 'wrong_mac', service);
    if (!proof) return { service, evidence };
    // One that names no one is by a version before: by the gateway, or of a message of the backoffice's own.
    const by = proof.by ?? (service === BACKOFFICE ? BACKOFFICE : GATEWAY);
    if (
      !TAKE_REQUESTS.includes(by) ||
      !isRequestProof(this.rules.keys, by, proof) ||
      !this.leadsTo(proof, by, subject, service)
    )
      throw this.refused(subject, 'wrong_proof', service);
    const { merchant_id, mode, mac: name, body: asked } = proof;
    // The merchant's request is over.
    if (Date.now() >= proof.deadline + (asked === undefined ? 0 : PROOF_HELD_MS)) throw new Refusal('unavailable');
    const request = { by, merchant_id, mode, mac: name, ...(asked !== undefined && { asked: askedFor(proof, asked) }) };
    return { service, evidence, request };
  }

  /** The message of who takes requests is the request itself; every other service was asked for something first. */
  private leadsTo({ subject: asked, body }: RequestProof, by: string, subject: string, service: string): boolean {
    if (asked === undefined) return this.rules.acceptsUnsigned;
    if (!TAKE_REQUESTS.includes(service)) return body !== undefined;
    return by === service && asked === subject && body === undefined;
  }

  private refused(subject: string, reason: CallerRefusal, service: string | undefined): Refusal {
    return refusedCommand(this.log, { subject, reason, service });
  }
}

const askedFor = ({ subject = '' }: RequestProof, body: string) => ({ subject, body: JSON.parse(body) as unknown });

/** Counts and logs a command that is refused for who asks, or for what its evidence says. */
export function refusedCommand(
  log: Logger,
  { subject, reason, service }: { subject: string; reason: CallerRefusal; service: string | undefined },
): Refusal {
  instruments.ledger_commands_unauthorized_total.inc({ reason });
  log.error({ msg: 'refused a command that its caller may not give', operation: subject, reason, caller: service });
  return Refusal.notExecuted();
}
