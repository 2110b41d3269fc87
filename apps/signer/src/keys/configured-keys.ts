import { ConfigurationError } from '@stablecoin/service-host/setting';
import type { SignerConfiguration } from '../signer.configuration';
import { OutsideKeys } from './outside-keys';
import { SeedKeys } from './seed-keys';
import type { TransactionKeys } from './transaction-keys';

/** @throws ConfigurationError where a setting is missing that SIGNER_KEYS asks for, or the cold address is our own */
export function configuredKeys(configuration: SignerConfiguration): TransactionKeys {
  const keys = configuration.keys === 'seed' ? seedKeys(configuration) : outsideKeys(configuration);
  if (configuration.coldAddress === keys.hot)
    throw new ConfigurationError('SIGNER_COLD_ADDRESS is the hot wallet: name an address whose key is kept offline.');
  return keys;
}

function seedKeys({ seed, hotIndex }: SignerConfiguration): SeedKeys {
  if (seed === null) throw missing('SIGNER_SEED', 'seed');
  return new SeedKeys(seed, hotIndex);
}

function outsideKeys({ hotIndex, httpTimeoutMs, seed, ...settings }: SignerConfiguration): OutsideKeys {
  if (seed !== null)
    throw new ConfigurationError(
      'SIGNER_SEED is set, and the keys are with an outside signer: take the seed away from here.',
    );
  const { httpUrl: url, httpToken: token, httpHotPublicKey: hotPublicKey, httpDepositParent: depositParent } = settings;
  if (url === null) throw missing('SIGNER_HTTP_URL', 'http');
  if (hotPublicKey === null) throw missing('SIGNER_HTTP_HOT_PUBLIC_KEY', 'http');
  if (depositParent === null) throw missing('SIGNER_HTTP_DEPOSIT_PARENT', 'http');
  return new OutsideKeys({ url, token, timeoutMs: httpTimeoutMs, hotIndex, hotPublicKey, depositParent });
}

const missing = (variable: string, keys: string) =>
  new ConfigurationError(`${variable}: expected it to be set, because SIGNER_KEYS is ${keys}.`);
