import { Injectable } from '@nestjs/common';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { DeviceSignature } from '@stablecoin/command-proofs/device-signature';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { approvePayout } from '@stablecoin/contracts/wallet/approve-payout';
import { rejectPayout } from '@stablecoin/contracts/wallet/reject-payout';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { Decisions } from '@stablecoin/people-store/decisions';
import { Passkeys, PasskeyUse } from '@stablecoin/people-store/passkeys';
import { Session } from '@stablecoin/people-store/sessions';
import { ConsoleRefusal } from '../http/console-refusal';
import { DeviceAnswer, signedIn } from '../passkeys/device-answer';
import { subjectPublicKeyInfo } from '../passkeys/public-key';
import { RelyingParty } from '../passkeys/relying-party';
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
    private readonly passkeys: Passkeys,
    private readonly party: RelyingParty,
    private readonly decisions: Decisions,
    private readonly bus: BusClient,
    private readonly secret: CallerSecret,
  ) {}

  async options(transaction: string, merchant: AskingMerchant, session: Session) {
    const { approval_hash } = await this.waiting(merchant, transaction);
    const known = await this.passkeys.ofPerson(session);
    if (known.length === 0) throw new ConsoleRefusal('no_passkey_yet');
    return this.party.authenticationOptions(challengeOf(approval_hash), known);
  }

  async approve(approval: Approval, merchant: AskingMerchant, session: Session): Promise<PrintedTransaction> {
    const { approval_hash, answer } = approval;
    const use = answer.challenge === challengeOf(approval_hash) ? await this.useOf(answer, session) : undefined;
    const signed = use && (await this.signatureOf(answer, use));
    if (!use || !signed) throw new ConsoleRefusal('passkey_refused');
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

  /** Undefined where it is not a passkey of the person's that has signed. */
  private async useOf(answer: DeviceAnswer, { person_id }: Session): Promise<PasskeyUse | undefined> {
    const passkey = await this.passkeys.find(answer.credentialId);
    return passkey?.person_id === person_id ? this.party.answered(answer, passkey) : undefined;
  }

  private async signatureOf(answer: DeviceAnswer, { passkey }: PasskeyUse): Promise<DeviceSignature | undefined> {
    const signed = signedIn(answer);
    return signed && { ...signed, public_key: (await subjectPublicKeyInfo(passkey.public_key)).toString('base64') };
  }
}

const challengeOf = (approvalHash: string): string => Buffer.from(approvalHash, 'hex').toString('base64url');

/** For the ledger a person is a signer, and a membership what a key is of a merchant's program. */
const signerOf = ({ member_id, person_id }: Session) => ({ key_id: member_id, signer_id: person_id });
