import { PolicyView } from '@stablecoin/contracts/wallet/policy-view';
import { PolicyInForce } from '@stablecoin/ledger-domain/entities';

export function policyView({ since_position: _, ...shown }: PolicyInForce): PolicyView {
  return shown;
}
