import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { HoldPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { assetTypeOf, Currency, Network } from '@stablecoin/money/currency';
import { PayoutRailSettings, railFor } from '@stablecoin/service-host/payout-rails';
import { Owners } from '../owners/owners';
import { Destinations } from '../transactions/destinations';
import { OwnAddresses } from './own-addresses';
import { PayOutToBankBody, PayOutToWalletBody } from './payout-requests';
import { Prices } from './prices';

/** The currency of a payout's worth when its recipient has no currency. */
const DOLLAR: Currency = 'USD';
/** Sent only with an objection, with which the ledger holds no payout: no payout ever has this price. */
const NO_PRICE = '0';

/** What the ledger is asked to hold, without who asks for it and what it costs. */
export type PayoutTerms = Omit<HoldPayout, keyof MerchantCommand | 'fee_schedule' | 'key_mode' | 'signer'>;
type Body<Asked> = Omit<Plain<Asked>, 'dry_run'>;

interface PayingMerchant {
  merchant_id: string;
  mode: KeyMode;
}

/** A request for a payout, which has no effect once it is objected to. */
export interface PayoutRequest {
  readonly ids: { readonly merchant_id: string };
  /** It may have been taken before: then its stored result counts, and what is objected now does not. */
  readonly repeatable: boolean;
  /** @throws Refusal unless it is repeatable */
  objectTo(objection: ErrorCode | Refusal): void;
}

/**
 * The terms of a payout, of whatever kind: not to an address of ours → owner found → approved → a rail that takes it → destination
 * sealed → price.
 */
export class NewPayouts {
  constructor(
    private readonly owners: Owners,
    private readonly prices: Prices,
    private readonly ownAddresses: OwnAddresses,
    private readonly destinations: Destinations,
    private readonly rails: PayoutRailSettings,
  ) {}

  async toBank(merchant: PayingMerchant, request: PayoutRequest, body: Body<PayOutToBankBody>): Promise<PayoutTerms> {
    const owner = await this.findApproved(merchant, request, body.customer_id, null);
    const { account_number, recipient_name, bank_name, recipient_country, ...terms } = body;
    const named = { account_number, recipient_name, bank_name, recipient_country };
    return this.priced(merchant, request, {
      ...terms,
      customer_id: owner.customer_id,
      rail: 'bank',
      sealed_destination: this.destinations.seal(merchant.merchant_id, owner, { kind: 'bank', ...named }),
      destination_hash: await this.destinations.hashOf(merchant.merchant_id, {
        bank_code: terms.bank_code,
        account_number,
      }),
      recipient_currency: terms.recipient_currency ?? recipientCurrencyOf(terms.currency),
    });
  }

  async toWallet(
    merchant: PayingMerchant,
    request: PayoutRequest,
    body: Body<PayOutToWalletBody>,
  ): Promise<PayoutTerms> {
    await this.ownAddresses.refuse(request, 'address', body.address);
    const owner = await this.findApproved(merchant, request, body.customer_id, body.network);
    const { address, recipient_name = null, ...terms } = body;
    const named = { address, recipient_name };
    return this.priced(merchant, request, {
      ...terms,
      customer_id: owner.customer_id,
      rail: 'wallet',
      sealed_destination: this.destinations.seal(merchant.merchant_id, owner, { kind: 'wallet', ...named }),
      destination_hash: await this.destinations.hashOf(merchant.merchant_id, { network: terms.network, address }),
      recipient_currency: DOLLAR,
    });
  }

  private async findApproved(
    { mode }: PayingMerchant,
    request: PayoutRequest,
    customerId: string | null | undefined,
    network: Network | null,
  ): Promise<Owner> {
    const owner = await this.owners.findOpen(request, customerId);
    if (owner.kyc_status !== 'approved') request.objectTo('kyc_required');
    const rail = railFor(this.rails, { network, isLive: mode === 'live' });
    if (rail === null) request.objectTo('rail_unavailable');
    return owner;
  }

  /** Without a price no payout is held, but a repeated request still gets its stored result. */
  private async priced(
    { mode }: PayingMerchant,
    request: PayoutRequest,
    terms: Omit<PayoutTerms, 'exchange_rate'>,
  ): Promise<PayoutTerms> {
    try {
      return { ...terms, exchange_rate: await this.prices.get(terms.currency, terms.recipient_currency, mode) };
    } catch (error) {
      // Rethrown unchanged: it also says whether the request for the price was sent (`notExecuted`).
      if (!(error instanceof Refusal) || !request.repeatable) throw error;
      request.objectTo(error.code);
      return { ...terms, exchange_rate: NO_PRICE };
    }
  }
}

const recipientCurrencyOf = (currency: Currency): Currency => (assetTypeOf(currency) === 'FIAT' ? currency : DOLLAR);
