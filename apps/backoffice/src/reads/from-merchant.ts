import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { maySeePersonalData } from '@stablecoin/people-store/roles';
import type { Session } from '@stablecoin/people-store/sessions';
import type { FastifyRequest } from 'fastify';
import { ConsoleRefusal } from '../http/console-refusal';
import { sessionOf } from '../sessions/session.guard';

/** The merchant that a request is about, from the session and from nowhere else, and what of it the member may see. */
export interface AskingMerchant {
  merchant_id: string;
  mode: 'test' | 'live';
  shard: number;
  /** Whether what is sealed is opened for this member. */
  seesPersonalData: boolean;
}

/** Gives a controller's method the merchant of the session. */
export const FromMerchant = createParamDecorator((_data: unknown, context: ExecutionContext): AskingMerchant =>
  merchantOf(sessionOf(context.switchToHttp().getRequest<FastifyRequest>())),
);

/** @throws ConsoleRefusal for one of the operator's people */
export function merchantOf({ merchant, role }: Session): AskingMerchant {
  if (merchant === null) throw new ConsoleRefusal('no_merchant');
  const { merchant_id, mode, shard } = merchant;
  return { merchant_id, mode, shard, seesPersonalData: maySeePersonalData(role) };
}
