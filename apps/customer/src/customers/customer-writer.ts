import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { CustomerType, CustomerView, KycStatus } from '@stablecoin/contracts/customer/views';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import {
  changedProfile,
  CustomerProfile,
  isOfType,
  isSameIdentity,
  namesToScreen,
  ProfileChanges,
} from '@stablecoin/customer-store/customers/customer-profile';
import {
  CustomerRow,
  customerView,
  findCustomer,
  lockCustomer,
  OpenCustomer,
  openCustomer,
  PROFILE,
} from '@stablecoin/customer-store/customers/customer-record';
import { customerEvent } from '@stablecoin/customer-store/events/customer-event';
import { recordEvents } from '@stablecoin/customer-store/events/record-events';
import { modeOf } from '@stablecoin/customer-store/merchants/merchant-registry';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { screenCustomer, screeningOfCustomer } from '@stablecoin/customer-store/screening/customer-screening';
import { drawSerialNumber } from '@stablecoin/customer-store/serial-number';
import { asRefusal, findResult, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { CustomerConfiguration } from '../customer.configuration';
import { attachDocuments, PlacedDocument, requireOwnDocuments } from '../documents/attach-documents';

type ProfileOf<Type extends CustomerType> = Extract<CustomerProfile, { customer_type: Type }>;

interface Fingerprints {
  email_index: string;
  phone_index: string;
}

/** A command's stored result: the customer as it was answered, readable only with the customer's key. */
interface StoredResult {
  customer_id: string;
  sealed_view: string;
}

/**
 * The only writer of customers. Each command is one transaction: lock the row → guards (existence, type, status) → hold
 * its names against the lists → store sealed profile and fingerprints → documents → the event for the merchant's
 * webhooks → the sealed answer in the command log. The database enforces uniqueness. An answer is stored as it was given,
 * so that a replay shows the customer as it was then.
 */
@Injectable()
export class CustomerWriter {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
    private readonly configuration: CustomerConfiguration,
  ) {}

  async create(
    command: MerchantCommand & { key_mode: KeyMode },
    profile: CustomerProfile,
    documents: PlacedDocument[],
  ): Promise<CommandReply<CustomerView>> {
    const id = randomUUID();
    const { seal, wrappedKey } = await this.personalData.newOwner(id);
    return this.takeEffect(command, async (transaction) => {
      const now = this.clock.now();
      const merchantId = command.merchant_id;
      await requireOwnDocuments(transaction, merchantId, documents, now);
      const toScreen = { id, merchant_id: merchantId, names: namesToScreen(profile), seal };
      const isHeld = await screenCustomer(transaction, toScreen, { openedBy: 'screening', now });
      const row = {
        id,
        merchant_id: merchantId,
        customer_type: profile.customer_type,
        status: 'active' as const,
        kyc_status: isHeld ? ('under_review' as const) : this.firstKycStatus(command.key_mode, documents),
        sn: drawSerialNumber(),
        event_sequence: 1,
        created_at: now,
        updated_at: now,
      };
      await insertCustomer(
        transaction,
        row,
        wrappedKey,
        seal.seal(PROFILE, profile),
        this.fingerprints(merchantId, profile),
      );
      await attachDocuments(transaction, this.personalData, { merchantId, customerId: id, seal }, documents, now);
      await recordEvents(transaction, [customerEvent('customer.created', row)]);
      return { row, profile, seal };
    });
  }

  update<Type extends CustomerType>(
    command: MerchantCommand & { customer_id: string },
    type: Type,
    changes: ProfileChanges<ProfileOf<Type>>,
    documents: PlacedDocument[],
  ): Promise<CommandReply<CustomerView>> {
    return this.takeEffect(command, async (transaction) => {
      const stored = await lockCustomer(transaction, command.merchant_id, command.customer_id);
      const customer = await openCustomer(stored, this.personalData);
      await requireOwnDocuments(transaction, command.merchant_id, documents, this.clock.now());
      if (!isOfType(customer.profile, type)) throw new Refusal('customer_type_mismatch');
      if (stored.status === 'closed') throw new Refusal('customer_closed');
      const profile = changedProfile(customer.profile as ProfileOf<Type>, changes);
      return this.store(transaction, customer, profile, documents);
    });
  }

  /** Closed for good, after the ledger has agreed; a customer that is closed already is left as it is. */
  close(command: MerchantCommand & { customer_id: string }): Promise<CommandReply<CustomerView>> {
    return this.takeEffect(command, async (transaction) => {
      const stored = await lockCustomer(transaction, command.merchant_id, command.customer_id);
      if (stored.status === 'closed') return openCustomer(stored, this.personalData);
      const event_sequence = stored.event_sequence + 1;
      const closed: CustomerRow = { ...stored, status: 'closed', event_sequence, updated_at: this.clock.now() };
      await transaction.customer.update({
        where: { id: stored.id },
        data: { status: closed.status, event_sequence, updated_at: closed.updated_at },
        select: { id: true },
      });
      await recordEvents(transaction, [customerEvent('customer.closed', closed)]);
      return openCustomer(closed, this.personalData);
    });
  }

  /** The answer that the command had when it took effect, if it did. */
  async findAnswer(command: MerchantCommand): Promise<CommandReply<CustomerView> | undefined> {
    const stored = await asRefusal(() => findResult<StoredResult>(this.database, command));
    return stored && { result: await this.openAnswer(command, stored.result), replayed: true };
  }

  private async store(
    transaction: Transaction,
    { row, profile: before, seal }: OpenCustomer,
    profile: CustomerProfile,
    documents: PlacedDocument[],
  ): Promise<OpenCustomer> {
    const after = JSON.parse(JSON.stringify(profile)) as CustomerProfile;
    if (documents.length === 0 && isDeepStrictEqual(after, before)) return { row, profile: before, seal };
    const now = this.clock.now();
    const isHeld = await this.screenRenamed(transaction, { row, profile: after, seal }, before, now);
    const another = isSameIdentity(before, after)
      ? row.kyc_status
      : await this.kycStatusOfAnother(transaction, row.merchant_id, row.kyc_status);
    const held = row.kyc_status === 'rejected' ? row.kyc_status : ('under_review' as const);
    const kyc_status = isHeld ? held : another;
    const changed = {
      ...row,
      kyc_status: reviewedWith(documents, kyc_status),
      event_sequence: row.event_sequence + 1,
      updated_at: now,
    };
    await transaction.customer.update({
      where: { id: row.id },
      data: {
        ...this.fingerprints(row.merchant_id, profile),
        sealed_profile: seal.seal(PROFILE, profile),
        kyc_status: changed.kyc_status,
        event_sequence: changed.event_sequence,
        updated_at: now,
      },
      select: { id: true },
    });
    const owner = { merchantId: row.merchant_id, customerId: row.id, seal };
    await attachDocuments(transaction, this.personalData, owner, documents, now);
    await recordEvents(transaction, [customerEvent('customer.updated', changed)]);
    return { row: changed, profile, seal };
  }

  /** Sandbox customers may be approved without a review; only people approve customers registered with a live key. */
  private firstKycStatus(keyMode: KeyMode, documents: PlacedDocument[]): KycStatus {
    if (keyMode === 'test' && this.configuration.sandboxKycAutoApprove) return 'approved';
    return reviewedWith(documents, 'not_started');
  }

  /**
   * What was decided of a customer holds for its identity of that time: with another one it is under review again. In the
   * sandbox, where no one reviews, it is approved again at once. A review that has not begun does not begin by this.
   */
  private async kycStatusOfAnother(
    transaction: Transaction,
    merchantId: string,
    before: KycStatus,
  ): Promise<KycStatus> {
    if (before === 'not_started') return before;
    const isAutomatic = this.configuration.sandboxKycAutoApprove && (await modeOf(transaction, merchantId)) === 'test';
    return isAutomatic ? 'approved' : 'under_review';
  }

  /** @returns whether a case of the screening stands against the customer */
  private async screenRenamed(
    transaction: Transaction,
    { row: { id, merchant_id }, profile, seal }: OpenCustomer,
    before: CustomerProfile,
    now: Date,
  ): Promise<boolean> {
    const names = namesToScreen(profile);
    if (isDeepStrictEqual(names, namesToScreen(before))) return (await screeningOfCustomer(transaction, id)).isHeld;
    return screenCustomer(transaction, { id, merchant_id, names, seal }, { openedBy: 'screening', now });
  }

  private fingerprints(merchantId: string, { email, phone }: CustomerProfile): Fingerprints {
    return {
      email_index: this.personalData.emailIndex(merchantId, email),
      phone_index: this.personalData.phoneIndex(merchantId, phone),
    };
  }

  private async takeEffect(
    command: MerchantCommand,
    work: (transaction: Transaction) => Promise<OpenCustomer>,
  ): Promise<CommandReply<CustomerView>> {
    let answer: CustomerView | undefined;
    const { result, replayed } = await refusingTaken(() =>
      takeEffectOnce(this.database, command, async (transaction: Transaction): Promise<StoredResult> => {
        const customer = await work(transaction);
        answer = customerView(customer);
        return { customer_id: customer.row.id, sealed_view: customer.seal.seal(answerField(command), answer) };
      }),
    );
    return { result: answer ?? (await this.openAnswer(command, result)), replayed };
  }

  private async openAnswer(command: MerchantCommand, stored: StoredResult): Promise<CustomerView> {
    const row = await asRefusal(() => findCustomer(this.database, command.merchant_id, stored.customer_id));
    const seal = await this.personalData.sealOf(row.id, row.wrapped_key);
    return seal.open(answerField(command), stored.sealed_view);
  }
}

/** The key and the customer in one statement: round trips inside the transaction are most of the cost of a creation. */
async function insertCustomer(
  transaction: Transaction,
  row: OpenCustomer['row'],
  wrappedKey: string,
  sealedProfile: string,
  { email_index, phone_index }: Fingerprints,
): Promise<void> {
  await transaction.$executeRaw`
    WITH key AS (INSERT INTO data_keys (owner_id, wrapped_key) VALUES (${row.id}::uuid, ${wrappedKey}))
    INSERT INTO customers (id, merchant_id, customer_type, status, kyc_status, sn, email_index, phone_index, sealed_profile,
                           event_sequence, created_at, updated_at)
    VALUES (${row.id}::uuid, ${row.merchant_id}::uuid, ${row.customer_type}, ${row.status}, ${row.kyc_status}, ${row.sn},
            ${email_index}, ${phone_index}, ${sealedProfile}, ${row.event_sequence}, ${row.created_at}, ${row.updated_at})`;
}

/** A review starts with the first document; a status that was decided stays. */
function reviewedWith(documents: PlacedDocument[], before: KycStatus): KycStatus {
  return before === 'not_started' && documents.length > 0 ? 'under_review' : before;
}

const answerField = (command: MerchantCommand) => `answer:${command.command_id}`;

/** Refuses with the name of the unique field whose value another customer of the merchant has. */
async function refusingTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const failure = databaseFailure(error);
    if (failure.kind === 'constraint' && failure.constraint.includes('email')) throw new Refusal('email_taken');
    if (failure.kind === 'constraint' && failure.constraint.includes('phone')) throw new Refusal('phone_taken');
    throw error;
  }
}
