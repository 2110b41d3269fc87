/**
 * From a request to a signed transaction, one after the other: each is decided on all that was signed before it.
 *
 *   decide (rules) → sign (keys) → journal, flushed → memory → answer
 *
 * A signature that isn't in the journal never leaves this process: if it is killed in between, the signature is lost with it.
 */
import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import type { Sender } from '@stablecoin/contracts/signer/movement';
import type { SignedTransfer, SignTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { currentRequest } from '@stablecoin/messaging/request-context';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { hexToBytes } from 'viem/utils';
import { TransactionKeys } from '../keys/transaction-keys';
import type { OrderRules } from '../rules/payout-orders';
import type { SignedTransaction } from '../rules/signing-memory';
import { decideSigning, type Refused, type SigningPolicy } from '../rules/signing-rules';
import type { SpendingCaps } from '../rules/spending-caps';
import { digestOf, type Hex, signedTransaction } from '../rules/transfer-transaction';
import { REFUSAL_SENTENCES } from './refusal-sentences';
import { SigningJournal } from './signing-journal';

interface SigningSettings {
  cold: Hex | null;
  caps: SpendingCaps;
  orders: OrderRules;
}

@Injectable()
export class TransferSigner implements OnApplicationBootstrap {
  private readonly log = new Logger(TransferSigner.name);
  private readonly policy: SigningPolicy;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly keys: TransactionKeys,
    private readonly journal: SigningJournal,
    { cold, caps, orders }: SigningSettings,
  ) {
    this.policy = { hot: keys.hot, cold, caps, orders, depositAddress: (index) => keys.depositAddress(index) };
  }

  /** The operator who funds the hot wallet takes its address from this line. */
  onApplicationBootstrap(): void {
    this.log.log({ msg: 'hot wallet', address: this.policy.hot, cold: this.policy.cold });
  }

  sign(request: SignTransfer): Promise<SignedTransfer> {
    const signed = this.turn.then(() => this.signInTurn(request));
    this.turn = signed.catch(() => undefined);
    return signed;
  }

  private async signInTurn(request: SignTransfer): Promise<SignedTransfer> {
    const isLate = (currentRequest()?.deadline ?? Infinity) <= Date.now();
    if (isLate || !this.journal.takesEntries) throw Refusal.notExecuted();
    const decision = decideSigning(request, this.policy, this.journal.memory, this.journal.now());
    if ('refused' in decision) throw this.refusal(request, decision);
    if ('repeat' in decision) return answerOf(decision.repeat);
    const digest = hexToBytes(digestOf(decision.sign.terms));
    const signature = await this.keys.sign(keyOf(request.from), digest);
    const signed = { ...decision.sign, signature };
    const answer = answerOf(signed);
    await this.journal.write(signed, answer.hash);
    this.tell(signed, answer);
    return answer;
  }

  /** Without the payee, whom the hash leads to for anyone who may look on the chain. */
  private tell({ kind, from, terms }: SignedTransaction, { hash }: SignedTransfer): void {
    const { network, nonce } = terms;
    instruments.signer_signatures_total.inc({ network, movement: kind });
    this.log.log({ msg: 'signed', network, movement: kind, from, nonce, hash });
  }

  private refusal({ network, nonce, movement, from }: SignTransfer, { refused: reason, field }: Refused): Refusal {
    instruments.signer_refusals_total.inc({ reason });
    this.log.warn({
      msg: 'refused to sign',
      reason,
      field,
      network,
      movement: movement.kind,
      from: keyOf(from),
      nonce,
    });
    return Refusal.ofField(field, reason, REFUSAL_SENTENCES[reason]);
  }
}

const keyOf = (from: Sender) => (from.kind === 'hot' ? 'hot' : from.index);

const answerOf = ({ from, terms, signature }: SignedTransaction): SignedTransfer => ({
  ...signedTransaction(terms, signature),
  from,
});
