import { OmitType } from '@nestjs/mapped-types';
import { AddBankMethod } from '@stablecoin/contracts/payout/add-bank-method';
import { AddWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { DeletePayoutMethod } from '@stablecoin/contracts/payout/delete-payout-method';
import { ListPayoutMethods } from '@stablecoin/contracts/payout/list-payout-methods';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';

export class ListPayoutMethodsQuery extends OmitType(ListPayoutMethods, ['merchant_id']) {}
export class AddWalletMethodBody extends OmitType(AddWalletMethod, INJECTED_FIELDS) {}
export class AddBankMethodBody extends OmitType(AddBankMethod, INJECTED_FIELDS) {}
export class DeletePayoutMethodBody extends OmitType(DeletePayoutMethod, [...INJECTED_FIELDS, 'payout_method_id']) {}
