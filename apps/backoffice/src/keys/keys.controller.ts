import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { createApiKey } from '@stablecoin/contracts/customer/create-api-key';
import { listApiKeys } from '@stablecoin/contracts/customer/list-api-keys';
import { revokeApiKey } from '@stablecoin/contracts/customer/revoke-api-key';
import { rotateApiKey } from '@stablecoin/contracts/customer/rotate-api-key';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { success } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { personOf } from '../commands/acting-person';
import { MemberCommands } from '../commands/member-commands';
import { FromMerchantMember, MerchantMember } from '../commands/merchant-member';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { NoFields, WithoutQuery } from '../reads/from-query';
import { ForRoles, SteppedUpByPasskey } from '../sessions/session.guard';
import { CreateKeyBody, RotateKeyBody } from './key-requests';

/**
 * API keys of the merchant whose member asks. A key reads what a developer does not see here, so only an admin makes one; and what
 * one may is no more than the merchant's keys may already, and never an approval.
 */
@Controller('keys')
export class KeysController {
  constructor(
    private readonly bus: BusClient,
    private readonly commands: MemberCommands,
  ) {}

  @Get()
  @ForRoles('developer', 'admin')
  async list(@FromMerchant() { merchant_id }: AskingMerchant, @WithoutQuery() _none: object) {
    return success(await this.bus.call(listApiKeys, { merchant_id }));
  }

  /** The key is in the answer, and nowhere else from then on. */
  @Post()
  @ForRoles('admin')
  @SteppedUpByPasskey()
  async create(@FromMerchantMember() member: MerchantMember, @Body() body: unknown) {
    const terms = validateRequest(CreateKeyBody, body);
    const { scopes, allowed_addresses = [] } = terms;
    const details = { scopes: scopes.join(), allowed_addresses: allowed_addresses.join() };
    const act = { action: 'api-key-created', details } as const;
    return success(await this.commands.ask(createApiKey, { ...terms, ...personOf(member.session) }, act, member));
  }

  @Post(':key_id/rotate')
  @HttpCode(200)
  @ForRoles('admin')
  @SteppedUpByPasskey()
  async rotate(@FromMerchantMember() member: MerchantMember, @Param('key_id') id: string, @Body() body: unknown) {
    const key_id = pathUuid(id);
    const { grace_hours } = validateRequest(RotateKeyBody, body);
    const act = { action: 'api-key-rotated', details: { key_id, grace_hours } } as const;
    const terms = { key_id, grace_hours, ...personOf(member.session) };
    return success(await this.commands.ask(rotateApiKey, terms, act, member));
  }

  @Post(':key_id/revoke')
  @HttpCode(200)
  @ForRoles('admin')
  @SteppedUpByPasskey()
  async revoke(@FromMerchantMember() member: MerchantMember, @Param('key_id') id: string, @Body() body: unknown) {
    validateRequest(NoFields, body);
    const key_id = pathUuid(id);
    const act = { action: 'api-key-revoked', details: { key_id } } as const;
    return success(await this.commands.ask(revokeApiKey, { key_id, ...personOf(member.session) }, act, member));
  }
}
