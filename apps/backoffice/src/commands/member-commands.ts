import { Injectable } from '@nestjs/common';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import type { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Act, Acts } from '@stablecoin/people-store/acts';
import { drawnCommand } from './drawn-command';
import { MerchantMember } from './merchant-member';

type Injected = 'merchant_id' | 'command_id' | 'input_hash' | 'objection';

/**
 * What a member asks a service to change. It is on the record before the service is asked: the act says what a person did, whatever
 * came of it. Each request is a command of its own.
 */
@Injectable()
export class MemberCommands {
  constructor(
    private readonly bus: BusClient,
    private readonly acts: Acts,
  ) {}

  async ask<Request extends object, Result>(
    operation: Operation<Request, CommandReply<Result>>,
    terms: Omit<Plain<Request>, Injected>,
    act: Act,
    { session, merchant }: MerchantMember,
  ): Promise<Result> {
    const { merchant_id } = merchant;
    const ids = drawnCommand();
    await this.acts.record({ ...act, details: { ...act.details, command_id: ids.command_id } }, session);
    const command = { ...terms, merchant_id, ...ids };
    return (await this.bus.call(operation, command as unknown as Plain<Request>)).result;
  }
}
