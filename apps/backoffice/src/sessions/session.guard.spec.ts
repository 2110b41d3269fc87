import { randomUUID } from 'node:crypto';
import { ExecutionContext } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { Reflector } from '@nestjs/core';
import { MERCHANT_ROLES, Role } from '@stablecoin/people-store/roles';
import { BackofficeModule } from '../backoffice.module';
import {
  ForMembers,
  ForMembersOfMerchants,
  ForReadersOfMerchants,
  ForRoles,
  OpenToAll,
  SessionGuard,
} from './session.guard';
import { MemberRates } from './member-rates';
import { SessionRequests } from './session-requests';

class Routes {
  saysNothing() {
    return 'reached';
  }

  @OpenToAll()
  open() {
    return 'reached';
  }

  @ForMembers()
  members() {
    return 'reached';
  }

  @ForMembersOfMerchants()
  merchants() {
    return 'reached';
  }

  @ForReadersOfMerchants()
  readers() {
    return 'reached';
  }

  @ForRoles('approver', 'admin')
  approvers() {
    return 'reached';
  }
}

const rates = new MemberRates();
const isOfMerchants = (role: Role) => (MERCHANT_ROLES as readonly Role[]).includes(role);

/** Whether the guard lets a session of this role through to a route; undefined: without one. */
const asked = (
  route: keyof Routes,
  role?: Role,
  member_id: string = randomUUID(),
  params: object = {},
): Promise<boolean | string> => {
  const side = role && isOfMerchants(role) ? 'merchant' : 'operator';
  const session = role && { role, member_id, side, merchant: side === 'merchant' ? {} : null };
  const guard = new SessionGuard(
    new Reflector(),
    { sessionOf: () => Promise.resolve(session) } as unknown as SessionRequests,
    rates,
  );
  const context = {
    getHandler: () => Routes.prototype[route],
    switchToHttp: () => ({ getRequest: () => ({ params }) }),
  } as unknown as ExecutionContext;
  return guard.canActivate(context).catch((error: Error) => error.message);
};

describe('the guard of sessions', () => {
  it('lets no member through to a route that does not say who may ask, not even an admin', async () => {
    expect(await asked('saysNothing', 'admin')).toBe('not_allowed');
    expect(await asked('saysNothing')).toBe('not_signed_in');
  });

  it("lets no one of the operator's to what is a merchant's, and says so", async () => {
    expect(await asked('merchants', 'viewer')).toBe(true);
    expect(await asked('merchants', 'support')).toBe('no_merchant');
    expect(await asked('merchants')).toBe('not_signed_in');
  });

  it("lets a member read the own merchant's and the operator's people one that is named, and neither the other way", async () => {
    const [own, named] = [{ id: 'x' }, { merchant_id: 'x', id: 'x' }];
    expect(await asked('readers', 'viewer', undefined, own)).toBe(true);
    expect(await asked('readers', 'admin', undefined, named)).toBe('not_allowed');
    expect(await asked('readers', 'support', undefined, named)).toBe(true);
    expect(await asked('readers', 'support', undefined, own)).toBe('no_merchant');
    expect(await asked('readers', undefined, undefined, named)).toBe('not_signed_in');
  });

  it('asks a member who asks too often to wait, and no other one', async () => {
    const often: (boolean | string)[] = [];
    for (let time = 0; time < 200; time += 1) often.push(await asked('members', 'viewer', 'a'));
    expect(often.filter((outcome) => outcome === true).length).toBeLessThan(150);
    expect(often.at(-1)).toBe('rate_limited');
    expect(await asked('members', 'viewer', 'b')).toBe(true);
  });

  it('lets through whom a route names', async () => {
    expect(await asked('open')).toBe(true);
    expect(await asked('members', 'viewer')).toBe(true);
    expect(await asked('members')).toBe('not_signed_in');
    expect(await asked('approvers', 'approver')).toBe(true);
    expect(await asked('approvers', 'payer')).toBe('not_allowed');
  });

  it('finds on each route of the service who may ask', () => {
    const controllers = Reflect.getMetadata('controllers', BackofficeModule) as { prototype: object }[];
    const routes = controllers.flatMap(({ prototype }) =>
      Object.values(Object.getOwnPropertyDescriptors(prototype))
        .map(({ value }) => value as object)
        .filter((handler) => handler !== prototype.constructor && Reflect.hasMetadata(PATH_METADATA, handler)),
    );
    expect(routes.length).toBeGreaterThan(5);
    for (const route of routes) expect(Reflect.getMetadataKeys(route)).toContain('who may ask for the route');
  });
});
