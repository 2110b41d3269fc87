import { Injectable } from '@nestjs/common';
import type { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Act, ReasonedActs } from '@stablecoin/people-store/acts';
import { Session } from '@stablecoin/people-store/sessions';
import { personOf } from '../commands/acting-person';
import { drawnCommand } from '../commands/drawn-command';

export interface NamedCustomer {
  merchant_id: string;
  customer_id: string;
}

type Injected =
  ('merchant_id' | 'customer_id' | 'person_id' | 'member_id' | 'reason') | ('command_id' | 'input_hash' | 'objection');

/**
 * What a person asks of a customer for a reason. The act is on the record before the service is asked, with the reason sealed. On the
 * chained record of the customer service the reason of one of the operator's people is in clear, as its command line has it; that of a
 * merchant's is named by the command, since it may say more than a number.
 */
@Injectable()
export class CustomerCommands {
  constructor(
    private readonly bus: BusClient,
    private readonly acts: ReasonedActs,
  ) {}

  async ask<Request extends object, Result>(
    operation: Operation<Request, { result: Result }>,
    terms: Omit<Plain<Request>, Injected>,
    { action, reason, details = {} }: { action: Act['action']; reason: string; details?: Act['details'] },
    customer: NamedCustomer,
    session: Session,
  ): Promise<Result> {
    const ids = drawnCommand();
    const { command_id } = ids;
    await this.acts.record({ action, details: { ...customer, ...details, command_id } }, reason, session);
    const told = session.merchant === null ? reason : `at the console, command ${command_id}`;
    const command = { ...terms, ...customer, ...personOf(session), ...ids, reason: told };
    return (await this.bus.call(operation, command as unknown as Plain<Request>)).result;
  }
}
