import { OperatorError } from '@stablecoin/command-line/operator-error';
import { KycStatus } from '@stablecoin/contracts/customer/views';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Clock } from '../clock';
import { CustomerDatabase, Transaction } from '../customer-database';
import { customerEvent } from '../events/customer-event';
import { recordEvents } from '../events/record-events';
import { ActedBy, recordAct, recordActBefore } from '../operator-acts/operator-acts';
import { PersonalData } from '../personal-data';
import { Prisma } from '../generated/client';
import { screeningOfCustomer } from '../screening/customer-screening';
import { CustomerProfile } from './customer-profile';
import { lockCustomer, PROFILE } from './customer-record';
import { Erasure, ErasureRecord } from './erasure-record';
import { KEYS_IN_USE } from '../keys-in-use';

const ERASED_AT_ONCE = 1_000;

export interface CustomerFilter {
  merchantId: string | undefined;
  kyc: KycStatus | undefined;
  limit: number;
}

export interface ListedCustomer {
  merchant_id: string;
  customer_id: string;
  customer_type: string;
  status: string;
  kyc_status: string;
  created_at: string;
  erased_at: string | null;
}

export interface NamedCustomer extends ListedCustomer {
  name: string | null;
  email: string | null;
}

interface CustomerListRow extends Omit<ListedCustomer, 'customer_id' | 'created_at' | 'erased_at'> {
  id: string;
  created_at: Date;
  erased_at: Date | null;
  sealed_profile: string;
  wrapped_key: string | null;
}

export interface KycOutcome {
  merchantId: string;
  customerId: string;
  kycStatus: KycStatus;
}

/** A hit of the screening stands against a customer who is to be approved. */
export class HeldByScreening extends OperatorError {}

/** A customer who is to be erased is not closed. */
export class NotClosed extends OperatorError {}

/** What people decide about customers, from the command line or at the console: the outcome of a review, and erasure. */
export class CustomerAdministration {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
    /** Left out where no file is configured: then a restored backup brings those back who were erased since. */
    private readonly erasures?: ErasureRecord,
  ) {}

  setKycStatus(merchantId: string, customerId: string, kycStatus: KycStatus, by: ActedBy) {
    const decided = { merchantId, customerId, kycStatus };
    return this.database.$transaction(
      (transaction) => this.setKycStatusWithin(transaction, decided, by),
      TRANSACTION_LIMITS,
    );
  }

  async setKycStatusWithin(transaction: Transaction, { merchantId, customerId, kycStatus }: KycOutcome, by: ActedBy) {
    const customer = await lockCustomer(transaction, merchantId, customerId);
    const { lists, isHeld } = await screeningOfCustomer(transaction, customerId);
    if (kycStatus === 'approved' && isHeld)
      throw new HeldByScreening('A case of the screening stands against this customer: see screening cases --all.');
    if (customer.kyc_status !== kycStatus) {
      const event_sequence = customer.event_sequence + 1;
      const data = { kyc_status: kycStatus, event_sequence, updated_at: this.clock.now() };
      await transaction.customer.update({ where: { id: customerId }, data, select: { id: true } });
      await recordEvents(transaction, [customerEvent('customer.updated', { ...customer, ...data })]);
    }
    const screened = lists.length > 0 && { screened_by: lists };
    const details = { kyc_status: kycStatus, kyc_status_before: customer.kyc_status, ...screened };
    const act = { action: 'customers set-kyc-status', merchant_id: merchantId, customer_id: customerId, details };
    await recordAct(transaction, act, by);
    return { merchant_id: merchantId, customer_id: customerId, kyc_status: kycStatus };
  }

  /**
   * Makes a closed customer's personal data unreadable for good, here and wherever else it was sealed with the same
   * data key, by deleting that key; its e-mail address and phone number are free again. The ledger's log, which holds
   * ids only, still verifies.
   */
  erase(merchantId: string, customerId: string, by: ActedBy) {
    return this.database.$transaction(
      (transaction) => this.eraseWithin(transaction, merchantId, customerId, by),
      TRANSACTION_LIMITS,
    );
  }

  async eraseWithin(transaction: Transaction, merchantId: string, customerId: string, by: ActedBy): Promise<Erasure> {
    const { status } = await lockCustomer(transaction, merchantId, customerId);
    if (status !== 'closed') throw new NotClosed('Only a closed customer can be erased.');
    const erasedAt = this.clock.now();
    const erasure = { merchant_id: merchantId, customer_id: customerId, erased_at: erasedAt.toISOString() };
    await this.erasures?.add(erasure);
    await transaction.customer.update({
      where: { id: customerId },
      data: { erased_at: erasedAt, email_index: null, phone_index: null },
      select: { id: true },
    });
    await transaction.dataKey.delete({ where: { owner_id: customerId }, select: { owner_id: true } });
    await recordAct(transaction, { action: 'customers erase', merchant_id: merchantId, customer_id: customerId }, by);
    return erasure;
  }

  /**
   * Erases those again whom the record names and a restored database does not know as erased, whatever their status was
   * then; and those whose data key alone is there again.
   *
   * @returns their ids
   */
  async eraseAgain(): Promise<string[]> {
    const erasures = (await this.erasures?.all()) ?? [];
    const again: string[] = [];
    for (let first = 0; first < erasures.length; first += ERASED_AT_ONCE) {
      const ids = erasures.slice(first, first + ERASED_AT_ONCE).map(({ customer_id }) => customer_id);
      const rows = await this.database.$transaction(async (transaction) => {
        const keys = await transaction.$queryRaw<{ id: string }[]>`
          DELETE FROM data_keys WHERE owner_id = ANY (${ids}::uuid[]) RETURNING owner_id AS id`;
        const open = await transaction.$queryRaw<{ id: string }[]>`
          UPDATE customers SET erased_at = ${this.clock.now()}, status = 'closed', email_index = NULL, phone_index = NULL
          WHERE id = ANY (${ids}::uuid[]) AND erased_at IS NULL RETURNING id`;
        return [...keys, ...open];
      }, TRANSACTION_LIMITS);
      again.push(...rows.map(({ id }) => id));
    }
    return [...new Set(again)];
  }

  /** Customers, oldest first, without what is personal about them. */
  async list(filter: CustomerFilter): Promise<ListedCustomer[]> {
    return (await this.rows(filter)).map(listedCustomer);
  }

  /** The same with names and e-mail addresses, on the record; null of those who were erased. */
  async listNamed(filter: CustomerFilter, personalData: PersonalData, by: ActedBy): Promise<NamedCustomer[]> {
    const { merchantId: merchant_id, kyc, limit } = filter;
    const details = { kyc, limit };
    const action = 'customers list --personal-data';
    await recordActBefore(this.database, { action, ...(merchant_id && { merchant_id }), details }, by);
    const rows = await this.rows(filter);
    return Promise.all(rows.map(async (row) => ({ ...listedCustomer(row), ...(await nameOf(row, personalData)) })));
  }

  private rows({ merchantId, kyc, limit }: CustomerFilter): Promise<CustomerListRow[]> {
    const conditions = [
      ...(merchantId === undefined ? [] : [Prisma.sql`merchant_id = ${merchantId}::uuid`]),
      // Written out, so that it is the condition of the index customers_under_review.
      ...(kyc === undefined ? [] : [Prisma.sql`kyc_status = ${Prisma.raw(`'${kyc}'`)}`]),
    ];
    const where = conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join(conditions, ' AND ')}`;
    return this.database.$queryRaw<CustomerListRow[]>`
      SELECT listed.*, wrapped_key FROM (
        SELECT id, sequence, merchant_id, customer_type, status, kyc_status, created_at, erased_at, sealed_profile
        FROM customers ${where} ORDER BY created_at, sequence LIMIT ${limit}
      ) AS listed LEFT JOIN ${KEYS_IN_USE} ON owner_id = id ORDER BY created_at, sequence`;
  }
}

function listedCustomer(row: CustomerListRow): ListedCustomer {
  const { id, merchant_id, customer_type, status, kyc_status, created_at, erased_at } = row;
  return {
    ...{ merchant_id, customer_id: id, customer_type, status, kyc_status },
    ...{ created_at: created_at.toISOString(), erased_at: erased_at?.toISOString() ?? null },
  };
}

async function nameOf({ id, sealed_profile, wrapped_key }: CustomerListRow, personalData: PersonalData) {
  if (wrapped_key === null) return { name: null, email: null };
  const seal = await personalData.sealOf(id, wrapped_key);
  const profile = seal.open<CustomerProfile>(PROFILE, sealed_profile);
  const name =
    profile.customer_type === 'business' ? profile.business_name : `${profile.first_name} ${profile.last_name}`;
  return { name, email: profile.email };
}
