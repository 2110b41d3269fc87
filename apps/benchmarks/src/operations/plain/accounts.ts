/** Double entry in tables: who moves money locks the accounts' rows first, always in the order of their ids. */
import { Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import { PlainDatabase } from './database';
import { Prisma, type Transaction } from './generated/client';

type Within = Prisma.TransactionClient;
const { Decimal } = Prisma;

interface Locked {
  id: string;
  customer_id: string | null;
  kind: string;
  currency: string;
  balance: Prisma.Decimal;
}

interface Leg {
  account: Locked;
  by: Prisma.Decimal;
}

export type Opening = Pick<Transaction, 'type' | 'mode' | 'status' | 'referenceId'> &
  Partial<Pick<Transaction, 'network' | 'destination' | 'settleAt'>>;

@Injectable()
export class Accounts {
  constructor(private readonly database: PlainDatabase) {}

  transaction<Result>(work: (within: Within) => Promise<Result>): Promise<Result> {
    return this.database.$transaction(work);
  }

  async lock(within: Within, where: Prisma.Sql): Promise<Locked[]> {
    return within.$queryRaw<Locked[]>`
      SELECT id, customer_id, kind, currency, balance FROM accounts WHERE ${where} ORDER BY id FOR UPDATE`;
  }

  /** Two accounts of a merchant in one currency; its wallet is the one without a customer. */
  async lockPair(
    within: Within,
    { merchantId, currency }: { merchantId: string; currency: string },
    kinds: readonly [string, string],
  ): Promise<[Locked, Locked]> {
    const found = await this.lock(
      within,
      Prisma.sql`merchant_id = ${merchantId}::uuid AND currency = ${currency} AND customer_id IS NULL
        AND kind IN (${kinds[0]}, ${kinds[1]})`,
    );
    return [ofKind(found, kinds[0]), ofKind(found, kinds[1])];
  }

  /** Opens a transaction on `of` and posts its legs. @throws UnprocessableEntityException when a wallet has too little */
  async open(within: Within, merchantId: string, of: Leg, other: Leg, opening: Opening): Promise<Transaction> {
    const { account, by } = of;
    if (account.kind === 'wallet' && account.balance.add(by).isNegative())
      throw new UnprocessableEntityException('insufficient_funds');
    const transaction = await within.transaction.create({
      data: {
        ...opening,
        ...{ merchantId, customerId: account.customer_id, accountId: account.id },
        ...{ currency: account.currency, amount: by.abs() },
      },
    });
    await this.post(within, transaction.id, [of, other]);
    return transaction;
  }

  /** The legs of one transaction sum to zero. */
  async post(within: Within, transactionId: string, legs: readonly Leg[]): Promise<void> {
    for (const { account, by } of legs) {
      account.balance = account.balance.add(by);
      await within.account.update({ where: { id: account.id }, data: { balance: account.balance } });
    }
    await within.entry.createMany({
      data: legs.map(({ account, by }) => ({
        ...{ transactionId, accountId: account.id, amount: by, balanceAfter: account.balance },
      })),
    });
  }

  /** What a webhook will tell; its deliveries are there with it. */
  async tell(within: Within, type: string, transaction: Transaction): Promise<void> {
    const { merchantId, id: resourceId } = transaction;
    const data = { ...transaction, amount: transaction.amount.toFixed() };
    const event = await within.event.create({
      data: { type, merchantId, resourceId, data: JSON.parse(JSON.stringify(data)) as Prisma.InputJsonObject },
    });
    const endpoints = await within.endpoint.findMany({ where: { merchantId } });
    if (endpoints.length === 0) return;
    await within.delivery.createMany({
      data: endpoints.map(({ id: endpointId }) => ({
        ...{ eventId: event.id, endpointId, status: 'pending', dueAt: new Date() },
      })),
    });
  }
}

export function ofKind(accounts: readonly Locked[], kind: string): Locked {
  const found = accounts.find((account) => account.kind === kind);
  if (found === undefined) throw new NotFoundException(`no ${kind}`);
  return found;
}

export const decimal = (amount: string): Prisma.Decimal => new Decimal(amount);
