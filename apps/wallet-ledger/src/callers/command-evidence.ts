/**
 * What a command is to prove beyond who asks for it, before the writer decides it:
 *
 * | command                       | evidence, signed by who asks               | the proof of a request           | the log       |
 * |-------------------------------|--------------------------------------------|----------------------------------|---------------|
 * | record a deposit              | the deposit, by the rail of the service;   | where the rail is the sandbox: a | whose wallet  |
 * |                               | a chain's, and the command derived from it | key's, of a deposit of these     |               |
 * |                               |                                            | terms                            |               |
 * | confirm, fail, reverse it     | its end, by the rail of the service; of a  |                                  | who recorded  |
 * |                               | chain's, the command derived from it       |                                  |               |
 * | resolve a payout              | the settlement                             |                                  | whose request |
 * | post a swap                   | the quote, and the command derived from it | always: a swap of these terms;   |               |
 * |                               |                                            | a person's with what the         |               |
 * |                               |                                            | person's passkey has signed      |               |
 * | change a policy               | the policy, its number and the time, by    |                                  | its number    |
 * |                               | the operators' key                         |                                  |               |
 * | approve a payout, by a person | what the person's passkey has signed       |                                  |               |
 * | hold a payout, for a person   | the same: all terms of the command         |                                  |               |
 *
 * A request proves one command: with the proof of one that asked for a swap, no second swap is posted.
 *
 * Every term of the command must be what the evidence says. Where COMMANDS_ACCEPTED_UNSIGNED is set, what is left out is not
 * asked for; what is there must be right.
 */
import { Injectable, Logger } from '@nestjs/common';
import { depositCommandName, depositNames } from '@stablecoin/command-proofs/deposit-name';
import {
  DepositEvidence,
  isEvidenceSigned,
  isOfOneTransfer,
  Evidence,
  EvidenceOf,
  EvidenceRail,
  POLICY_STATED_WITHIN_MS,
  readEvidence,
} from '@stablecoin/command-proofs/evidence';
import { DeviceSignature, isSignedByDevice } from '@stablecoin/command-proofs/device-signature';
import { Order } from '@stablecoin/command-proofs/order';
import { isOrderSigned } from '@stablecoin/command-proofs/order-signature';
import { SignedText } from '@stablecoin/command-proofs/command-mac';
import type { SimulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import type { ExecuteSwapTerms } from '@stablecoin/contracts/swap/execute-swap';
import { ApprovePayout, approvePayout } from '@stablecoin/contracts/wallet/approve-payout';
import { ChangePolicy, changePolicy } from '@stablecoin/contracts/wallet/change-policy';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { failDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import {
  SANDBOX_DEPOSIT_REQUEST,
  SWAP_DRY_RUN_REQUEST,
  SWAP_REQUEST,
} from '@stablecoin/contracts/wallet/merchant-requests';
import { postSwap, postSwapCommandName, PostSwapTerms } from '@stablecoin/contracts/wallet/post-swap';
import { RecordDeposit, recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { ResolvePayout, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { reverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import {
  PostSwap,
  RecordDeposit as RecordDepositCommand,
  ResolvePayout as ResolvePayoutCommand,
} from '@stablecoin/ledger-domain/commands';
import { MerchantMode, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { BACKOFFICE, CallerRefusal, GATEWAY, refusedCommand } from '@stablecoin/messaging/caller-check';
import { currentRequest, ProvenRequest } from '@stablecoin/messaging/request-context';
import { Money } from '@stablecoin/money/money';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { orderedPayout, orderedSwap, orderOf } from './ordered-terms';
import { UsedProofs } from './used-proofs';

const END_OF_DEPOSIT = {
  [confirmDeposit.subject]: 'COMPLETED',
  [failDeposit.subject]: 'FAILED',
  [reverseDeposit.subject]: 'REVERSED',
} as const;
const STEP_TO = { COMPLETED: 'confirm', FAILED: 'fail', REVERSED: 'reverse' } as const;
/** Which rails a service speaks for where money arrives. */
const RAIL_OF: Readonly<Record<string, EvidenceRail | undefined>> = { payout: 'sandbox', chain: 'chain' };

/** An order that was sent in time may arrive a little later. */
const ORDER_GRACE_MS = 10_000;

/** It is kept for ever: several times what any service states. */
const EVIDENCE_CHARACTERS_MAX = 32_768;

type AskedOperation = NonNullable<ProvenRequest['asked']>;

/** The terms of a command as its evidence must say them. */
type Terms<Type extends Evidence['type']> = Partial<Omit<EvidenceOf<Type>, 'type'>>;

@Injectable()
export class CommandEvidence {
  private readonly log = new Logger(CommandEvidence.name);
  private readonly proofs = new UsedProofs();

  constructor(
    private readonly configuration: WalletLedgerConfiguration,
    private readonly databases: LedgerDatabases,
  ) {}

  /** @param asked what the gateway asks for where the ledger is asked for this */
  ofQuote(
    request: PostSwapTerms,
    asked: typeof SWAP_REQUEST | typeof SWAP_DRY_RUN_REQUEST,
  ): Pick<PostSwap, 'rates' | 'mode'> {
    const { merchant_id, customer_id = null, swap_id, command_id } = request;
    const { from_currency, to_currency, from_amount, to_amount, quoted_price: price, valid_until } = request;
    const amounts = { from_currency, to_currency, from_amount, to_amount, price, valid_until };
    const quote = this.stated(postSwap.subject, 'quote', { merchant_id, customer_id, swap_id, ...amounts });
    // The ledger takes a command once, and so the quote.
    if (quote && command_id !== derivedUuid(postSwapCommandName(swap_id)))
      throw this.refused(postSwap.subject, 'wrong_evidence');
    const mode = this.modeOf(postSwap.subject, request, isSwapOf(asked, request));
    // What is only tried out writes nothing.
    if (asked === SWAP_REQUEST) this.ofSwapOrder(request);
    return { rates: quote?.rates ?? null, mode };
  }

  async ofDeposit(request: RecordDeposit): Promise<Pick<RecordDepositCommand, 'rail' | 'mode'>> {
    const {
      merchant_id,
      wallet_id,
      amount,
      network = null,
      crypto_transaction_id = null,
      confirmed,
      command_id,
    } = request;
    const terms = { merchant_id, wallet_id, amount, network, crypto_transaction_id, confirmed, command_id };
    const deposit = this.stated(recordDeposit.subject, 'deposit', { ...terms, rail: this.railOfCaller() });
    // Under another id a command that is still to come would be refused, a payout's end.
    if (deposit?.rail === 'chain' && !(isOfOneTransfer(deposit) && nameOf(deposit)))
      throw this.refused(recordDeposit.subject, 'wrong_evidence');
    if (deposit?.rail !== 'sandbox') return { rail: deposit?.rail ?? null, mode: null };
    const isDeposit = isDepositOf(request);
    const mode = this.modeOf(recordDeposit.subject, request, (asked, by) => by === GATEWAY && isDeposit(asked));
    // A wallet that was opened with a live key is live, whatever the gateway says of its merchant now.
    return { rail: 'sandbox', mode: (await this.isLive(wallet_id)) ? 'live' : mode };
  }

  async ofDepositEnd(
    { subject }: typeof confirmDeposit | typeof failDeposit | typeof reverseDeposit,
    { merchant_id, id, command_id }: MerchantCommand & { id: string },
  ): Promise<void> {
    const terms = { merchant_id, id, to: END_OF_DEPOSIT[subject], command_id, rail: this.railOfCaller() };
    const end = this.stated(subject, 'deposit-end', terms);
    if (!end) return;
    const first = await this.firstEventOf(merchant_id, id);
    // What is no deposit is not found by the decider; versions before did not keep who recorded one.
    if (first?.movement !== 'deposit-recorded' || !first.asked_by) return;
    const isItsRecorder = first.asked_by.service === currentRequest()?.caller?.service;
    if (!isItsRecorder) throw this.refused(subject, 'not_a_caller');
    // Versions before took deposits of other names.
    const deposit = end.rail === 'chain' ? readEvidence('deposit', first.asked_by.evidence ?? '') : undefined;
    const name = deposit && nameOf(deposit);
    if (name !== undefined && command_id !== derivedUuid(depositCommandName(STEP_TO[end.to], name)))
      throw this.refused(subject, 'wrong_evidence');
  }

  async ofSettlement(request: ResolvePayout): Promise<Pick<ResolvePayoutCommand, 'rail' | 'mode'>> {
    const { merchant_id, transaction, resolution, rail_reference: reference = null, command_id } = request;
    const terms = { merchant_id, transaction, resolution, reference, command_id };
    const settlement = this.stated(resolvePayout.subject, 'settlement', terms);
    if (settlement?.rail !== 'sandbox') return { rail: settlement?.rail ?? null, mode: null };
    return { rail: 'sandbox', mode: (await this.firstEventOf(merchant_id, transaction))?.asked_by?.mode ?? null };
  }

  /** @returns the number that it is to have; null where nothing is stated, or by a version before, while such are accepted */
  ofPolicy({ merchant_id, changed_by, reason, command_id }: ChangePolicy, policy: object): number | null {
    const text = canonicalText(policy as CanonicalValue);
    const terms = { merchant_id, changed_by, reason, command_id, policy: text };
    const stated = this.stated(changePolicy.subject, 'policy', terms);
    if (!stated) return null;
    const { policy_version, stated_at } = stated;
    if (policy_version === undefined && stated_at === undefined && this.configuration.commandsAcceptedUnsigned)
      return null;
    // Kept back, or dated ahead so that it could be.
    const isOfNow = Math.abs(Date.now() - Date.parse(stated_at ?? '')) <= POLICY_STATED_WITHIN_MS;
    if (!Number.isSafeInteger(policy_version) || !isOfNow) throw this.refused(changePolicy.subject, 'wrong_evidence');
    return policy_version as number;
  }

  /** A merchant's key needs none: the gateway has seen it. */
  ofApproval({ merchant_id, transaction, approval_hash, signer, command_id }: ApprovePayout): void {
    if (currentRequest()?.caller?.service !== BACKOFFICE) return;
    const terms = { merchant_id, transaction, approval_hash, ...signer, command_id };
    // No version ever approved for people without: there is nothing to be lenient about.
    const approval = this.stated(approvePayout.subject, 'approval', terms);
    if (!approval) throw this.refused(approvePayout.subject, 'no_evidence');
    if (!isSignedByDevice(approval, Buffer.from(approval_hash, 'hex')))
      throw this.refused(approvePayout.subject, 'wrong_evidence');
  }

  /** A merchant's key needs none. */
  ofPayout(request: HoldPayout): void {
    if (currentRequest()?.caller?.service !== BACKOFFICE) return;
    const order = this.stated(holdPayout.subject, 'payout-order', orderedPayout(request));
    if (!order) throw this.refused(holdPayout.subject, 'no_evidence');
    // In clear only versions before sent them, and no order says them.
    if (request.bank_name || request.recipient_country) throw this.refused(holdPayout.subject, 'wrong_evidence');
    this.requireOrder(holdPayout.subject, order);
  }

  /** Of a person's swap the proof of the request carries it: swap-pricing asks. */
  private ofSwapOrder(request: PostSwapTerms): void {
    const asked = currentRequest()?.caller?.request;
    if (asked?.by !== BACKOFFICE) return;
    const signed = orderOf(asked);
    if (!signed) throw this.refused(postSwap.subject, 'no_evidence');
    const order = this.statedBy(BACKOFFICE, signed, 'swap-order', orderedSwap(request, asked));
    if (!order) throw this.refused(postSwap.subject, 'wrong_evidence');
    this.requireOrder(postSwap.subject, order);
  }

  private requireOrder(subject: string, order: Order & DeviceSignature): void {
    const isOver = Date.now() > Date.parse(order.valid_until) + ORDER_GRACE_MS;
    if (isOver || !isOrderSigned(order)) throw this.refused(subject, 'wrong_evidence');
  }

  /**
   * @returns null where nothing is stated and nothing needs to be
   * @throws Refusal
   */
  private stated<Type extends Evidence['type']>(
    subject: string,
    type: Type,
    terms: Terms<Type>,
  ): EvidenceOf<Type> | null {
    const caller = currentRequest()?.caller;
    if (!caller?.evidence) {
      if (this.configuration.commandsAcceptedUnsigned) return null;
      throw this.refused(subject, 'no_evidence');
    }
    const stated = this.statedBy(caller.service, caller.evidence, type, terms);
    if (!stated) throw this.refused(subject, 'wrong_evidence');
    return stated;
  }

  private statedBy<Type extends Evidence['type']>(
    service: string,
    evidence: SignedText,
    type: Type,
    terms: Terms<Type>,
  ): EvidenceOf<Type> | undefined {
    if (evidence.text.length > EVIDENCE_CHARACTERS_MAX) return undefined;
    const stated = readEvidence(type, evidence.text);
    const isSigned = isEvidenceSigned(this.configuration.commandEvidenceKeys, service, evidence);
    return stated && isSigned && agrees(stated, terms) ? stated : undefined;
  }

  /** @throws Refusal where no request of this merchant is proved, or one for something else */
  private modeOf(
    subject: string,
    command: MerchantCommand,
    isFor: (asked: AskedOperation, by: string) => boolean,
  ): MerchantMode | null {
    const request = currentRequest()?.caller?.request;
    if (!request && this.configuration.commandsAcceptedUnsigned) return null;
    const isItsOwn = request?.merchant_id === command.merchant_id;
    // Only a gateway of a version before asks for nothing in particular, and is heard only while such are accepted.
    const isAsked = !request?.asked || (isFor(request.asked, request.by) && this.proofs.isFor(request, command));
    if (!request || !isItsOwn || !isAsked) throw this.refused(subject, 'wrong_proof');
    return request.mode as MerchantMode;
  }

  private railOfCaller(): EvidenceRail | undefined {
    return RAIL_OF[currentRequest()?.caller?.service ?? ''];
  }

  private async isLive(walletId: string): Promise<boolean> {
    const [opened] = await asRefusal(
      () =>
        this.databases.of().reads.$queryRaw<{ body: string }[]>`
          SELECT body FROM ledger_events WHERE account_id = ${walletId} ORDER BY recorded_at, position LIMIT 1`,
    );
    return opened !== undefined && (JSON.parse(opened.body) as RecordedEvent).asked_by?.mode === 'live';
  }

  /** The event with which a transaction begins, by its `id` or `transaction_id`. */
  private firstEventOf(merchantId: string, transaction: string): Promise<RecordedEvent | undefined> {
    return asRefusal(async () => {
      const [named] = isUuid(transaction)
        ? [{ id: transaction.toLowerCase() }]
        : await this.databases.of().reads.$queryRaw<{ id: string }[]>`
            SELECT id::text FROM transactions
            WHERE merchant_id = ${merchantId}::uuid AND transaction_id = ${transaction}`;
      const [first] = await this.databases.of().reads.$queryRaw<{ body: string }[]>`
        SELECT body FROM ledger_events WHERE transaction = ${named?.id ?? null}::uuid ORDER BY position LIMIT 1`;
      return first && (JSON.parse(first.body) as RecordedEvent);
    });
  }

  private refused(subject: string, reason: CallerRefusal): Refusal {
    return refusedCommand(this.log, { subject, reason, service: currentRequest()?.caller?.service });
  }
}

/** The merchant named pair and amount, and may have named the quote. */
function isSwapOf(swap: string, posted: PostSwapTerms) {
  const { swap_id, customer_id: owner, from_currency, to_currency, from_amount } = posted;
  return ({ subject, body }: AskedOperation): boolean => {
    const asked = body as Plain<ExecuteSwapTerms>;
    const isItsQuote = (asked.quote_id ?? swap_id) === swap_id;
    const isItsOwner = (asked.customer_id ?? null) === (owner ?? null);
    if (subject !== swap || !isItsQuote || !isItsOwner || !agrees(asked, { from_currency, to_currency })) return false;
    return Money.parse(from_currency, asked.amount).equals(Money.parse(from_currency, from_amount));
  };
}

function isDepositOf({ wallet_id, amount, network, command_id }: RecordDeposit) {
  return ({ subject, body }: AskedOperation): boolean => {
    const asked = body as Plain<SimulateDeposit>;
    const isItsNetwork = (asked.network ?? null) === (network ?? null);
    return subject === SANDBOX_DEPOSIT_REQUEST && isItsNetwork && agrees(asked, { wallet_id, amount, command_id });
  };
}

/** The name from which the id of the command is derived that recorded a chain's deposit. */
const nameOf = (deposit: DepositEvidence): string | undefined =>
  depositNames(deposit).find((name) => derivedUuid(depositCommandName('record', name)) === deposit.command_id);

/** Every term is what was stated. */
function agrees(stated: object, terms: object): boolean {
  const said = stated as Record<string, unknown>;
  return Object.entries(terms).every(([name, value]) => value !== undefined && said[name] === value);
}
