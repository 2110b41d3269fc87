import { Injectable } from '@nestjs/common';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { depositCommandName } from '@stablecoin/command-proofs/deposit-name';
import { ScreeningStatement, signEvidence } from '@stablecoin/command-proofs/evidence';
import { UnrecognisedReason } from '@stablecoin/contracts/chain/views';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { failDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { reverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import { TransactionStatus, TransactionView } from '@stablecoin/contracts/wallet/views';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { Booked, DepositStep } from './deposit';
import { DepositRow } from './deposit-rows';
import { DepositScreening } from './deposit-screening';
import { StepOutcome } from './deposit-store';

/** What the ledger refuses for good: an operator decides. */
const UNRECOGNISED: Partial<Record<ErrorCode, UnrecognisedReason>> = {
  not_found: 'unknown_wallet',
  wallet_not_found: 'unknown_wallet',
  customer_closed: 'customer_closed',
  validation_failed: 'refused_by_ledger',
};

const BOOKED: Readonly<Record<TransactionStatus, Booked>> = {
  PENDING: 'recorded',
  COMPLETED: 'completed',
  FAILED: 'failed',
  REVERSED: 'reversed',
};

const MOVES = {
  confirm: { operation: confirmDeposit, booked: 'completed', to: 'COMPLETED' },
  fail: { operation: failDeposit, booked: 'failed', to: 'FAILED' },
  reverse: { operation: reverseDeposit, booked: 'reversed', to: 'REVERSED' },
} as const;

/**
 * Asks the ledger for one step of a deposit. The command's id is derived from the deposit's name: however often a step is
 * repeated, by whichever instance, the ledger takes it once.
 */
@Injectable()
export class DepositSteps {
  constructor(
    private readonly bus: BusClient,
    private readonly screening: DepositScreening,
    private readonly secret: CallerSecret,
  ) {}

  /** @throws Refusal `unavailable`, and anything else that is worth another try */
  async make(deposit: DepositRow, step: DepositStep): Promise<StepOutcome> {
    switch (step) {
      case 'record':
        return this.record(deposit);
      case 'confirm':
        return this.confirm(deposit);
      case 'fail':
      case 'reverse':
        return this.move(deposit, step);
    }
  }

  /** What compliance rejects is not credited: it fails at the ledger, and an operator decides about the money on the chain. */
  private async confirm(deposit: DepositRow): Promise<StepOutcome> {
    const { decision, lists } = await this.screening.screen(deposit);
    switch (decision) {
      case 'clear':
      case 'released':
        return this.move(deposit, 'confirm', { decision, lists });
      case 'held':
      case 'unlisted':
        return { booked: 'recorded', waitsForScreening: true };
      case 'rejected': {
        const outcome = await this.move(deposit, 'fail', { decision, lists });
        return outcome.booked === 'failed' ? { booked: 'unrecognised', reason: 'rejected_by_screening' } : outcome;
      }
    }
  }

  private async record(deposit: DepositRow): Promise<StepOutcome> {
    try {
      const { id, transaction_id } = await this.recorded(deposit);
      return { booked: 'recorded', ledgerId: id, transactionId: transaction_id };
    } catch (error) {
      const reason = error instanceof Refusal ? UNRECOGNISED[error.code] : undefined;
      if (reason === undefined) throw error;
      return { booked: 'unrecognised', reason };
    }
  }

  /** The deposit as the ledger has recorded it: asked again, it answers the same, whatever has become of the deposit since. */
  async recorded(deposit: DepositRow): Promise<TransactionView> {
    const { merchant_id, wallet_id, amount, network, transaction_hash, shard } = deposit;
    if (amount === null) throw new Error(`deposit ${deposit.id} is of an unknown token`);
    const terms = {
      merchant_id,
      wallet_id,
      amount,
      network,
      crypto_transaction_id: transaction_hash,
      confirmed: false,
    };
    const command = derivedCommand(depositCommandName('record', deposit.command_name), terms);
    const { ordinal, block_number, block_hash } = deposit;
    const evidence = signEvidence(this.secret, {
      ...{ type: 'deposit', rail: 'chain', ...terms, command_id: command.command_id },
      ...{ ordinal, block_number: Number(block_number), block_hash, deposit_name: deposit.command_name },
    });
    const { result } = await this.bus.call(recordDeposit, { ...terms, ...command }, { shard, evidence });
    return result;
  }

  private async move(
    deposit: DepositRow,
    step: keyof typeof MOVES,
    screening?: ScreeningStatement,
  ): Promise<StepOutcome> {
    const { merchant_id, ledger_id: id, shard } = deposit;
    if (id === null) throw new Error(`deposit ${deposit.id} was recorded without the ledger's id`);
    const { operation, booked, to } = MOVES[step];
    const terms = { merchant_id, id };
    try {
      const command = derivedCommand(depositCommandName(step, deposit.command_name), terms);
      const { command_id } = command;
      const stated = { type: 'deposit-end', rail: 'chain', ...terms, to, command_id } as const;
      const isScreened = screening !== undefined && screening.lists.length > 0;
      const evidence = signEvidence(this.secret, { ...stated, ...(isScreened && { screening }) });
      await this.bus.call(operation, { ...terms, ...command }, { shard, evidence });
      return { booked };
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'invalid_transition')) throw error;
      return this.asItIs(deposit, booked);
    }
  }

  /** It was moved by a command that is not ours: the ledger's own state counts from here on. */
  private async asItIs({ id, merchant_id, transaction_id, shard }: DepositRow, wanted: Booked): Promise<StepOutcome> {
    const asked = { merchant_id, transaction_id: transaction_id ?? '' };
    const { status } = await this.bus.call(getTransaction, asked, { shard });
    const booked = BOOKED[status];
    if (booked === 'recorded')
      throw new Error(`deposit ${id} is PENDING at the ledger, which refuses that it be ${wanted}`);
    return { booked };
  }
}
