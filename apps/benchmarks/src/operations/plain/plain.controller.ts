import { createHash, randomUUID } from 'node:crypto';
import {
  Body,
  CanActivate,
  Controller,
  createParamDecorator,
  ExecutionContext,
  Get,
  Injectable,
  NotFoundException,
  Param,
  ParseUUIDPipe,
  Post,
  Query,
  UnauthorizedException,
  UnprocessableEntityException,
  UseGuards,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Accounts, decimal, ofKind } from './accounts';
import { PlainDatabase } from './database';
import { Prisma, type Transaction } from './generated/client';
import { AskQuote, ExecuteSwap, ListTransactions, OpenWallet, PayOut, SimulateDeposit } from './requests';

const KEYS_KEPT_MS = 10_000;
const GOOD_FOR_MS = 60_000;
const PRICE = '1550';
const HOUSE = ['clearing', 'external', 'liquidity'];

type Authenticated = FastifyRequest & { merchantId?: string };

/** A key is looked up by its hash, and kept for some seconds. */
@Injectable()
export class KeyGuard implements CanActivate {
  private readonly known = new LRUCache<string, string>({ max: 10_000, ttl: KEYS_KEPT_MS });

  constructor(private readonly database: PlainDatabase) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Authenticated>();
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string') throw new UnauthorizedException();
    const hash = createHash('sha256').update(key).digest('hex');
    const merchantId = this.known.get(hash) ?? (await this.find(hash));
    if (merchantId === undefined) throw new UnauthorizedException();
    this.known.set(hash, merchantId);
    request.merchantId = merchantId;
    return true;
  }

  private async find(hash: string): Promise<string | undefined> {
    return (await this.database.apiKey.findUnique({ where: { hash } }))?.merchantId;
  }
}

const Merchant = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Authenticated>().merchantId,
);

const success = (data: unknown) => ({ status: 'success', data });

function viewOf({ accountId, merchantId, customerId, ...transaction }: Transaction) {
  const { referenceId, amount, createdAt, updatedAt, settleAt: _, ...others } = transaction;
  return {
    ...others,
    ...{ merchant_id: merchantId, customer_id: customerId, wallet_id: accountId, reference_id: referenceId },
    ...{ amount: amount.toFixed(8), created_at: createdAt, updated_at: updatedAt },
  };
}

@Controller()
@UseGuards(KeyGuard)
export class PlainController {
  constructor(
    private readonly database: PlainDatabase,
    private readonly accounts: Accounts,
  ) {}

  @Post('individual-customers')
  async createCustomer(@Merchant() merchantId: string) {
    return success(await this.database.customer.create({ data: { merchantId } }));
  }

  @Post('wallets')
  async openWallet(@Merchant() merchantId: string, @Body() { currency, customer_id }: OpenWallet) {
    const house = await this.database.account.count({ where: { merchantId, currency, kind: 'clearing' } });
    if (house === 0)
      await this.database.account.createMany({ data: HOUSE.map((kind) => ({ merchantId, currency, kind })) });
    const owner = customer_id === undefined ? {} : { customerId: customer_id };
    return success(await this.database.account.create({ data: { merchantId, currency, kind: 'wallet', ...owner } }));
  }

  @Post('sandbox/deposits')
  async deposit(@Merchant() merchantId: string, @Body() { wallet_id, amount }: SimulateDeposit) {
    const transaction = await this.accounts.transaction(async (within) => {
      const found = await this.accounts.lock(
        within,
        Prisma.sql`merchant_id = ${merchantId}::uuid AND (id = ${wallet_id}::uuid OR (kind = 'external' AND currency =
          (SELECT currency FROM accounts WHERE id = ${wallet_id}::uuid)))`,
      );
      const [wallet, external] = [ofKind(found, 'wallet'), ofKind(found, 'external')];
      const by = decimal(amount);
      const made = await this.accounts.open(
        within,
        merchantId,
        { account: wallet, by },
        { account: external, by: by.neg() },
        { type: 'DEPOSIT', mode: 'CREDIT', status: 'COMPLETED', referenceId: randomUUID() },
      );
      await this.accounts.tell(within, 'deposit.completed', made);
      return made;
    });
    return success(viewOf(transaction));
  }

  @Post('payouts/wallets')
  async payOut(@Merchant() merchantId: string, @Body() { currency, amount, address, network }: PayOut) {
    const transaction = await this.accounts.transaction(async (within) => {
      const [wallet, clearing] = await this.accounts.lockPair(within, { merchantId, currency }, ['wallet', 'clearing']);
      const by = decimal(amount);
      const made = await this.accounts.open(
        within,
        merchantId,
        { account: wallet, by: by.neg() },
        { account: clearing, by },
        {
          ...{ type: 'PAYOUT', mode: 'DEBIT', status: 'PENDING', referenceId: randomUUID() },
          ...{ network, destination: address, settleAt: new Date() },
        },
      );
      await this.accounts.tell(within, 'payout.pending', made);
      return made;
    });
    return success(viewOf(transaction));
  }

  @Post('instant-swaps')
  async quote(@Merchant() merchantId: string, @Body() { from_currency, to_currency, amount }: AskQuote) {
    const quote = await this.database.quote.create({
      data: {
        ...{ merchantId, fromCurrency: from_currency, toCurrency: to_currency, price: PRICE },
        ...{ fromAmount: amount, toAmount: decimal(amount).mul(PRICE) },
        expiresAt: new Date(Date.now() + GOOD_FOR_MS),
      },
    });
    return success(success(quote));
  }

  @Post('swaps')
  async swap(@Merchant() merchantId: string, @Body() { quote_id, from_currency, to_currency, amount }: ExecuteSwap) {
    const legs = await this.accounts.transaction(async (within) => {
      const claimed = await within.quote.updateMany({
        where: {
          ...{ id: quote_id, merchantId, fromCurrency: from_currency, toCurrency: to_currency, fromAmount: amount },
          ...{ usedAt: null, expiresAt: { gt: new Date() } },
        },
        data: { usedAt: new Date() },
      });
      if (claimed.count === 0) throw new UnprocessableEntityException('quote_used');
      const { fromAmount, toAmount } = await within.quote.findUniqueOrThrow({ where: { id: quote_id } });
      const found = await this.accounts.lock(
        within,
        Prisma.sql`merchant_id = ${merchantId}::uuid AND currency IN (${from_currency}, ${to_currency})
          AND customer_id IS NULL AND kind IN ('wallet', 'liquidity')`,
      );
      const of = (currency: string) => found.filter((account) => account.currency === currency);
      const [sold, bought] = [of(from_currency), of(to_currency)];
      const referenceId = randomUUID();
      const opening = { type: 'INTERNAL TRANSFER', status: 'COMPLETED', referenceId };
      const debit = await this.accounts.open(
        within,
        merchantId,
        { account: ofKind(sold, 'wallet'), by: fromAmount.neg() },
        { account: ofKind(sold, 'liquidity'), by: fromAmount },
        { ...opening, mode: 'DEBIT' },
      );
      const credit = await this.accounts.open(
        within,
        merchantId,
        { account: ofKind(bought, 'wallet'), by: toAmount },
        { account: ofKind(bought, 'liquidity'), by: toAmount.neg() },
        { ...opening, mode: 'CREDIT' },
      );
      await this.accounts.tell(within, 'swap.completed', debit);
      return [debit, credit];
    });
    return success(legs.map(viewOf));
  }

  @Get('wallets/:id')
  async wallet(@Merchant() merchantId: string, @Param('id', ParseUUIDPipe) id: string) {
    const found = await this.database.account.findFirst({ where: { id, merchantId, kind: 'wallet' } });
    if (found === null) throw new NotFoundException();
    return success(found);
  }

  @Get('transactions')
  async transactions(@Merchant() merchantId: string, @Query() { customer_id, status, limit }: ListTransactions) {
    const where = { merchantId, ...(customer_id && { customerId: customer_id }), ...(status && { status }) };
    const [total, page] = await Promise.all([
      this.database.transaction.count({ where }),
      this.database.transaction.findMany({ where, orderBy: { createdAt: 'desc' }, take: limit }),
    ]);
    return { ...success(page.map(viewOf)), pagination: { total, limit } };
  }
}
