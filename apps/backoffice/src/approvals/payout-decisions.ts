import { Injectable } from '@nestjs/common';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { approvePayout } from '@stablecoin/contracts/wallet/approve-payout';
import { rejectPayout } from '@stablecoin/contracts/wallet/reject-payout';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { Decisions } from '@stablecoin/people-store/decisions';
import { Session } from '@stablecoin/people-store/sessions';
import { ConsoleRefusal } from '../http/console-refusal';
import { DeviceAnswer } from '../passkeys/device-answer';
import { PasskeySignatures } from '../passkeys/passkey-signatures';
import { signerOf } from '../commands/merchant-member';
import { AskingMerchant } from '../reads/from-merchant';
import { MerchantTransactions, PrintedTransaction } from '../transactions/merchant-transactions';

interface Approval {
  transaction: string;
  /** As the person was shown it. */
  approval_hash: string;
  answer: DeviceAnswer;
}

interface Rejection {
  transaction: string;
  reason: string;
}

/**
 * Decisions of people on payouts that wait. The challenge that a device signs is the approval hash itself, so what it signed proves to
 * anybody that its person approved this payout and nothing else; it goes to the ledger, which keeps it in the log. Sent again it
 * changes nothing: a person approves a payout once.
 */
@Injectable()
export class PayoutDecisions {
  constructor(
    private readonly transactions: MerchantTransactions,
    private readonly signatures: PasskeySignatures,
    private readonly decisions: Decisions,
    private readonly bus: BusClient,
    private readonly secret: CallerSecret,
  ) {}

  async options(transaction: string, merchant: AskingMerchant, session: Session) {
    const { approval_hash } = await this.waiting(merchant, transaction);
    return this.signatures.optionsFor(challengeOf(approval_hash), session);
  }

  async approve(approval: Approval, merchant: AskingMerchant, session: Session): Promise<PrintedTransaction> {
    const { approval_hash, answer } = approval;
    const { use, signed } = await this.signatures.over(challengeOf(approval_hash), answer, session);
    const payout = await this.waiting(merchant, approval.transaction);
    if (payout.approval_hash !== approval_hash) throw new Refusal('approval_mismatch');
    const { transaction_id: transaction, created_at } = payout;
    const { key_id, signer_id } = signerOf(session);
    const terms = { merchant_id: merchant.merchant_id, transaction, approval_hash };
    const ids = derivedCommand(`approve-payout:${transaction}:${signer_id}`, terms);
    const { command_id } = ids;
    const approved = { transaction_id: transaction, approval_hash, command_id, created_at };
    const recorded = await this.decisions.approve(use, approved, session);
    if (recorded === 'joined_later') throw new ConsoleRefusal('joined_later');
    if (recorded === 'not_trusted') throw new ConsoleRefusal('passkey_refused');
    const stated = { ...terms, key_id, signer_id, command_id, ...signed };
    const evidence = signEvidence(this.secret, { type: 'approval', ...stated });
    const command = { ...terms, signer: { key_id, signer_id }, ...ids };
    const { result } = await this.bus.call(approvePayout, command, { shard: merchant.shard, evidence });
    return this.transactions.print(result, merchant);
  }

  async reject(
    { reason, ...asked }: Rejection,
    merchant: AskingMerchant,
    session: Session,
  ): Promise<PrintedTransaction> {
    const { waiting_for, transaction_id: transaction } = await this.transactions.get(merchant, asked.transaction);
    if (waiting_for === null) throw new Refusal('invalid_transition');
    const signer = signerOf(session);
    const terms = { merchant_id: merchant.merchant_id, transaction };
    const ids = derivedCommand(`reject-payout:${transaction}:${signer.signer_id}`, terms);
    await this.decisions.reject({ transaction_id: transaction, command_id: ids.command_id, reason }, session);
    const { result } = await this.bus.call(rejectPayout, { ...terms, signer, ...ids }, { shard: merchant.shard });
    return this.transactions.print(result, merchant);
  }

  /** @throws Refusal where it waits for no approval */
  private async waiting(merchant: AskingMerchant, name: string) {
    const { waiting_for, approval_hash, ...payout } = await this.transactions.get(merchant, name);
    if (waiting_for !== 'approval' || approval_hash === null) throw new Refusal('invalid_transition');
    return { ...payout, approval_hash };
  }
}

const challengeOf = (approvalHash: string): string => Buffer.from(approvalHash, 'hex').toString('base64url');
