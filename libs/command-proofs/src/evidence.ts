/**
 * What a service states of the world outside the ledger, and signs: the price that it quoted, the money that it saw arrive
 * or go. The ledger takes such a command with its evidence only, and keeps it in the event: with the services' public keys,
 * a reader of the log sees that each of them stated what was booked. What is to go out is stated to the signer in the same way.
 *
 *   signed text = "stablecoin-evidence/1\n" ‖ canonical JSON of the evidence
 */
import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { isSignature } from '@stablecoin/event-proofs/signed-note';
import { CallerKeys } from './caller-keys';
import { CallerSecret } from './caller-secret';
import { SignedText } from './command-mac';
import { DeviceSignature } from './device-signature';
import { PayoutOrder, SwapOrder } from './order';

/** `static`: of a book that doesn't follow the market. */
export type RatesSource = 'static' | 'market';
/** `sandbox` moves no money and sees none. */
export type EvidenceRail = 'sandbox' | 'chain';

/** What came of screening it: the decision, and the SHA-256 of each list that it was held against. */
export interface ScreeningStatement {
  decision: 'clear' | 'released' | 'rejected';
  lists: string[];
}

/** The price that was quoted to an owner, for one amount, once, until then. */
export interface QuoteEvidence {
  type: 'quote';
  merchant_id: string;
  customer_id: string | null;
  swap_id: string;
  from_currency: string;
  to_currency: string;
  from_amount: string;
  to_amount: string;
  price: string;
  rates: RatesSource;
  valid_until: string;
}

/** Money that a rail saw arriving. */
export interface DepositEvidence {
  type: 'deposit';
  rail: EvidenceRail;
  merchant_id: string;
  wallet_id: string;
  amount: string;
  network: string | null;
  crypto_transaction_id: string | null;
  /** Which transfer of its transaction, and the block; null of the sandbox. */
  ordinal: number | null;
  block_number: number | null;
  block_hash: string | null;
  confirmed: boolean;
  command_id: string;
  /** The chain service's own name of it, from which the ids of its commands are derived. Not of versions before. */
  deposit_name?: string;
}

/**
 * What a chain brings is one transfer of one network. A deposit of the chain's that names none would be booked as if a bank had brought it,
 * where no look at a chain misses it.
 */
export const isOfOneTransfer = (stated: DepositEvidence): boolean =>
  [stated.network, stated.crypto_transaction_id, stated.block_hash].every(
    (said) => typeof said === 'string' && said !== '',
  ) && [stated.ordinal, stated.block_number].every((said) => Number.isSafeInteger(said));

/** What became of money that was seen arriving. */
export interface DepositEndEvidence {
  type: 'deposit-end';
  rail: EvidenceRail;
  merchant_id: string;
  /** The deposit's id at the ledger. */
  id: string;
  to: 'COMPLETED' | 'FAILED' | 'REVERSED';
  command_id: string;
  /** Of one that was screened. */
  screening?: ScreeningStatement;
}

/** What a rail says of a payout. */
export interface SettlementEvidence {
  type: 'settlement';
  rail: EvidenceRail;
  merchant_id: string;
  transaction: string;
  resolution: 'COMPLETED' | 'FAILED' | 'REVERSED';
  reference: string | null;
  command_id: string;
  /** Of one that was screened. */
  screening?: ScreeningStatement;
}

/** What an operator lets a merchant pay out. */
export interface PolicyEvidence {
  type: 'policy';
  merchant_id: string;
  /** As canonical text. */
  policy: string;
  changed_by: string;
  reason: string;
  command_id: string;
  /** The number that the merchant's policy has from here on: none is left out, and none comes twice. Not of versions before. */
  policy_version?: number;
  /** When it was stated, as ISO 8601: it is not kept back and taken at another time. Not of versions before. */
  stated_at?: string;
}

/** That a person, shown a payout, has approved it by a passkey. */
export interface ApprovalEvidence extends DeviceSignature {
  type: 'approval';
  merchant_id: string;
  /** As the command names it. */
  transaction: string;
  approval_hash: string;
  /** The person's membership of the merchant. */
  key_id: string;
  /** The person. */
  signer_id: string;
  command_id: string;
}

/** That a person, shown what would be sent, has ordered it by a passkey. */
export type PayoutOrderEvidence = PayoutOrder & DeviceSignature;
/** The same of a swap. */
export type SwapOrderEvidence = SwapOrder & DeviceSignature;

/** A payment that the payout service orders from the chain service; the signer signs no other. */
export interface TransferOrderEvidence {
  type: 'transfer-order';
  reference: string;
  network: string;
  currency: string;
  /** In lower case. */
  to: string;
  amount: string;
}

/** What the log keeps. */
export type LedgerEvidence =
  | QuoteEvidence
  | DepositEvidence
  | DepositEndEvidence
  | SettlementEvidence
  | PolicyEvidence
  | ApprovalEvidence
  | PayoutOrderEvidence
  | SwapOrderEvidence;
export type Evidence = LedgerEvidence | TransferOrderEvidence;
export type EvidenceOf<Type extends Evidence['type']> = Extract<Evidence, { type: Type }>;

/** How long a policy may be on its way. The clocks of operators' machines differ from the ledger's by less. */
export const POLICY_STATED_WITHIN_MS = 10 * 60_000;

const DOMAIN = 'stablecoin-evidence/1\n';

export function signEvidence(secret: CallerSecret, evidence: Evidence): SignedText {
  const text = canonicalText(evidence as unknown as CanonicalValue);
  return { text, signature: secret.sign(`${DOMAIN}${text}`).toString('base64') };
}

export function isEvidenceSigned(keys: CallerKeys, service: string, { text, signature }: SignedText): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return (keys.get(service) ?? []).some((key) => isSignature(`${DOMAIN}${text}`, bytes, key));
}

/** Undefined for a text that is no evidence of this type. */
export function readEvidence<Type extends Evidence['type']>(type: Type, text: string): EvidenceOf<Type> | undefined {
  try {
    const value = JSON.parse(text) as { type?: unknown } | null;
    return value?.type === type ? (value as EvidenceOf<Type>) : undefined;
  } catch {
    return undefined;
  }
}
