/** Payouts as the payout service orders them of the chain service: asked for under their reference until they are taken. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { type SubmitTransfer, submitTransfer } from '@stablecoin/contracts/chain/submit-transfer';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { type TokenCurrency, tokenOf } from '@stablecoin/chains/tokens';
import { toLedgerAmount } from '@stablecoin/chains/units';
import { evmAddress } from '@stablecoin/addresses/address-text';
import { eventually } from '@stablecoin/testing/eventually';
import type { Ground } from '../ground/ground';
import type { OrderedPayout, PayoutOutcome } from '../oracle/payouts';

const AGAIN_MS = 100;
const TIMEOUT_MS = 30_000;

export class PayoutOrders {
  readonly ordered: OrderedPayout[] = [];
  readonly findings: string[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private hasEnded = false;

  constructor(private readonly ground: Ground) {}

  /** @param millionths of a whole one */
  order(currency: TokenCurrency, millionths: number): void {
    const token = tokenOf(this.ground.network, currency);
    if (!token) throw new Error(`there is no ${currency} on ${this.ground.network}`);
    const units = BigInt(millionths) * 10n ** BigInt(token.decimals - 6);
    const to = evmAddress(randomBytes(20));
    this.ordered.push({ reference: `trial-${randomUUID()}`, currency, units, payee: to.toLowerCase() });
    const [reference, amount] = [this.ordered.at(-1)?.reference ?? '', toLedgerAmount(token, units).amount];
    const asked = this.ask({ reference, network: this.ground.network, currency, to, amount }).finally(() =>
      this.underWay.delete(asked),
    );
    this.underWay.add(asked);
  }

  /** Resolves when all of them are taken. */
  async taken(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** For a schedule that is given up. */
  end(): void {
    this.hasEnded = true;
  }

  outcomes(): Promise<PayoutOutcome[]> {
    return Promise.all(
      this.ordered.map(({ reference }) =>
        eventually(
          `payout ${reference} is looked up`,
          async () => {
            try {
              return await this.ground.bus.call(lookUpTransfer, { reference });
            } catch (error) {
              if (error instanceof Refusal && error.code === 'not_found')
                return { reference, state: 'never taken', transaction_hash: null };
              throw error;
            }
          },
          { timeoutMs: TIMEOUT_MS },
        ),
      ),
    );
  }

  private async ask(transfer: Plain<SubmitTransfer>): Promise<void> {
    while (!this.hasEnded) {
      try {
        await this.ground.bus.call(submitTransfer, transfer);
        return;
      } catch (error) {
        if (!(error instanceof Refusal && error.code === 'unavailable')) {
          this.findings.push(`an order is refused: ${String(error)}`);
          return;
        }
        await delay(AGAIN_MS);
      }
    }
  }
}
