import { Controller, Get, Param } from '@nestjs/common';
import { explainTransaction } from '@stablecoin/contracts/wallet/explain-transaction';
import { getPastBalance } from '@stablecoin/contracts/wallet/get-past-balance';
import { listCheckpoints } from '@stablecoin/contracts/wallet/list-checkpoints';
import { proveConsistency } from '@stablecoin/contracts/wallet/prove-consistency';
import { proveLiability } from '@stablecoin/contracts/wallet/prove-liability';
import { proveTransaction } from '@stablecoin/contracts/wallet/prove-transaction';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { pageOf, paginationOf, success, successOf } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { FromQuery } from '../routes/input';
import { Route } from '../routes/route';
import {
  ConsistencyQuery,
  ListCheckpointsQuery,
  PastBalanceQuery,
} from '@stablecoin/merchant-resources/audit/audit-requests';
import {
  CHECKPOINT,
  CONSISTENCY_PROOF,
  LIABILITY_PROOF,
  PAST_BALANCE,
  PROOF,
  TRANSACTION_EXPLANATION,
} from '@stablecoin/merchant-resources/audit/audit.presenter';

const TRANSACTION_ID = /^[A-Z0-9]{10}$/;

/** Evidence for merchants. All of it comes from the log, and a merchant can check it without trusting this service. */
@Controller('audit')
export class AuditController {
  constructor(private readonly bus: BusClient) {}

  @Get('balances')
  @Route({
    operationId: 'getPastBalance',
    summary: 'Get what a wallet held at a time, or at a position of the log',
    answer: 'The balance after the last event up to then',
    responds: successOf(PAST_BALANCE),
    cost: 3,
    errors: getPastBalance.errors,
  })
  async balance(
    @FromCaller() { merchant_id, shard }: Caller,
    @FromQuery(PastBalanceQuery) query: Plain<PastBalanceQuery>,
  ) {
    return success(await this.bus.call(getPastBalance, { ...query, merchant_id }, { shard }));
  }

  @Get('transactions/:transaction_id')
  @Route({
    operationId: 'explainTransaction',
    summary: 'Explain a transaction: the events of the log behind it',
    answer: 'The transaction, its steps and its events',
    responds: successOf(TRANSACTION_EXPLANATION),
    cost: 3,
    errors: explainTransaction.errors,
  })
  async explain(@FromCaller() { merchant_id, shard }: Caller, @Param('transaction_id') transactionId: string) {
    return success(
      await this.bus.call(
        explainTransaction,
        { merchant_id, transaction_id: pathTransactionId(transactionId) },
        { shard },
      ),
    );
  }

  @Get('proofs/:transaction_id')
  @Route({
    operationId: 'proveTransaction',
    summary: 'Prove a transaction: a document that is checked without us',
    answer: 'The proof, as npm run audit -- verify-proof takes it',
    responds: successOf(PROOF),
    cost: 5,
    errors: proveTransaction.errors,
  })
  async prove(@FromCaller() { merchant_id, shard }: Caller, @Param('transaction_id') transactionId: string) {
    return success(
      await this.bus.call(
        proveTransaction,
        { merchant_id, transaction_id: pathTransactionId(transactionId) },
        { shard },
      ),
    );
  }

  @Get('liabilities/:wallet_id')
  @Route({
    operationId: 'proveLiability',
    summary: 'Prove that a wallet is counted in what we have signed that we owe',
    answer: 'The proof, as npm run audit -- verify-liability takes it',
    responds: successOf(LIABILITY_PROOF),
    cost: 5,
    errors: proveLiability.errors,
  })
  async liability(@FromCaller() { merchant_id, shard }: Caller, @Param('wallet_id') walletId: string) {
    return success(await this.bus.call(proveLiability, { merchant_id, wallet_id: pathUuid(walletId) }, { shard }));
  }

  @Get('checkpoints')
  @Route({
    operationId: 'listCheckpoints',
    summary: "List what has been signed of the log that the merchant's events are in",
    answer: 'Checkpoints with their public keys, newest first',
    responds: pageOf(CHECKPOINT),
  })
  async checkpoints(
    @FromCaller() { merchant_id, shard }: Caller,
    @FromQuery(ListCheckpointsQuery) query: Plain<ListCheckpointsQuery>,
  ) {
    const page = await this.bus.call(listCheckpoints, { ...query, merchant_id, shard });
    return { ...success(page.items), pagination: paginationOf(page) };
  }

  @Get('consistency')
  @Route({
    operationId: 'proveConsistency',
    summary: 'Prove that the log has only grown from one checkpoint to another',
    answer: 'The proof, as npm run audit -- verify-consistency takes it',
    responds: successOf(CONSISTENCY_PROOF),
    cost: 5,
    errors: proveConsistency.errors,
  })
  async consistency(
    @FromCaller() { merchant_id, shard }: Caller,
    @FromQuery(ConsistencyQuery) query: Plain<ConsistencyQuery>,
  ) {
    return success(await this.bus.call(proveConsistency, { ...query, merchant_id, shard }));
  }
}

function pathTransactionId(text: string): string {
  if (!TRANSACTION_ID.test(text)) throw new Refusal('not_found');
  return text;
}
