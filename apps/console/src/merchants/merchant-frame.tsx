import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import type { Schema } from '../api/client';
import { AsOf } from '../shell/as-of';
import { Copyable } from '../shell/copyable';
import { Icon } from '../shell/icon';
import { Failure, Loading } from '../shell/states';
import { Moment } from '../times/moment';
import { ModeBadge, NoKeyBadge } from './merchant-badges';
import { NamedMerchant } from './named-merchant';
import { merchantQuestion } from './questions';

/** Around the screens of a merchant that one of the operator's people has opened: whose they are, and the way to the others. */
export function MerchantFrame() {
  const { merchantId = '' }: { merchantId?: string } = useParams({ strict: false });
  const { data: merchant, error, refetch, dataUpdatedAt } = useQuery(merchantQuestion(merchantId));
  return (
    <>
      <Link to="/merchants" search={{}} className="back">
        <Icon name="back" />
        Merchants
      </Link>
      {error !== null && merchant === undefined ? (
        <>
          <h1>Merchant</h1>
          <Failure error={error} retry={() => void refetch()} />
        </>
      ) : merchant === undefined ? (
        <Loading what="the merchant" />
      ) : (
        <NamedMerchant value={merchantId}>
          <Head merchant={merchant} at={dataUpdatedAt} />
          <Outlet />
        </NamedMerchant>
      )}
    </>
  );
}

function Head({ merchant, at }: { merchant: Schema<'Merchant'>; at: number }) {
  const params = { merchantId: merchant.merchant_id };
  const { valid_keys: keys } = merchant;
  return (
    <section className="card merchant-head" aria-label="Merchant">
      <div>
        <p className="merchant-name">
          {merchant.name} <ModeBadge mode={merchant.mode} /> <NoKeyBadge status={merchant.status} />
        </p>
        <p className="quiet">
          Created <Moment at={merchant.created_at} /> · Shard {merchant.shard} ·{' '}
          {keys === 1 ? 'One valid key' : `${keys} valid keys`}
        </p>
        <Copyable text={merchant.merchant_id} label="the merchant’s id" />
      </div>
      <nav className="sections" aria-label="Of this merchant">
        <Link to="/merchants/$merchantId/transactions" params={params} search={{}} activeProps={PRESSED}>
          Transactions
        </Link>
        <Link to="/merchants/$merchantId/wallets" params={params} search={{}} activeProps={PRESSED}>
          Wallets
        </Link>
      </nav>
      <AsOf at={at} keys={[['merchant'], ['transactions'], ['transaction'], ['wallets']]} />
    </section>
  );
}

const PRESSED = { 'aria-current': 'page' } as const;
