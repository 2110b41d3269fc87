import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { success } from '@stablecoin/http-answers/envelope';
import { FromMerchantMember, MerchantMember } from '../commands/merchant-member';
import { readAnswer } from '../passkeys/device-answer';
import { ForRoles } from '../sessions/session.guard';
import { BankPayoutBody, SignedOrderFields, SwapBody, WalletPayoutBody } from './order-requests';
import { PayoutOrders } from './payout-orders';
import { SwapOrders } from './swap-orders';

/** What people pay and swap: first what would happen, with what a passkey of the person's has to sign; then that, signed. */
@Controller()
export class OrdersController {
  constructor(
    private readonly payouts: PayoutOrders,
    private readonly swaps: SwapOrders,
  ) {}

  @Post('payouts/banks/options')
  @HttpCode(200)
  @ForRoles('payer', 'admin')
  async bankOptions(@FromMerchantMember() member: MerchantMember, @Body() body: unknown) {
    return this.payouts.toBank(validateRequest(BankPayoutBody, body), member);
  }

  @Post('payouts/wallets/options')
  @HttpCode(200)
  @ForRoles('payer', 'admin')
  async walletOptions(@FromMerchantMember() member: MerchantMember, @Body() body: unknown) {
    return this.payouts.toWallet(validateRequest(WalletPayoutBody, body), member);
  }

  @Post('payouts')
  @ForRoles('payer', 'admin')
  async pay(@FromMerchantMember() member: MerchantMember, @Body() body: unknown) {
    const { answer, fields } = readAnswer(body);
    const { order } = validateRequest(SignedOrderFields, fields);
    return success(await this.payouts.pay(order, answer, member));
  }

  @Post('swaps/options')
  @HttpCode(200)
  @ForRoles('payer', 'admin')
  async swapOptions(@FromMerchantMember() member: MerchantMember, @Body() body: unknown) {
    return this.swaps.quoted(validateRequest(SwapBody, body), member);
  }

  @Post('swaps')
  @ForRoles('payer', 'admin')
  async swap(@FromMerchantMember() member: MerchantMember, @Body() body: unknown) {
    const { answer, fields } = readAnswer(body);
    const { order } = validateRequest(SignedOrderFields, fields);
    return success(await this.swaps.execute(order, answer, member));
  }
}
