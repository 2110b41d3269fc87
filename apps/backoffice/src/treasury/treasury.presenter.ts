import { CHAINS } from '@stablecoin/chains/chains';
import { tokenOf } from '@stablecoin/chains/tokens';
import { coinsOf, toLedgerAmount } from '@stablecoin/chains/units';
import { NetworkTreasury } from '@stablecoin/contracts/chain/get-treasury';
import { TransferView, UnrecognisedView } from '@stablecoin/contracts/chain/views';

/** Coins as decimal text: a browser counts in no wei. */
export function presentTreasury(treasury: NetworkTreasury) {
  const { hot_wei, deposit_addresses_wei, fees_wei, gas_wei, ...rest } = treasury;
  return {
    ...rest,
    hot_coins: hot_wei === null ? null : coinsOf(hot_wei),
    deposit_addresses_coins: coinsOf(deposit_addresses_wei),
    fees_coins: coinsOf(fees_wei),
    gas_coins: coinsOf(gas_wei),
  };
}

/** Without the address of a payee. */
export function presentTransfer<View extends TransferView>(view: View) {
  const { network, currency, units, fee_wei, kind, to_address, ...rest } = view;
  const token = currency === null ? undefined : tokenOf(network, currency);
  return {
    ...{ ...rest, kind, network, currency: currency ?? CHAINS[network].nativeCoin },
    amount: token ? toLedgerAmount(token, BigInt(units)).amount : coinsOf(units),
    fee_coins: fee_wei === null ? null : coinsOf(fee_wei),
    to_address: kind === 'payout' ? null : to_address,
  };
}

/** Without the address of who has paid. */
export const presentUnrecognised = ({ from_address: _, ...view }: UnrecognisedView) => view;
