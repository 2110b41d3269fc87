import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { addBankMethod } from '@stablecoin/contracts/payout/add-bank-method';
import { addWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { deletePayoutMethod } from '@stablecoin/contracts/payout/delete-payout-method';
import { listPayoutMethods } from '@stablecoin/contracts/payout/list-payout-methods';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { message, MESSAGE_ONLY, pageOf, success, successOf } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { FromBody, FromQuery } from '../routes/input';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import { OwnAddresses } from '@stablecoin/merchant-resources/payouts/own-addresses';
import {
  AddBankMethodBody,
  AddWalletMethodBody,
  DeletePayoutMethodBody,
  ListPayoutMethodsQuery,
} from './payout-method-requests';
import {
  BANK_METHOD,
  METHOD_PAGINATION,
  methodPaginationOf,
  PAYOUT_METHOD,
  presentBankMethod,
  presentPayoutMethod,
  presentWalletMethod,
  WALLET_METHOD,
} from './payout-method.presenter';

@Controller('payout/methods')
export class PayoutMethodsController {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
    private readonly ownAddresses: OwnAddresses,
  ) {}

  @Get()
  @Route({
    operationId: 'listPayoutMethods',
    summary: "List saved payout methods, the merchant's and its customers'",
    answer: 'Payout methods, newest first',
    responds: pageOf(PAYOUT_METHOD, { ...message, pagination: METHOD_PAGINATION }),
    errors: ['not_found'],
  })
  async list(
    @FromCaller() { merchant_id }: Caller,
    @FromQuery(ListPayoutMethodsQuery) query: Plain<ListPayoutMethodsQuery>,
  ) {
    if (query.customer_id) await this.owners.find(merchant_id, query.customer_id);
    const page = await this.bus.call(listPayoutMethods, { ...query, merchant_id });
    const methods = page.items.map(presentPayoutMethod);
    return { ...success(methods, 'Payout methods retrieved successfully'), pagination: methodPaginationOf(page) };
  }

  @Post('wallets')
  @Route({
    operationId: 'addWalletPayoutMethod',
    summary: 'Save a crypto address as payout method',
    answer: 'The payout method',
    bodies: {
      'Your own address on Tron': {
        type: 'WALLET',
        currency: 'USDT',
        network: 'trc20',
        wallet_address: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
        label: 'Cold wallet',
      },
    },
    responds: successOf(WALLET_METHOD, message),
    errors: [...addWalletMethod.errors, 'not_found', 'customer_closed'],
  })
  async addWallet(@FromBody(AddWalletMethodBody) body: Plain<AddWalletMethodBody>, @FromCommand() command: Command) {
    await this.ownAddresses.refuse(command, 'wallet_address', body.wallet_address);
    if (body.customer_id) await this.owners.findOpen(command, body.customer_id);
    const sent = this.bus.call(addWalletMethod, { ...body, ...command.ids });
    const method = await command.resultOfSent(sent);
    return success(presentWalletMethod(method), 'Wallet payout method added successfully');
  }

  @Post('banks')
  @Route({
    operationId: 'addBankPayoutMethod',
    summary: 'Save a bank account as payout method',
    answer: 'The payout method',
    bodies: {
      'Your own account in naira': {
        type: 'BANK',
        currency: 'NGN',
        account_number: '0123456789',
        account_name: 'Ada Obi',
        bank_name: 'First Bank',
        bank_code: '011',
      },
    },
    responds: successOf(BANK_METHOD, message),
    errors: [...addBankMethod.errors, 'not_found', 'customer_closed'],
  })
  async addBank(@FromBody(AddBankMethodBody) body: Plain<AddBankMethodBody>, @FromCommand() command: Command) {
    if (body.customer_id) await this.owners.findOpen(command, body.customer_id);
    const method = command.resultOf(await this.bus.call(addBankMethod, { ...body, ...command.ids }));
    return success(presentBankMethod(method), 'Bank payout method added successfully');
  }

  @Delete(':payout_method_id')
  @Route({
    operationId: 'deletePayoutMethod',
    summary: "Delete a payout method for good; a customer's only by naming that customer",
    answer: 'Nothing: there is a message instead',
    bodies: { 'Your own method': {} },
    responds: MESSAGE_ONLY,
    errors: [...deletePayoutMethod.errors, 'customer_closed'],
  })
  async delete(
    @Param('payout_method_id') id: string,
    @FromBody(DeletePayoutMethodBody) body: Plain<DeletePayoutMethodBody>,
    @FromCommand() command: Command,
  ) {
    const payout_method_id = pathUuid(id);
    if (body.customer_id) await this.owners.findOpen(command, body.customer_id);
    const reply = await this.bus.call(deletePayoutMethod, { ...body, payout_method_id, ...command.ids });
    const { customer_id } = command.resultOf(reply);
    const owner = customer_id === null ? 'Merchant' : 'Customer';
    return { status: 'success' as const, message: `${owner} payout method deleted successfully` };
  }
}
