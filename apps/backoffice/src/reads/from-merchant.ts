import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { maySeePersonalData } from '@stablecoin/people-store/roles';
import type { Session } from '@stablecoin/people-store/sessions';
import type { FastifyRequest } from 'fastify';
import { ConsoleRefusal } from '../http/console-refusal';
import { sessionOf } from '../sessions/session.guard';

/**
 * The merchant that a request is about, and what of it the person may see: of a member the session's, and from nowhere else; of the
 * operator's people the one that their path names, as it was looked up.
 */
export interface AskingMerchant {
  merchant_id: string;
  mode: 'test' | 'live';
  shard: number;
  /** Whether what is sealed is opened for this member. */
  seesPersonalData: boolean;
}

/** Gives it to a controller's method that reads. */
export const FromMerchant = createParamDecorator((_data: unknown, context: ExecutionContext): AskingMerchant => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const session = sessionOf(request);
  const { namedMerchant } = request;
  if (namedMerchant === undefined || session.side !== 'operator') return merchantOf(session);
  const { merchant_id, mode, shard } = namedMerchant;
  return { merchant_id, mode, shard, seesPersonalData: maySeePersonalData(session.role) };
});

/** @throws ConsoleRefusal for one of the operator's people */
export function merchantOf({ merchant, role }: Session): AskingMerchant {
  if (merchant === null) throw new ConsoleRefusal('no_merchant');
  const { merchant_id, mode, shard } = merchant;
  return { merchant_id, mode, shard, seesPersonalData: maySeePersonalData(role) };
}
