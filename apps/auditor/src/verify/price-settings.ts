import { SwapPriceSettings } from '@stablecoin/ledger-domain/swap-prices';
import {
  SWAP_BOOK_BAND,
  SWAP_LOSS_PER_HOUR,
  SWAP_PRICE_BAND,
  SWAP_PRICE_BAND_HOURS,
  SWAP_PRICE_BANDS,
} from '@stablecoin/service-host/price-bound-settings';
import { SWAP_RATES } from '@stablecoin/service-host/repeated-settings';
import { SettingDefinition } from '@stablecoin/service-host/setting';
import { AuditFailure } from '../report/report';
import { settingOf } from '../settings/setting-of';

const HOUR_MS = 3_600_000;

/** The bounds of prices, by the variables and defaults of the ledger. @throws AuditFailure */
export function priceSettings(env: NodeJS.ProcessEnv): SwapPriceSettings {
  return {
    basisPoints: read(env, SWAP_PRICE_BAND),
    ofPair: read(env, SWAP_PRICE_BANDS),
    heldMs: read(env, SWAP_PRICE_BAND_HOURS) * HOUR_MS,
    book: read(env, SWAP_RATES),
    bookBasisPoints: read(env, SWAP_BOOK_BAND),
    lossPerHour: read(env, SWAP_LOSS_PER_HOUR),
  };
}

function read<Value>(env: NodeJS.ProcessEnv, setting: SettingDefinition<Value>): Value {
  const text = settingOf(env, setting.env);
  if (!text) return setting.default as Value;
  try {
    return setting.read(text);
  } catch (error) {
    throw new AuditFailure(`${setting.env}: expected ${(error as Error).message}.`);
  }
}
