/** Payouts as the gateway has them held: each asked of the ledger under one command id, until it answers. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { evmAddress } from '@stablecoin/addresses/address-text';
import { type TokenCurrency, tokenOf } from '@stablecoin/chains/tokens';
import { toLedgerAmount } from '@stablecoin/chains/units';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import type { Ground } from '../ground/ground';
import type { HeldPayout } from '../oracle/payouts';
import { THE_SHARD } from './accounts';
import type { PayingMerchant } from './paying-merchant';

const AGAIN_MS = 100;
/** The ledger's answer to it may come later, or is lost: the same command is sent again. */
const UNKNOWN: readonly string[] = ['unavailable', 'idempotency_in_flight'];

export class PayoutRequests {
  /** In the order in which the ledger's answers came. */
  readonly held: HeldPayout[] = [];
  readonly findings: string[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private hasEnded = false;

  constructor(
    private readonly ground: Pick<Ground, 'bus' | 'network'>,
    private readonly merchant: PayingMerchant,
  ) {}

  /** @param millionths of a whole one */
  request(currency: TokenCurrency, millionths: number): void {
    const asked = this.ask(currency, millionths).finally(() => this.underWay.delete(asked));
    this.underWay.add(asked);
  }

  /** Resolves when the ledger has answered each of them. */
  async answered(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** For a schedule that is given up. */
  end(): void {
    this.hasEnded = true;
  }

  private async ask(currency: TokenCurrency, millionths: number): Promise<void> {
    const { bus, network } = this.ground;
    const token = tokenOf(network, currency);
    if (!token) throw new Error(`there is no ${currency} on ${network}`);
    const units = BigInt(millionths) * 10n ** BigInt(token.decimals - 6);
    const { amount } = toLedgerAmount(token, units);
    const to = evmAddress(randomBytes(20));
    const terms = {
      ...({ merchant_id: this.merchant.id, rail: 'wallet', network, currency, amount } as const),
      ...({ sealed_destination: this.merchant.sealed(to), recipient_currency: 'USD', exchange_rate: '1' } as const),
    };
    const command = { ...terms, ...derivedCommand(`trial-payout:${randomUUID()}`, terms) };
    while (!this.hasEnded) {
      try {
        const { result } = await bus.call(holdPayout, command, { shard: THE_SHARD });
        this.held.push({ id: result.id, currency, amount, units, payee: to.toLowerCase() });
        return;
      } catch (error) {
        if (!(error instanceof Refusal && UNKNOWN.includes(error.code))) {
          this.findings.push(`a payout is refused: ${String(error)}`);
          return;
        }
        await delay(AGAIN_MS);
      }
    }
  }
}
