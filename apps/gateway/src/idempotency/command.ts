import { randomUUID } from 'node:crypto';
import { createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayConfiguration } from '../gateway.configuration';
import { inputHashOf } from './input-hash';

const UUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;

/** What the gateway adds to every command on the bus. */
export interface CommandIds {
  merchant_id: string;
  command_id: string;
  /** Made when the command is sent: hashing a body costs, and only one that passed validation is worth it. */
  readonly input_hash: string;
  objection?: ErrorCode;
}

/**
 * One POST, PUT or DELETE: the id under which it takes effect once, and the hash of its input. It is `repeatable` when
 * its caller chose the id with an Idempotency-Key, so that it may repeat a command that took effect.
 */
export class Command {
  /** A service has answered with its result: even if a later step fails, something was done. */
  hasResult = false;
  /** With its fields, which the objection on the bus leaves out. */
  private refusal: Refusal | undefined;

  constructor(
    readonly ids: CommandIds,
    readonly repeatable: boolean,
    private readonly reply: FastifyReply,
    readonly isDryRun = false,
  ) {}

  /**
   * The same as a dry run: it has nothing to do with the command that its Idempotency-Key names, so it does not return that
   * command's stored result, and leaves the key unused.
   */
  asDryRun(): Command {
    return new Command({ ...this.ids, command_id: randomUUID() }, false, this.reply, true);
  }

  /**
   * Refuses the command. A repeatable command is sent on with its first refusal instead, as an objection: only the
   * service that stores results knows whether it took effect before, and refuses with the objection when it did not.
   */
  objectTo(objection: ErrorCode | Refusal): void {
    const refusal = typeof objection === 'string' ? new Refusal(objection) : objection;
    if (!this.repeatable) throw refusal;
    this.refusal ??= refusal;
    this.ids.objection = this.refusal.code;
  }

  /**
   * The stored result of a command to which a whole refusal was objected, or that refusal. What the service itself refuses
   * with the same code names its own fields, and stands.
   */
  async resultOfSent<Result>(sent: Promise<CommandReply<Result>>): Promise<Result> {
    try {
      return this.resultOf(await sent);
    } catch (error) {
      const isObjection = error instanceof Refusal && error.code === this.refusal?.code && !error.fields;
      if (isObjection && this.refusal?.fields) throw this.refusal;
      throw error;
    }
  }

  /** The result of a command's reply; a stored one is marked in the response's headers. */
  resultOf<Result>({ result, replayed }: CommandReply<Result>): Result {
    this.hasResult = true;
    if (replayed) this.reply.header('idempotency-replayed', 'true');
    return result;
  }
}

@Injectable()
export class Commands {
  private readonly hashKey: Buffer;

  constructor(configuration: GatewayConfiguration) {
    this.hashKey = configuration.inputHashKey;
  }

  /** @throws Refusal validation_failed for an Idempotency-Key that can't be one */
  read(request: FastifyRequest, reply: FastifyReply, merchantId: string): Command {
    const key = idempotencyKeyOf(request);
    const inputHash = (): string => request.inputHash ?? inputHashOf(this.hashKey, request.body);
    const ids = {
      merchant_id: merchantId,
      command_id: key === undefined ? randomUUID() : commandId(merchantId, request.method, pathOf(request), key),
      get input_hash() {
        return inputHash();
      },
    };
    return new Command(ids, key !== undefined, reply);
  }
}

/** Gives a controller's method its command. */
export const FromCommand = createParamDecorator((_data: unknown, context: ExecutionContext): Command => {
  const { command } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!command) throw new Error('only POST, PUT and DELETE have a command');
  return command;
});

/** The same key of the same merchant on the same method and path gives the same id, for ever. */
export function commandId(merchantId: string, method: string, path: string, key: string): string {
  return derivedUuid(merchantId, method, path, key);
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && PRINTABLE_ASCII.test(key)) return key;
  const message = 'must be 1 to 255 printable ASCII characters';
  throw Refusal.ofField('Idempotency-Key', 'invalid_idempotency_key', message);
}

/** The path in one spelling: letters may be percent-encoded, and an id is the same in upper and lower case. */
function pathOf(request: FastifyRequest): string {
  const path = decodeURIComponent(request.url.split('?', 1)[0] as string);
  return path.replace(UUIDS, (id) => id.toLowerCase());
}
