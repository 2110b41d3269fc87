import { Controller, Param, Post } from '@nestjs/common';
import { approvePayout } from '@stablecoin/contracts/wallet/approve-payout';
import { dryRunHoldPayout } from '@stablecoin/contracts/wallet/dry-run-hold-payout';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { rejectPayout } from '@stablecoin/contracts/wallet/reject-payout';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller, signerOf } from '../authentication/caller';
import { success, successOf } from '@stablecoin/http-answers/envelope';
import { FromBody, NoFields } from '../routes/input';
import { either } from '@stablecoin/http-answers/response-schema';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { Destinations } from '@stablecoin/merchant-resources/transactions/destinations';
import {
  NEW_PAYOUT,
  PAYOUT_DRY_RUN,
  presentNewPayout,
  presentPayoutDryRun,
  presentTransaction,
  TRANSACTION,
} from '@stablecoin/merchant-resources/transactions/transaction.presenter';
import { transactionName } from '@stablecoin/merchant-resources/transactions/transaction-name';
import { TransactionPrinter } from '@stablecoin/merchant-resources/transactions/transaction-printer';
import { NewPayouts, PayoutTerms } from '@stablecoin/merchant-resources/payouts/new-payouts';
import {
  ApprovePayoutBody,
  PayOutToBankBody,
  PayOutToWalletBody,
} from '@stablecoin/merchant-resources/payouts/payout-requests';

const ERRORS: readonly ErrorCode[] = ['not_found', 'kyc_required', 'rail_unavailable', ...holdPayout.errors];
const ANSWER = 'The transaction: PAYOUT, DEBIT, PENDING; with `dry_run` as it would be, and nothing is written';
const RESPONDS = successOf(either(NEW_PAYOUT, PAYOUT_DRY_RUN));
const TO_NAIRA = {
  currency: 'USDT',
  amount: '10',
  account_number: '0123456789',
  bank_name: 'First Bank',
  bank_code: '011',
  recipient_name: 'Ada Obi',
  recipient_currency: 'NGN',
  recipient_country: 'Nigeria',
};
const MONEY = 'There is enough in the wallet in this currency: in the sandbox, after `createSandboxDeposit`.';
/**
 * Payouts: not to an address of ours → owner found → approved → a rail that takes them → price → destination sealed → held in
 * the ledger. With owner and price in their caches that is one hop on the bus for a bank and two for an address, to the
 * ledger; the payout service learns of it from the ledger's facts. A dry run
 * goes the same way and asks the ledger for its verdict instead, so the payout service never hears of it.
 */
@Controller('payouts')
export class PayoutsController {
  constructor(
    private readonly bus: BusClient,
    private readonly payouts: NewPayouts,
    private readonly destinations: Destinations,
    private readonly printer: TransactionPrinter,
  ) {}

  @Post('banks')
  @Route({
    operationId: 'createBankPayout',
    summary: 'Withdraw to a bank account',
    answer: ANSWER,
    needs: MONEY,
    bodies: {
      'To an account in naira': TO_NAIRA,
      'The same as a dry run': { ...TO_NAIRA, dry_run: true },
    },
    responds: RESPONDS,
    errors: ERRORS,
  })
  async toBank(
    @FromCaller() caller: Caller,
    @FromBody(PayOutToBankBody) { dry_run, ...body }: Plain<PayOutToBankBody>,
    @FromCommand() sent: Command,
  ) {
    const command = dry_run ? sent.asDryRun() : sent;
    return this.payOut(caller, command, await this.payouts.toBank(caller, command, body));
  }

  @Post('wallets')
  @Route({
    operationId: 'createWalletPayout',
    summary: 'Withdraw to a crypto address',
    answer: ANSWER,
    needs: MONEY,
    bodies: {
      'To an address on Tron': {
        currency: 'USDT',
        amount: '10',
        network: 'trc20',
        address: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
        recipient_name: 'Ada Obi',
      },
    },
    responds: RESPONDS,
    errors: ERRORS,
  })
  async toWallet(
    @FromCaller() caller: Caller,
    @FromBody(PayOutToWalletBody) { dry_run, ...body }: Plain<PayOutToWalletBody>,
    @FromCommand() sent: Command,
  ) {
    const command = dry_run ? sent.asDryRun() : sent;
    return this.payOut(caller, command, await this.payouts.toWallet(caller, command, body));
  }

  @Post(':transaction_id/approve')
  @Route({
    operationId: 'approvePayout',
    summary: 'Approve a payout that waits for it',
    needs:
      'The payout waits for an approval (`waiting_for`), and another key has created it. The hash is the `approval_hash` that it shows.',
    bodies: {
      'What the payout shows': { approval_hash: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c' },
    },
    answer: 'The transaction; with the last approval that it needs it waits for none any more, and is sent',
    responds: successOf(TRANSACTION),
    errors: approvePayout.errors,
  })
  async approve(
    @FromCaller() caller: Caller,
    @Param('transaction_id') transaction: string,
    @FromBody(ApprovePayoutBody) { approval_hash }: Plain<ApprovePayoutBody>,
    @FromCommand() command: Command,
  ) {
    const named = { transaction: transactionName(transaction), signer: signerOf(caller) };
    const target = { shard: caller.shard };
    const view = command.resultOf(
      await this.bus.call(approvePayout, { ...named, approval_hash, ...command.ids }, target),
    );
    return success(await this.printer.printLookedUp(view, caller, presentTransaction));
  }

  @Post(':transaction_id/reject')
  @Route({
    operationId: 'rejectPayout',
    summary: 'Reject a payout that waits',
    needs: 'The payout waits (`waiting_for`), and another key has created it.',
    answer: 'The transaction: FAILED, and its money is back in the wallet',
    responds: successOf(TRANSACTION),
    errors: rejectPayout.errors,
  })
  async reject(
    @FromCaller() caller: Caller,
    @Param('transaction_id') transaction: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    const named = { transaction: transactionName(transaction), signer: signerOf(caller) };
    const view = command.resultOf(
      await this.bus.call(rejectPayout, { ...named, ...command.ids }, { shard: caller.shard }),
    );
    return success(await this.printer.printLookedUp(view, caller, presentTransaction));
  }

  private async payOut(caller: Caller, command: Command, terms: PayoutTerms) {
    const by = { key_mode: caller.mode, signer: signerOf(caller) };
    const request = { ...terms, ...by, fee_schedule: caller.payout_fee_schedule, ...command.ids };
    const target = { shard: caller.shard };
    if (command.isDryRun) {
      const view = await this.bus.call(dryRunHoldPayout, request, target);
      return success(presentPayoutDryRun(view, await this.destinations.of(view)));
    }
    const view = await command.resultOfSent(this.bus.call(holdPayout, request, target));
    return success(presentNewPayout(view, await this.destinations.of(view)));
  }
}
