import type { EvmNetwork } from '@stablecoin/chains/chains';
import type { Network } from '@stablecoin/money/currency';
import type { PayoutRailName } from './repeated-settings';

/** What gateway and payout are both told of the rails. */
export interface PayoutRailSettings {
  readonly payoutRailErc20: PayoutRailName;
  readonly payoutRailBep20: PayoutRailName;
  readonly payoutRailPolygon: PayoutRailName;
  readonly evmRailForTest: boolean;
  readonly sandboxRailForLive: boolean;
}

const SETTING_OF: Readonly<Record<EvmNetwork, keyof PayoutRailSettings>> = {
  erc20: 'payoutRailErc20',
  bep20: 'payoutRailBep20',
  polygon: 'payoutRailPolygon',
};

/**
 * The rail by which a payout goes, as things are set now; null where none takes it.
 *
 * | network   | live merchant                     | test merchant                        |
 * |-----------|-----------------------------------|--------------------------------------|
 * | evm       | evm                               | evm with EVM_RAIL_FOR_TEST, else sandbox |
 * | any other | sandbox with SANDBOX_RAIL_FOR_LIVE, else none | sandbox                  |
 *
 * @param network null for a bank
 */
export function railFor(
  settings: PayoutRailSettings,
  { network, isLive }: { network: Network | null; isLive: boolean },
): PayoutRailName | null {
  const setting =
    network === null ? undefined : (SETTING_OF as Partial<Record<Network, keyof PayoutRailSettings>>)[network];
  const isOnChain = setting !== undefined && settings[setting] === 'evm';
  if (isOnChain && (isLive || settings.evmRailForTest)) return 'evm';
  return !isLive || settings.sandboxRailForLive ? 'sandbox' : null;
}

/** Whether payouts of test merchants may be on a chain. */
export const isEvmRailForTest = (settings: PayoutRailSettings): boolean =>
  settings.evmRailForTest && Object.values(SETTING_OF).some((setting) => settings[setting] === 'evm');
