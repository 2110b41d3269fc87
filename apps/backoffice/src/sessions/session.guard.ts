import { CanActivate, createParamDecorator, ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Role } from '@stablecoin/people-store/roles';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyRequest } from 'fastify';
import { ConsoleRefusal } from '../http/console-refusal';
import { merchantNamedBy } from './merchant-path';
import { MemberRates } from './member-rates';
import { SessionRequests } from './session-requests';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every route that is not open to all. */
    session: Session | undefined;
  }
}

const WHO = 'who may ask for the route';
const STEPPED_UP = 'the passkey was seen lately';
const LISTENING = 'only listens';
type StepUp = 'who has one' | 'everyone';
type Who = 'all' | 'members' | 'merchants' | 'readers' | readonly Role[];

/** Before anybody has signed in. */
export const OpenToAll = () => SetMetadata<string, Who>(WHO, 'all');
/** For each role, of merchants and of the operator. */
export const ForMembers = () => SetMetadata<string, Who>(WHO, 'members');
/** For each role of merchants: what is shown or done is the merchant's whose member asks. */
export const ForMembersOfMerchants = () => SetMetadata<string, Who>(WHO, 'merchants');
/**
 * For members of merchants, who read their own one's, and at a path that names a merchant (reads/merchant-of-path.ts) for the operator's
 * people, and for no member.
 */
export const ForReadersOfMerchants = () => SetMetadata<string, Who>(WHO, 'readers');
/** What a cookie alone must not do: a person who has a passkey shows it again, within the minutes before. */
export const SteppedUp = () => SetMetadata<string, StepUp>(STEPPED_UP, 'who has one');
/** The same, and nothing for people who have none. */
export const SteppedUpByPasskey = () => SetMetadata<string, StepUp>(STEPPED_UP, 'everyone');
/** A route on which a person does nothing: it keeps no session alive. */
export const Listening = () => SetMetadata(LISTENING, true);
export const ForRoles = (...roles: readonly Role[]) => SetMetadata<string, Who>(WHO, roles);

/** Whose session the request has: from where a person's merchant comes, and from nowhere else. */
export const FromSession = createParamDecorator((_data: unknown, context: ExecutionContext): Session =>
  sessionOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** @throws ConsoleRefusal where the request has none */
export function sessionOf({ session }: FastifyRequest): Session {
  if (session === undefined) throw new ConsoleRefusal('not_signed_in');
  return session;
}

function requireRole(who: Exclude<Who, 'all'>, { role, side, merchant }: Session, namesMerchant: boolean): void {
  if (who === 'members') return;
  if (who === 'readers' && namesMerchant) {
    if (side !== 'operator') throw new ConsoleRefusal('not_allowed');
  } else if (who === 'merchants' || who === 'readers') {
    if (merchant === null) throw new ConsoleRefusal('no_merchant');
  } else if (!who.includes(role)) throw new ConsoleRefusal('not_allowed');
}

/** Who has no passkey can't show one: a link has signed that person in. */
function requireStepUp(of: StepUp, { passkeys, stepped_up_until }: Session): void {
  if (of === 'everyone' && passkeys === 0) throw new ConsoleRefusal('no_passkey_yet');
  if (passkeys > 0 && (stepped_up_until === null || stepped_up_until.getTime() <= Date.now()))
    throw new ConsoleRefusal('step_up_required');
}

/** Lets a request through to its route by session and role, before anything of it is looked at. A route that says no role has none. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly requests: SessionRequests,
    private readonly rates: MemberRates,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const who = this.reflector.get<Who | undefined>(WHO, context.getHandler()) ?? [];
    if (who === 'all') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const isUse = this.reflector.get<boolean | undefined>(LISTENING, context.getHandler()) !== true;
    request.session = await this.requests.sessionOf(request, isUse);
    if (request.session === undefined) throw new ConsoleRefusal('not_signed_in');
    requireRole(who, request.session, merchantNamedBy(request) !== undefined);
    const stepUp = this.reflector.get<StepUp | undefined>(STEPPED_UP, context.getHandler());
    if (stepUp !== undefined) requireStepUp(stepUp, request.session);
    this.rates.take(request.session);
    return true;
  }
}
