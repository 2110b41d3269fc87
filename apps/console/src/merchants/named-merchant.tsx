/** Whose screens are shown: a member's own merchant's, or the one that one of the operator's people has opened. */
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';

const Named = createContext<string | undefined>(undefined);
export const NamedMerchant = Named.Provider;

/** The id of the merchant that was opened; undefined for a member, whose session has it. */
export const useNamedMerchant = () => useContext(Named);

interface Props {
  to: '/transactions' | '/transactions/$transactionId' | '/wallets' | '/wallets/$walletId';
  params?: { transactionId?: string; walletId?: string };
  search?: Record<string, string>;
  className?: string;
  children: ReactNode;
}

/** To a screen of the same merchant. */
export function MerchantLink({ to, params = {}, search = {}, className = '', children }: Props) {
  const merchantId = useNamedMerchant();
  const place = merchantId === undefined ? to : (`/merchants/$merchantId${to}` as const);
  return (
    <Link to={place} params={{ ...params, merchantId }} search={search} className={className}>
      {children}
    </Link>
  );
}
