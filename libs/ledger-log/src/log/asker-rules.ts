/**
 * Whether what a command led to was asked for by a service that may ask for it, and is what that service stated of the world
 * outside. But for the names of deposits it shares no code with the ledger's own check, on purpose. Judged group by group:
 *
 * | a group that                               | must                                                              |
 * |--------------------------------------------|-------------------------------------------------------------------|
 * | begins what a command led to               | name its asker, unless it is of an upgrade: see `Upgrade`         |
 * | names its asker                            | be a movement of that service, and the command's first            |
 * | brings money, or says what became of it    | carry evidence that says the same, signed by its asker            |
 * | is a deposit that a rail saw, or its end   | be stated by the service of that rail                             |
 * | is a deposit that the sandbox saw          | be a test merchant's                                              |
 * | credits a deposit                          | be of one that is stated as confirmed, and not rejected           |
 * | is a deposit that came over a chain        | name its transfer: network, transaction, block and place; its     |
 * |                                            | command has the id that is derived from that                      |
 * | is a live merchant's payout                | have a policy, also where no merchant ever had one: see `Upgrade` |
 * | is asked for with a merchant's key         | be asked in the mode that the merchant has had all along          |
 * | is a person's approval                     | carry what the person's passkey signed: the hash that is approved |
 * | is a payout or swap that a person ordered  | carry what the person's passkey signed: all of its terms          |
 *
 * Signatures are checked by the services' public keys, where the auditor was given them.
 */
import { CallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { depositCommandName, depositNames } from '@stablecoin/command-proofs/deposit-name';
import { isSignedByDevice } from '@stablecoin/command-proofs/device-signature';
import { isOrderSigned } from '@stablecoin/command-proofs/order-signature';
import {
  ApprovalEvidence,
  DepositEndEvidence,
  DepositEvidence,
  EvidenceRail,
  isEvidenceSigned,
  LedgerEvidence,
  POLICY_STATED_WITHIN_MS,
  PolicyEvidence,
  QuoteEvidence,
  SettlementEvidence,
} from '@stablecoin/command-proofs/evidence';
import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import {
  AskedBy,
  LedgerEvent,
  MerchantMode,
  Movement,
  OpenedTransaction,
  RecordedEvent,
} from '@stablecoin/ledger-domain/events';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { isCurrency, networksOf } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { convert } from '@stablecoin/money/price';
import { payoutOrderTerms, swapOrderTerms } from './order-terms';
import { CLOCKS_MS, isAmountOf } from './term-values';

/** Services of the version before may run beside those that are known by their keys for so long. */
export const UPGRADE_MS = 24 * 3_600_000;

const RAILS = ['payout', 'chain'];
/** Who may ask for the command that begins with a movement; none for one that only follows another. */
const MAY_ASK: Readonly<Record<Movement, readonly string[]>> = {
  'wallet-opened': ['gateway'],
  'deposit-address-added': ['gateway'],
  'customer-closed': ['customer'],
  'deposit-recorded': RAILS,
  'deposit-completed': RAILS,
  'deposit-failed': RAILS,
  'deposit-reversed': RAILS,
  'swap-accepted': ['swap-pricing'],
  'swap-settled': [],
  'payout-accepted': ['gateway', 'backoffice'],
  'payout-completed': ['payout'],
  // Also as it was rejected, with a merchant's key or by a member.
  'payout-failed': ['payout', 'gateway', 'backoffice'],
  'payout-reversed': ['payout'],
  'payout-waiting': ['gateway', 'backoffice'],
  'payout-approved': ['gateway', 'backoffice'],
  'payout-released': ['gateway', 'backoffice', 'payout'],
  'policy-changed': ['operator'],
  'transfer-sent': [],
  'transfer-received': [],
};

/** What each service sees arriving. */
const RAIL_OF: Readonly<Record<string, EvidenceRail>> = { payout: 'sandbox', chain: 'chain' };

/** Takes what members ask for, and does nothing without what a member's passkey has signed. */
const BACKOFFICE = 'backoffice';
const EVIDENCE_OF_PEOPLE: Readonly<Partial<Record<Movement, LedgerEvidence['type']>>> = {
  'payout-accepted': 'payout-order',
  'payout-waiting': 'payout-order',
  'payout-approved': 'approval',
  'payout-released': 'approval',
  'swap-accepted': 'swap-order',
};
const EVIDENCE_OF: Readonly<Partial<Record<Movement, LedgerEvidence['type']>>> = {
  'deposit-recorded': 'deposit',
  'deposit-completed': 'deposit-end',
  'deposit-failed': 'deposit-end',
  'deposit-reversed': 'deposit-end',
  'swap-accepted': 'quote',
  'payout-completed': 'settlement',
  'payout-failed': 'settlement',
  'payout-reversed': 'settlement',
  'policy-changed': 'policy',
};

/** What was stated by services, and of how much of that the signature could be checked. */
export interface EvidenceTally {
  checked: number;
  unchecked: number;
}

export interface NamelessUntil {
  /** Epoch milliseconds; -Infinity for a ledger that has named askers from its first command on. */
  namelessUntil: number;
}

/**
 * Until when commands of one kind may name no asker: a version before wrote such, and may run for a day beside one that names them.
 * A log whose first command names its asker was never written by such a version, and has no such day.
 */
class Upgrade {
  private hasNameless = false;
  private firstAskedAt: number | undefined;

  follow(isAsked: boolean, at: number): void {
    if (isAsked) this.firstAskedAt ??= at;
    else if (this.firstAskedAt === undefined) this.hasNameless = true;
  }

  /** @returns undefined as long as none names its asker */
  get namelessUntil(): number | undefined {
    if (this.firstAskedAt === undefined) return undefined;
    return this.hasNameless ? this.firstAskedAt + UPGRADE_MS : -Infinity;
  }
}

export class AskerRules {
  /** Policies apart: for a time the operators' command line had no key, while services had theirs. */
  private readonly upgrades = { policies: new Upgrade(), others: new Upgrade() };
  private lastCommand: string | undefined;
  /** Of each merchant: all of its keys have one. */
  private readonly modes = new Map<string, MerchantMode>();
  /** Versions before let payouts of live merchants go without one, as they let commands name no asker. */
  private readonly withPolicy = new Set<string>();
  /** Merchants of whom a policy was stated with its number and time, and when that began: versions before stated neither. */
  private readonly numbered = new Set<string>();
  private numberedSince = Infinity;
  /** When the chain service began to state the names of its deposits: before, not each name follows from what was stated. */
  private depositsNamedSince = Infinity;
  /** Who has stated the deposit of the last command, as one that is not final yet. */
  private unconfirmedBy: string | undefined;
  /** The first position of the group that was judged last: a log that grows is judged to its end more than once. */
  private lastGroup = 0;

  /**
   * @param keys undefined where the auditor was given none
   * @param tally counts what was stated
   * @param ledger what all shards say, of everything but policies: one that was empty during an upgrade has its day with the others,
   * and one that is new has none. Without it a log speaks for itself
   */
  constructor(
    private readonly keys: CallerKeys | undefined,
    private readonly tally: EvidenceTally,
    private readonly ledger?: NamelessUntil,
  ) {}

  /**
   * @param first event of a group
   * @param events all of the group
   * @returns what is wrong with it
   */
  problem(first: RecordedEvent, events: readonly LedgerEvent[]): string | undefined {
    const { asked_by, command_id, recorded_at, group } = first;
    if (group === this.lastGroup) return undefined;
    this.lastGroup = group;
    const follows = command_id === this.lastCommand;
    this.lastCommand = command_id;
    if (follows) return asked_by ? 'asked_by: not the first group of its command' : this.unconfirmedProblem(first);
    this.unconfirmedBy = undefined;
    const mayAsk = MAY_ASK[first.movement];
    if (first.movement === 'policy-changed') this.withPolicy.add(first.merchant_id);
    this.upgrades[kindOf(first)].follow(asked_by !== undefined, Date.parse(recorded_at));
    if (!asked_by) return this.isLate(first) ? 'names no service that asked for it' : undefined;
    // By who takes requests a payout fails only where it was rejected.
    const isEnd = first.movement === 'payout-failed' && !isRejection(events);
    if (!mayAsk.includes(asked_by.service) || (isEnd && asked_by.service !== 'payout'))
      return `${asked_by.service} asked for a ${first.movement}, which it may not`;
    const isApproval = events.some(({ type }) => type === 'PayoutApproved');
    if (isApproval && asked_by.service === 'payout') return 'payout asked for an approval, which it may not';
    return (
      this.evidenceProblem(first, asked_by, events) ??
      this.modeProblem(first, asked_by) ??
      this.policyProblem(first, asked_by)
    );
  }

  /**
   * One that names no mode is its merchant's. A merchant of whom none was ever named is not judged: `solvency` counts what is owed to it
   * as owed to a live one.
   */
  private policyProblem(first: RecordedEvent, { mode }: AskedBy): string | undefined {
    const { movement, merchant_id } = first;
    if (movement !== 'payout-accepted' || this.withPolicy.has(merchant_id) || !this.isLate(first)) return undefined;
    const isLive = (mode ?? this.modes.get(merchant_id)) === 'live';
    return isLive ? 'is a payout of a live merchant of whom there is no policy' : undefined;
  }

  /** What a chain has only seen may be orphaned: it is credited once its service states its end. */
  private unconfirmedProblem({ movement }: RecordedEvent): string | undefined {
    const service = movement === 'deposit-completed' ? this.unconfirmedBy : undefined;
    return service && `credits what ${service} stated as not confirmed yet`;
  }

  private modeProblem({ merchant_id }: RecordedEvent, { mode }: AskedBy): string | undefined {
    if (!mode) return undefined;
    const before = this.modes.get(merchant_id) ?? mode;
    this.modes.set(merchant_id, before);
    return before === mode ? undefined : `is asked for as a ${mode} merchant's, who has been ${before} before`;
  }

  private isLate(first: RecordedEvent): boolean {
    const kind = kindOf(first);
    const ofLedger = kind === 'others' ? this.ledger?.namelessUntil : undefined;
    return Date.parse(first.recorded_at) > (ofLedger ?? this.upgrades[kind].namelessUntil ?? Infinity);
  }

  private evidenceProblem(first: RecordedEvent, asked: AskedBy, events: readonly LedgerEvent[]): string | undefined {
    const { requested_by } = asked;
    if (isRejection(events)) return undefined;
    return (
      this.statedProblem(first, asked, events) ?? (requested_by && this.requestProblem(first, requested_by, events))
    );
  }

  /** Of what another service did because a member had asked for it. */
  private requestProblem(first: RecordedEvent, member: AskedBy, events: readonly LedgerEvent[]): string | undefined {
    if (member.service !== BACKOFFICE || first.movement !== 'swap-accepted')
      return `is asked for by ${member.service}, which may not have others ask for a ${first.movement}`;
    return this.statedProblem(first, member, events);
  }

  private statedProblem(first: RecordedEvent, asked: AskedBy, events: readonly LedgerEvent[]): string | undefined {
    const { service, evidence: text, signature } = asked;
    const type = (service === BACKOFFICE ? EVIDENCE_OF_PEOPLE : EVIDENCE_OF)[first.movement];
    if (!type) return undefined;
    if (text === undefined || signature === undefined)
      return service === BACKOFFICE || this.isLate(first)
        ? `${service} states nothing of this ${first.movement}`
        : undefined;
    const stated = parsed(text);
    if (stated?.type !== type) return `${service} states no ${type} for this ${first.movement}`;
    const differing = differingTerms(stated, first, events);
    if (differing.length > 0) return `is not what ${service} stated: ${differing.join(', ')}`;
    if ((stated.type === 'deposit' || stated.type === 'deposit-end') && stated.rail !== RAIL_OF[service])
      return `${service} states a deposit of the ${stated.rail}, which it does not see`;
    if (stated.type === 'deposit' && stated.rail === 'chain' && !namesTransfer(stated, events))
      return `${service} states a deposit of the chain, and no transfer that it came by`;
    if (stated.type === 'deposit' && stated.rail === 'chain' && !this.isUnderItsId(stated, first))
      return `${service} states a deposit of the chain under an id that is not derived from it`;
    if (stated.type === 'deposit' && !stated.confirmed) this.unconfirmedBy = service;
    if (stated.type === 'deposit-end' && stated.to === 'COMPLETED' && stated.screening?.decision === 'rejected')
      return `${service} states that screening has rejected the deposit, which is credited`;
    if (stated.type === 'deposit' && stated.rail === 'sandbox') {
      if (asked.mode === 'live') return 'the sandbox credits a live merchant';
      if (!asked.mode && this.isLate(first)) return 'the sandbox credits a merchant of whom no mode is named';
    }
    if ((stated.type === 'payout-order' || stated.type === 'swap-order') && !isOrderSigned(stated))
      return 'is ordered by a person, whose passkey has signed no such order';
    if (stated.type === 'approval' && !isSignedByDevice(stated, Buffer.from(stated.approval_hash, 'hex')))
      return 'is approved by a person, whose passkey has signed no such approval';
    const problem = stated.type === 'policy' ? this.statementProblem(stated, first) : undefined;
    return problem ?? this.signatureProblem(service, { text, signature });
  }

  /** A policy that an operator has stated is taken then, and as the next one. */
  private statementProblem({ policy_version, stated_at }: PolicyEvidence, first: RecordedEvent): string | undefined {
    const { event, merchant_id, recorded_at } = first;
    if (event.type !== 'PolicyChanged') return undefined;
    const at = Date.parse(recorded_at);
    if (policy_version === undefined && stated_at === undefined) {
      const isLate = this.numbered.has(merchant_id) || at > this.numberedSince + UPGRADE_MS;
      return isLate ? 'is a policy whose statement has neither number nor time, as one before it had' : undefined;
    }
    this.numbered.add(merchant_id);
    this.numberedSince = Math.min(this.numberedSince, at);
    const is = `is version ${event.policy_version} of the policy`;
    if (policy_version !== event.policy_version)
      return (policy_version ?? 0) > event.policy_version
        ? `${is}, stated as version ${policy_version}: what was stated in between was not taken`
        : `${is}, stated as version ${policy_version}: it was stated for an earlier time`;
    const lateMs = at - Date.parse(stated_at ?? '');
    if (Number.isNaN(lateMs)) return 'is a policy whose statement has a number and no time';
    // The log's times may be ahead of the clock by which it was judged.
    if (Math.abs(lateMs) <= POLICY_STATED_WITHIN_MS + CLOCKS_MS) return undefined;
    const minutes = Math.round(Math.abs(lateMs) / 60_000);
    return `was stated at ${stated_at}, and taken ${minutes} minutes ${lateMs > 0 ? 'later' : 'before'}`;
  }

  /** Under any other one it would take the place of a command to come, a payout's end. */
  private isUnderItsId(stated: DepositEvidence, { command_id, recorded_at }: RecordedEvent): boolean {
    const at = Date.parse(recorded_at);
    if (stated.deposit_name !== undefined) this.depositsNamedSince = Math.min(this.depositsNamedSince, at);
    else if (at <= this.depositsNamedSince + UPGRADE_MS) return true;
    return nameOfDeposit(stated, command_id) !== undefined;
  }

  private signatureProblem(service: string, signed: { text: string; signature: string }): string | undefined {
    if (!this.keys) {
      this.tally.unchecked += 1;
      return undefined;
    }
    this.tally.checked += 1;
    return isEvidenceSigned(this.keys, service, signed)
      ? undefined
      : `what ${service} should have stated is signed by none of its keys`;
  }
}

const kindOf = ({ movement }: RecordedEvent) => (movement === 'policy-changed' ? 'policies' : 'others');

/** No rail has had the payout: it was rejected, or not approved in time. */
const isRejection = (events: readonly LedgerEvent[]): boolean => events.some(({ type }) => type === 'PayoutRejected');

function parsed(text: string): LedgerEvidence | undefined {
  try {
    return JSON.parse(text) as LedgerEvidence;
  } catch {
    return undefined;
  }
}

/**
 * Without its network money of a chain is booked as a bank's, and without its place in a transaction it could be credited again. The ledger
 * asks `isOfOneTransfer`; this is written apart from it, so that a fault of the one is seen by the other.
 */
function namesTransfer(stated: DepositEvidence, events: readonly LedgerEvent[]): boolean {
  const { network, crypto_transaction_id, block_hash, ordinal, block_number } = stated;
  const [opens] = events.flatMap((event) => ('opens' in event && event.opens ? [event.opens] : []));
  return (
    Boolean(crypto_transaction_id && block_hash) &&
    [ordinal, block_number].every((place) => Number.isSafeInteger(place)) &&
    opens !== undefined &&
    networksOf(opens.currency).some((one) => one === network)
  );
}

/** The name of a chain's deposit from which the id of its command is derived. */
export const nameOfDeposit = (stated: DepositEvidence, command_id: string): string | undefined =>
  depositNames(stated).find((name) => derivedUuid(depositCommandName('record', name)) === command_id);

/** The names of the terms in which the evidence differs from what was booked. */
function differingTerms(stated: LedgerEvidence, first: RecordedEvent, events: readonly LedgerEvent[]): string[] {
  const opened = events.flatMap((event) => ('opens' in event && event.opens ? [event.opens] : []));
  const [opens, second] = opened;
  const equal: Record<string, boolean> = { merchant_id: stated.merchant_id === first.merchant_id };
  switch (stated.type) {
    case 'quote':
      Object.assign(equal, quoteTerms(stated, first, opens, second));
      break;
    case 'deposit':
      Object.assign(equal, depositTerms(stated, first, opens));
      break;
    case 'deposit-end':
    case 'settlement':
      Object.assign(equal, endTerms(stated, first, events));
      break;
    case 'approval':
      Object.assign(equal, approvalTerms(stated, first, events));
      break;
    case 'payout-order':
      Object.assign(equal, payoutOrderTerms(stated, first, events, opens));
      break;
    case 'swap-order':
      Object.assign(equal, swapOrderTerms(stated, first, opens, second));
      break;
    case 'policy':
      Object.assign(equal, policyTerms(stated, first, events));
      break;
    default:
      return ['type'];
  }
  return Object.entries(equal).flatMap(([name, isEqual]) => (isEqual ? [] : [name]));
}

function quoteTerms(
  stated: QuoteEvidence,
  { customer_id, recorded_at }: RecordedEvent,
  sold: OpenedTransaction | undefined,
  bought: OpenedTransaction | undefined,
): Record<string, boolean> {
  return {
    customer_id: stated.customer_id === customer_id,
    swap_id: stated.swap_id === sold?.reference_id && stated.swap_id === bought?.reference_id,
    from: isAmountOf(sold, stated.from_currency, stated.from_amount),
    to: isAmountOf(bought, stated.to_currency, stated.to_amount),
    price: stated.price === sold?.exchange_rate,
    'amount at this price': isWorth(stated),
    // The log's times may be ahead of the clock by which it was valid, never behind.
    valid_until: Date.parse(recorded_at) <= Date.parse(stated.valid_until) + CLOCKS_MS,
  };
}

/** The ledger of every version asked this, rounding down as it pays. */
function isWorth({ from_currency, from_amount, price, to_currency, to_amount }: QuoteEvidence): boolean {
  if (!isCurrency(from_currency) || !isCurrency(to_currency)) return false;
  try {
    const paid = Money.parse(from_currency, from_amount);
    return convert(paid, price, to_currency, 'currency').equals(Money.parse(to_currency, to_amount));
  } catch {
    return false;
  }
}

function depositTerms(
  stated: DepositEvidence,
  { command_id }: RecordedEvent,
  opens: OpenedTransaction | undefined,
): Record<string, boolean> {
  return {
    command_id: stated.command_id === command_id,
    wallet_id: stated.wallet_id === opens?.wallet_id,
    amount: opens !== undefined && isAmountOf(opens, opens.currency, stated.amount),
    network: stated.network === null || stated.network === opens?.network,
    crypto_transaction_id:
      stated.crypto_transaction_id === null || stated.crypto_transaction_id === opens?.crypto_transaction_id,
  };
}

function endTerms(
  stated: DepositEndEvidence | SettlementEvidence,
  { command_id }: RecordedEvent,
  events: readonly LedgerEvent[],
): Record<string, boolean> {
  const changed = events.find((event) => event.type === 'TransactionStatusChanged');
  const named = stated.type === 'settlement' ? stated.transaction : stated.id;
  const to = stated.type === 'settlement' ? stated.resolution : stated.to;
  const reference = changed?.crypto_transaction_id ?? changed?.fiat_reference_id ?? null;
  return {
    command_id: stated.command_id === command_id,
    transaction: isNamed(named, changed?.transaction),
    to: to === changed?.to,
    reference: stated.type !== 'settlement' || (stated.reference ?? null) === reference,
  };
}

function approvalTerms(
  stated: ApprovalEvidence,
  { command_id }: RecordedEvent,
  events: readonly LedgerEvent[],
): Record<string, boolean> {
  const approved = events.find((event) => event.type === 'PayoutApproved');
  return {
    command_id: stated.command_id === command_id,
    transaction: isNamed(stated.transaction, approved?.transaction),
    approval_hash: stated.approval_hash === approved?.approval_hash,
    key_id: stated.key_id === approved?.signer.key_id,
    signer_id: stated.signer_id === approved?.signer.signer_id,
  };
}

function policyTerms(
  stated: PolicyEvidence,
  { command_id }: RecordedEvent,
  events: readonly LedgerEvent[],
): Record<string, boolean> {
  const changed = events.find((event) => event.type === 'PolicyChanged');
  return {
    command_id: stated.command_id === command_id,
    policy: changed !== undefined && stated.policy === canonicalText(changed.policy as unknown as CanonicalValue),
    changed_by: stated.changed_by === changed?.changed_by,
    reason: stated.reason === changed?.reason,
  };
}

const UUID_LENGTH = 36;

/** A transaction may be named by its code, which an event after its first does not have. */
const isNamed = (name: unknown, transaction: string | undefined): boolean =>
  typeof name === 'string' && (name.length !== UUID_LENGTH || name.toLowerCase() === transaction);
