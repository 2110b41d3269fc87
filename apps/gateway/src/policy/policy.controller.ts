import { Controller, Get } from '@nestjs/common';
import { getPolicy } from '@stablecoin/contracts/wallet/get-policy';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { success, successOf } from '@stablecoin/http-answers/envelope';
import { Route } from '../routes/route';
import { NO_POLICY, POLICY, presentPolicy } from './policy.presenter';

@Controller('policy')
export class PolicyController {
  constructor(private readonly bus: BusClient) {}

  @Get()
  @Route({
    operationId: 'getPolicy',
    summary: 'Get what you may pay out, and what needs an approval',
    answer:
      'The policy. With `limits` null there is none: with live keys nothing goes out, with test keys nothing is limited',
    responds: successOf(POLICY),
  })
  async get(@FromCaller() { merchant_id, shard }: Caller) {
    try {
      return success(presentPolicy(await this.bus.call(getPolicy, { merchant_id }, { shard })));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return success(NO_POLICY);
      throw error;
    }
  }
}
